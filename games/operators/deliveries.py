"""Stop and enable webhooks, send deliveries and notices again, and write files of the data set again."""

from django.db import transaction

from games.core.errors import Problem, require_found
from games.identity.models import Player
from games.notifications import outbox, webhooks
from games.notifications.models import Delivery, Notice
from games.operators.models import OperatorActionType
from games.operators.services import record_action
from games.records import exports


@transaction.atomic
def stop_webhook(*, operator: Player, webhook_id: str, reason: str) -> None:
    """Stop an endpoint; its owner cannot activate it again."""
    webhook = webhooks.stop_webhook(webhook_id=webhook_id)
    _record(operator, OperatorActionType.STOP_WEBHOOK, webhook.player, reason, webhook=webhook_id)


@transaction.atomic
def enable_webhook(*, operator: Player, webhook_id: str, reason: str) -> None:
    """Send to a stopped endpoint again."""
    webhook = webhooks.enable_webhook(webhook_id=webhook_id)
    _record(operator, OperatorActionType.ENABLE_WEBHOOK, webhook.player, reason, webhook=webhook_id)


@transaction.atomic
def redeliver(*, operator: Player, delivery_id: str, reason: str) -> None:
    """Send a delivery again, with the same id."""
    deliveries = Delivery.objects.select_related("webhook__player")
    delivery = require_found(deliveries.filter(public_id=delivery_id).first())
    webhook = delivery.webhook
    webhooks.redeliver(player=webhook.player, webhook_id=webhook.public_id, delivery_id=delivery_id)
    _record(operator, OperatorActionType.REDELIVER, webhook.player, reason, delivery=delivery_id)


@transaction.atomic
def retry_notice(*, operator: Player, notice_id: int, reason: str) -> None:
    """Send a pending mail or push message now."""
    notice = Notice.objects.select_related("player").filter(pk=notice_id).first()
    if notice is None:
        raise Problem("not_found", "This notice has been sent, or no longer applies.")
    outbox.retry_now(notice_id=notice_id)
    _record(operator, OperatorActionType.RETRY_NOTICE, notice.player, reason, kind=notice.kind)


@transaction.atomic
def retry_export(*, operator: Player, file_id: int, reason: str) -> None:
    """Write a file of the data set now.

    The audit log has a note about the operator: each of its entries is about a match or a player.
    """
    file = exports.retry_export(file_id=file_id)
    record_action(
        operator=operator,
        action=OperatorActionType.NOTE,
        player=operator,
        reason=reason,
        details={"file": file.name},
    )


def _record(
    operator: Player, action: OperatorActionType, player: Player, reason: str, **details: str
) -> None:
    record_action(operator=operator, action=action, player=player, reason=reason, details=details)
