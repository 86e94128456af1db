"""Manage webhook endpoints, their secrets and their deliveries."""

import base64
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from games.core.errors import Problem, invalid_field
from games.core.secrets import Secret
from games.identity.models import Player
from games.identity.services import lock_player
from games.matches.models.log import DeliveryStatus
from games.matches.store import can_see, find_match
from games.notifications.deliveries import TEST
from games.notifications.http_client import InvalidAddress, parse_url
from games.notifications.models import Delivery, RetiredSecret, Webhook, format_types
from games.notifications.queries import require_delivery, require_webhook

USUAL_OVERLAP: Final = timedelta(days=1)
MAX_OVERLAP_LENGTH: Final = timedelta(days=7)
# More than one: whoever got no answer asks again, and receivers still have the secret from before both.
MAX_OLD: Final = 4
_SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """An endpoint and its secret, which is shown once."""

    webhook: Webhook
    secret: Secret[str]


def new_secret() -> Secret[str]:
    """A secret as Standard Webhooks writes them."""
    return Secret(f"whsec_{base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()}")


def rotate_secret(
    *, player: Player, webhook_id: str, overlap_seconds: int = int(USUAL_OVERLAP.total_seconds())
) -> NewWebhook:
    """Give an endpoint a new secret. Those that it had sign too for so long, and no longer."""
    now, secret = timezone.now(), new_secret()
    until = now + timedelta(seconds=overlap_seconds)
    with transaction.atomic():
        found = require_webhook(player, webhook_id)
        webhook = Webhook.objects.select_for_update(no_key=True).get(pk=found.pk)
        webhook.keep_old_secrets(_kept(webhook, now, until))
        webhook.secret = secret
        webhook.save(update_fields=["secret", "old_secrets"])
    return NewWebhook(webhook, secret)


def _kept(webhook: Webhook, now: datetime, until: datetime) -> list[RetiredSecret]:
    """The secrets that it had, as they sign on."""
    had = [RetiredSecret(webhook.secret, until), *webhook.old_secrets_at(now)]
    return [RetiredSecret(each.secret, min(each.until, until)) for each in had if until > now][:MAX_OLD]


MAX_WEBHOOKS: Final = 20


def create_webhook(
    *,
    player: Player,
    url: str,
    types: Sequence[str] | None = None,
    match: str | None = None,
    description: str = "",
) -> NewWebhook:
    """Have events of all a player's matches, or of one match, sent to an address from now on."""
    _check(url)
    if match is not None:
        _refuse_unless_seen(match, player)
    secret = new_secret()
    with transaction.atomic():
        lock_player(player)
        if Webhook.objects.filter(player=player).count() >= MAX_WEBHOOKS:
            raise Problem("limit_reached", f"You have {MAX_WEBHOOKS} endpoints at most.")
        webhook = Webhook.objects.create(
            player=player,
            match_id=match,
            url=url,
            types=format_types(types),
            description=description,
            secret=secret,
            created_at=timezone.now(),
        )
    return NewWebhook(webhook, secret)


def _check(url: str) -> None:
    try:
        parse_url(url)
    except InvalidAddress as why:
        raise invalid_field("/url", "unusable_url", str(why)) from why


def _refuse_unless_seen(match_id: str, player: Player) -> None:
    row = find_match(match_id)
    if row is None or not can_see(row, player):
        raise invalid_field("/match", "unknown_match", "There is no such match that you may see.")


def change_webhook(*, player: Player, webhook_id: str, changes: Mapping[str, Any]) -> Webhook:
    """Change what is given. Whoever makes an endpoint active again lets it begin anew."""
    webhook = require_webhook(player, webhook_id)
    if "url" in changes:
        _check(changes["url"])
    columns = dict(changes)
    if "types" in columns:
        columns["types"] = format_types(columns["types"])
    if "active" in columns and columns["active"] != webhook.active:
        columns |= _RESET_COLUMNS
    for name, value in columns.items():
        setattr(webhook, name, value)
    webhook.save(update_fields=list(columns))
    return webhook


_RESET_COLUMNS: Final[dict[str, Any]] = {
    "stopped_because": "",
    "stopped_at": None,
    "failing_since": None,
    "failures": 0,
    "rests_until": None,
}


def delete_webhook(*, player: Player, webhook_id: str) -> None:
    """Send nothing more, and forget what was sent."""
    webhook = require_webhook(player, webhook_id)
    _delete(Webhook.objects.filter(pk=webhook.pk))


def delete_webhooks(*, player: Player) -> None:
    """Take away all that a player has."""
    _delete(Webhook.objects.filter(player=player))


def _delete(webhooks: QuerySet[Webhook]) -> None:
    """Delete endpoints that no event is just being written for: those that are wait, and find none."""
    with transaction.atomic():
        held = [webhook.pk for webhook in webhooks.select_for_update().only("pk")]
        Webhook.objects.filter(pk__in=held).delete()


KEPT_FOR: Final = timedelta(days=30)
AT_ONCE: Final = 5_000


def send_test(*, player: Player, webhook_id: str) -> Delivery:
    """Send an event of the type `test`, tried once."""
    webhook = require_webhook(player, webhook_id)
    _refuse_stopped(webhook)
    made = Delivery.objects.create(
        public_id=f"msg_{secrets.token_hex(16)}",
        webhook=webhook,
        type=TEST,
        created_at=Now(),
        due_at=Now(),
    )
    return require_delivery(player, webhook_id, made.public_id)


def redeliver(*, player: Player, webhook_id: str, delivery_id: str) -> Delivery:
    """Send an event again, under the id that it had."""
    delivery = require_delivery(player, webhook_id, delivery_id)
    _refuse_stopped(delivery.webhook)
    again = Delivery.objects.filter(pk=delivery.pk)
    again.update(status=DeliveryStatus.PENDING, due_at=Now(), tried=0)
    Webhook.objects.filter(pk=delivery.webhook_id, failures__gt=0).update(rests_until=None)
    return require_delivery(player, webhook_id, delivery_id)


def _refuse_stopped(webhook: Webhook) -> None:
    if not webhook.active:
        raise Problem("webhook_stopped")


def forget_old_deliveries(*, now: datetime, at_once: int = AT_ONCE) -> int:
    """Delete what was settled long ago, a bounded number at a time; how many there were."""
    old = Delivery.objects.filter(created_at__lt=now - KEPT_FOR, due_at=None).order_by("created_at")
    deleted, _ = Delivery.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:at_once])).delete()
    return deleted
