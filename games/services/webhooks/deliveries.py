"""Deliveries that a player asks for: a test, and one more try; and old ones that are forgotten."""

import secrets
from datetime import datetime, timedelta
from typing import Final

from django.db.models.functions import Now

from games.errors import Problem
from games.models import Delivery, DeliveryStatus, Player, Webhook
from games.selectors.webhooks import my_delivery, my_webhook
from games.services.webhooks.messages import TEST

KEPT_FOR: Final = timedelta(days=30)
AT_ONCE: Final = 5_000


def send_test(*, player: Player, webhook_id: str) -> Delivery:
    """Send an event of the type `test`, tried once."""
    webhook = my_webhook(player, webhook_id)
    _refuse_stopped(webhook)
    made = Delivery.objects.create(
        public_id=f"msg_{secrets.token_hex(16)}",
        webhook=webhook,
        type=TEST,
        created_at=Now(),
        due_at=Now(),
    )
    return my_delivery(player, webhook_id, made.public_id)


def redeliver(*, player: Player, webhook_id: str, delivery_id: str) -> Delivery:
    """Send an event again, under the id that it had."""
    delivery = my_delivery(player, webhook_id, delivery_id)
    _refuse_stopped(delivery.webhook)
    again = Delivery.objects.filter(pk=delivery.pk)
    again.update(status=DeliveryStatus.PENDING, due_at=Now(), tried=0)
    Webhook.objects.filter(pk=delivery.webhook_id, failures__gt=0).update(rests_until=None)
    return my_delivery(player, webhook_id, delivery_id)


def _refuse_stopped(webhook: Webhook) -> None:
    if not webhook.active:
        raise Problem("webhook_stopped")


def forget_old_deliveries(*, now: datetime, at_once: int = AT_ONCE) -> int:
    """Delete what was settled long ago, a bounded number at a time; how many there were."""
    old = Delivery.objects.filter(created_at__lt=now - KEPT_FOR, due_at=None).order_by("created_at")
    deleted, _ = Delivery.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:at_once])).delete()
    return deleted
