"""Endpoints and deliveries as their player sees them."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from games.errors import Problem
from games.models import Delivery, Player, Webhook
from games.times import rfc3339

Form = dict[str, Any]


def webhooks_of(player: Player) -> QuerySet[Webhook]:
    """The endpoints of a player."""
    return Webhook.objects.filter(player=player)


def my_webhook(player: Player, webhook_id: str) -> Webhook:
    """One of a player's endpoints, or 404."""
    found = webhooks_of(player).filter(public_id=webhook_id).first()
    if found is None:
        raise Problem("not_found")
    return found


def deliveries_of(webhook: Webhook) -> QuerySet[Delivery]:
    """What was and is to be sent to an endpoint."""
    return Delivery.objects.filter(webhook=webhook)


def my_delivery(player: Player, webhook_id: str, delivery_id: str) -> Delivery:
    """One delivery to one of a player's endpoints, or 404."""
    mine = Delivery.objects.select_related("webhook").filter(webhook__player=player)
    found = mine.filter(webhook__public_id=webhook_id, public_id=delivery_id).first()
    if found is None:
        raise Problem("not_found")
    return found


def webhook_form(webhook: Webhook) -> Form:
    """An endpoint, without its secrets."""
    old = webhook.old_secrets_at(timezone.now())
    return {
        "id": webhook.public_id,
        "url": webhook.url,
        "description": webhook.description,
        "match": webhook.match_id,
        "types": webhook.selection,
        "active": webhook.active,
        "stopped_because": webhook.stopped_because or None,
        "stopped_at": rfc3339(webhook.stopped_at),
        "failing_since": rfc3339(webhook.failing_since),
        "created": rfc3339(webhook.created_at),
        "old_secrets_until": rfc3339(max((each.until for each in old), default=None)),
    }


def delivery_form(delivery: Delivery) -> Form:
    """A delivery: what it is about, and how each try went; never what the receiver said."""
    return {
        "id": delivery.public_id,
        "type": delivery.type,
        "match": delivery.match_id,
        "version": delivery.version,
        "status": delivery.status,
        "created": rfc3339(delivery.created_at),
        "next_attempt_at": rfc3339(delivery.due_at),
        "attempts": delivery.attempts,
    }
