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

from games.core.errors import Problem, invalid_field, require_found
from games.core.languages import message
from games.core.secrets import Secret
from games.identity.models import Player
from games.identity.services import lock_player
from games.matches.models.log import DeliveryStatus
from games.matches.store import can_see, find_match
from games.notifications import discord
from games.notifications.deliveries import TEST
from games.notifications.http_client import InvalidAddress, check_url
from games.notifications.models import (
    Delivery,
    RetiredSecret,
    StopReason,
    Webhook,
    WebhookFormat,
    format_types,
)
from games.notifications.queries import account_or_bot, require_delivery, require_webhook, webhooks_of

MAX_WEBHOOKS: Final = 20
DEFAULT_OVERLAP: Final = timedelta(days=1)
MAX_OVERLAP: Final = timedelta(days=7)
# More than one, because clients retry a rotation whose response was lost; their receivers then still use
# the secret from before both rotations.
MAX_OLD_SECRETS: Final = 4
_SECRET_BYTES: Final = 32

RETENTION: Final = timedelta(days=30)
BATCH_SIZE: Final = 5_000

_RESET_COLUMNS: Final[dict[str, Any]] = {
    "stopped_because": "",
    "stopped_at": None,
    "failing_since": None,
    "failures": 0,
    "rests_until": None,
}


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """A webhook with its plaintext secret, which is returned to its owner once."""

    webhook: Webhook
    secret: Secret[str]


def new_secret() -> Secret[str]:
    """Generate a secret in the format of Standard Webhooks."""
    return Secret(f"whsec_{base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()}")


def create_webhook(  # noqa: PLR0913 -- an endpoint has this many settings
    *,
    player: Player,
    url: str,
    types: Sequence[str] | None = None,
    match: str | None = None,
    description: str = "",
    authorization_id: int | None = None,
    format: str = WebhookFormat.STANDARD,  # noqa: A002 -- the name of the field
) -> NewWebhook:
    """Send the events of all matches of a player, or of one match, to a URL from now on.

    An endpoint that an app creates is deleted with the authorization of the app.
    """
    _validate_url(url)
    types = _selected_types(types, format)
    if match is not None:
        _require_visible_match(match, player)
    secret = new_secret()
    with transaction.atomic():
        lock_player(player)
        if Webhook.objects.filter(player=player).count() >= MAX_WEBHOOKS:
            raise Problem(
                "limit_reached",
                message("You can have at most {most} webhooks. Delete one first.", most=MAX_WEBHOOKS),
            )
        webhook = Webhook.objects.create(
            player=player,
            match_id=match,
            url=url,
            types=format_types(types),
            description=description,
            format=format,
            secret=secret,
            created_at=timezone.now(),
            authorization_id=authorization_id,
        )
    return NewWebhook(webhook, secret)


def _selected_types(types: Sequence[str] | None, format_: str) -> Sequence[str] | None:
    """Return the types to store; a channel of Discord gets the turns if none are selected."""
    if format_ != WebhookFormat.DISCORD:
        return types
    if types is None:
        return discord.TYPES[:1]
    for number, each in enumerate(types):
        if each not in discord.TYPES:
            detail = message("The format discord can only send {types}.", types=", ".join(discord.TYPES))
            raise invalid_field(f"/types/{number}", "unknown_value", detail)
    return types


def _validate_url(url: str) -> None:
    try:
        check_url(url)
    except InvalidAddress as error:
        raise invalid_field("/url", "unusable_url", error.reason) from error


def _require_visible_match(match_id: str, player: Player) -> None:
    row = find_match(match_id)
    if row is None or not can_see(row, player):
        raise invalid_field(
            "/match", "unknown_match", message("There is no such match, or you may not see it.")
        )


def change_webhook(*, player: Player, webhook_id: str, changes: Mapping[str, Any]) -> Webhook:
    """Update the given fields. Changing `active` resets the failure state."""
    webhook = require_webhook(player, webhook_id)
    if "url" in changes:
        _validate_url(changes["url"])
    columns = dict(changes)
    if "types" in columns:
        columns["types"] = format_types(_selected_types(columns["types"], webhook.format))
    with transaction.atomic():
        webhook = _lock_webhook(player, webhook_id)
        if "active" in columns and columns["active"] != webhook.active:
            _require_not_stopped_by_operator(webhook)
            columns |= _RESET_COLUMNS
        for name, value in columns.items():
            setattr(webhook, name, value)
        webhook.save(update_fields=list(columns))
    return webhook


def _require_not_stopped_by_operator(webhook: Webhook) -> None:
    if webhook.stopped_because == StopReason.OPERATOR:
        raise Problem("not_allowed", message("An operator has stopped this webhook."))


def stop_webhook(*, webhook_id: str) -> Webhook:
    """Stop an endpoint until an operator enables it again."""
    with transaction.atomic():
        webhook = _lock_any_webhook(webhook_id)
        if webhook.stopped_because == StopReason.OPERATOR:
            raise Problem("webhook_stopped", "An operator has stopped this endpoint already.")
        webhook.active, webhook.stopped_because = False, StopReason.OPERATOR
        webhook.stopped_at = timezone.now()
        webhook.save(update_fields=["active", "stopped_because", "stopped_at"])
    return webhook


def enable_webhook(*, webhook_id: str) -> Webhook:
    """Send to an endpoint again, even if an operator has stopped it, and reset its failures."""
    with transaction.atomic():
        webhook = _lock_any_webhook(webhook_id)
        for name, value in {"active": True, **_RESET_COLUMNS}.items():
            setattr(webhook, name, value)
        webhook.save(update_fields=["active", *_RESET_COLUMNS])
    return webhook


def _lock_any_webhook(webhook_id: str) -> Webhook:
    found = Webhook.objects.select_for_update(no_key=True).filter(public_id=webhook_id).first()
    return require_found(found)


def _lock_webhook(player: Player, webhook_id: str) -> Webhook:
    """Lock the player and then one of their endpoints, so that neither is deleted meanwhile."""
    player = lock_player(player)
    found = webhooks_of(player).select_for_update(no_key=True).filter(public_id=webhook_id).first()
    if found is None:
        raise Problem("not_found")
    return found


def rotate_secret(
    *, player: Player, webhook_id: str, overlap_seconds: int = int(DEFAULT_OVERLAP.total_seconds())
) -> NewWebhook:
    """Replace the secret of an endpoint. Its previous secrets expire after the overlap at the latest."""
    now, secret = timezone.now(), new_secret()
    until = now + timedelta(seconds=overlap_seconds)
    with transaction.atomic():
        webhook = _lock_webhook(player, webhook_id)
        webhook.set_old_secrets(_retired_secrets(webhook, now, until))
        webhook.secret = secret
        webhook.save(update_fields=["secret", "old_secrets"])
    return NewWebhook(webhook, secret)


def _retired_secrets(webhook: Webhook, now: datetime, until: datetime) -> list[RetiredSecret]:
    """Return the secrets to keep signing with during the overlap, newest first."""
    current = [RetiredSecret(webhook.secret, until), *webhook.valid_old_secrets(now)]
    return [RetiredSecret(each.secret, min(each.until, until)) for each in current if until > now][
        :MAX_OLD_SECRETS
    ]


def delete_webhook(*, player: Player, webhook_id: str) -> None:
    """Delete an endpoint and its deliveries."""
    webhook = require_webhook(player, webhook_id)
    _delete(Webhook.objects.filter(pk=webhook.pk))


def delete_webhooks(*, player: Player) -> None:
    """Delete all endpoints of a player and their deliveries."""
    _delete(Webhook.objects.filter(player=player))


def delete_webhooks_since(*, player: Player, since: datetime) -> None:
    """Delete the endpoints that a player and their bots have created since a time."""
    _delete(Webhook.objects.filter(account_or_bot(player), created_at__gte=since))


def _delete(webhooks: QuerySet[Webhook]) -> None:
    """Delete endpoints after locking them, so that no transaction can insert deliveries meanwhile."""
    with transaction.atomic():
        ids = [webhook.pk for webhook in webhooks.select_for_update().only("pk")]
        Webhook.objects.filter(pk__in=ids).delete()


def send_test(*, player: Player, webhook_id: str) -> Delivery:
    """Queue an event of the type `test`, which is attempted only once."""
    with transaction.atomic():
        webhook = _lock_webhook(player, webhook_id)
        _require_active(webhook)
        delivery = Delivery.objects.create(
            public_id=f"msg_{secrets.token_hex(16)}",
            webhook=webhook,
            type=TEST,
            created_at=Now(),
            due_at=Now(),
        )
    return require_delivery(player, webhook_id, delivery.public_id)


def redeliver(*, player: Player, webhook_id: str, delivery_id: str) -> Delivery:
    """Queue a delivery again, with the same id."""
    delivery = require_delivery(player, webhook_id, delivery_id)
    _require_active(delivery.webhook)
    again = Delivery.objects.filter(pk=delivery.pk)
    again.update(status=DeliveryStatus.PENDING, due_at=Now(), tried=0)
    Webhook.objects.filter(pk=delivery.webhook_id, failures__gt=0).update(rests_until=None)
    return require_delivery(player, webhook_id, delivery_id)


def _require_active(webhook: Webhook) -> None:
    if not webhook.active:
        raise Problem("webhook_stopped")


def delete_old_deliveries(*, now: datetime, batch_size: int = BATCH_SIZE) -> int:
    """Delete a bounded number of old settled deliveries, and return how many were deleted."""
    old = Delivery.objects.filter(created_at__lt=now - RETENTION, due_at=None).order_by("created_at")
    deleted, _ = Delivery.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:batch_size])).delete()
    return deleted
