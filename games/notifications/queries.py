"""Read webhooks, deliveries and devices, and render them."""

from typing import Final, TypedDict

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.core.errors import require_found
from games.core.times import format_time
from games.identity.models import Player
from games.matches.models.log import NoticeKind
from games.notifications.models import Delivery, Device, NoticeAttempt, Webhook
from games.notifications.notice_texts import NOTICE_KINDS


def account_or_bot(player: Player) -> Q:
    """Return the condition that a row belongs to this player or to one of their bots."""
    return Q(player=player) | Q(player__owner=player)


def webhooks_of(player: Player) -> QuerySet[Webhook]:
    """Return the endpoints of a player."""
    return Webhook.objects.filter(player=player)


def require_webhook(player: Player, webhook_id: str) -> Webhook:
    """Return one of a player's endpoints, or raise `not_found`."""
    return require_found(webhooks_of(player).filter(public_id=webhook_id).first())


def deliveries_of(webhook: Webhook) -> QuerySet[Delivery]:
    """Return the deliveries of an endpoint, sent and pending."""
    return Delivery.objects.filter(webhook=webhook)


def require_delivery(player: Player, webhook_id: str, delivery_id: str) -> Delivery:
    """Return a delivery to one of a player's endpoints, or raise `not_found`."""
    deliveries = Delivery.objects.select_related("webhook").filter(webhook__player=player)
    return require_found(deliveries.filter(webhook__public_id=webhook_id, public_id=delivery_id).first())


class WebhookDocument(TypedDict):
    """An endpoint, without its secrets."""

    id: str
    url: str
    format: str
    description: str
    match: str | None
    types: list[str] | None
    active: bool
    stopped_because: str | None
    stopped_at: str | None
    failing_since: str | None
    created_at: str | None
    created: str | None
    old_secrets_until: str | None


class AttemptDocument(TypedDict):
    """An attempt to deliver an event."""

    at: str | None
    status: int | None
    error: str | None
    milliseconds: int


class DeliveryDocument(TypedDict):
    """A delivery and its attempts."""

    id: str
    type: str
    match: str | None
    version: int | None
    status: str
    created_at: str | None
    created: str | None
    next_attempt_at: str | None
    attempts: list[AttemptDocument]


class DeviceDocument(TypedDict):
    """A device, without its subscription URL and keys."""

    id: str
    name: str
    service: str
    told_at: str | None
    failing_since: str | None
    created_at: str | None
    created: str | None


class NoticeAttemptDocument(TypedDict):
    """An attempt to send a notice, without its content."""

    at: str | None
    channel: str
    kind: str
    match: str | None
    device: str | None
    status: str
    response: int | None


def render_webhook(webhook: Webhook) -> WebhookDocument:
    """Render an endpoint, without its secrets."""
    old = webhook.valid_old_secrets(timezone.now())
    return {
        "id": webhook.public_id,
        "url": webhook.url,
        "format": webhook.format,
        "description": webhook.description,
        "match": webhook.match_id,
        "types": webhook.selected_types,
        "active": webhook.active,
        "stopped_because": webhook.stopped_because or None,
        "stopped_at": format_time(webhook.stopped_at),
        "failing_since": format_time(webhook.failing_since),
        "created_at": format_time(webhook.created_at),
        "created": format_time(webhook.created_at),
        "old_secrets_until": format_time(max((each.until for each in old), default=None)),
    }


def render_delivery(delivery: Delivery) -> DeliveryDocument:
    """Render a delivery and its attempts. The receiver's response bodies are never stored."""
    return {
        "id": delivery.public_id,
        "type": delivery.type,
        "match": delivery.match_id,
        "version": delivery.version,
        "status": delivery.status,
        "created_at": format_time(delivery.created_at),
        "created": format_time(delivery.created_at),
        "next_attempt_at": format_time(delivery.due_at),
        "attempts": delivery.attempts,
    }


def devices_of(player: Player) -> QuerySet[Device]:
    """Return the devices of a player."""
    return Device.objects.filter(player=player)


def require_device(player: Player, device_id: str) -> Device:
    """Return one of a player's devices, or raise `not_found`."""
    return require_found(devices_of(player).filter(public_id=device_id).first())


# Kinds of notices that are not about a match.
_OTHER_KINDS: Final = frozenset({NoticeKind.TEST, NoticeKind.WEBHOOK_STOPPED}) | NOTICE_KINDS


def notice_attempts_of(player: Player) -> QuerySet[NoticeAttempt]:
    """Return the stored attempts to send notices to a player."""
    return NoticeAttempt.objects.filter(player=player)


def render_notice_attempt(attempt: NoticeAttempt) -> NoticeAttemptDocument:
    """Render an attempt to send a notice. Contents are not stored."""
    return {
        "at": format_time(attempt.at),
        "channel": attempt.channel,
        "kind": attempt.kind,
        "match": None if attempt.kind in _OTHER_KINDS else attempt.about,
        "device": attempt.device or None,
        "status": attempt.result,
        "response": attempt.response,
    }


def render_device(device: Device) -> DeviceDocument:
    """Render a device, without its subscription URL and keys."""
    return {
        "id": device.public_id,
        "name": device.name,
        "service": device.service,
        "told_at": format_time(device.told_at),
        "failing_since": format_time(device.failing_since),
        "created_at": format_time(device.created_at),
        "created": format_time(device.created_at),
    }
