"""Endpoints: named by a player, changed, taken away."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.errors import Problem, invalid
from games.matches.store import find_match, may_see
from games.models import Player, Webhook
from games.models.webhook import written_types
from games.selectors.webhooks import my_webhook
from games.services.accounts.holding import hold
from games.services.webhooks.addresses import Unusable, read_address
from games.services.webhooks.secrets import NewWebhook, new_secret

MOST_WEBHOOKS: Final = 20


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
        hold(player)
        if Webhook.objects.filter(player=player).count() >= MOST_WEBHOOKS:
            raise Problem("limit_reached", f"You have {MOST_WEBHOOKS} endpoints at most.")
        webhook = Webhook.objects.create(
            player=player,
            match_id=match,
            url=url,
            types=written_types(types),
            description=description,
            secret=secret,
            created_at=timezone.now(),
        )
    return NewWebhook(webhook, secret)


def _check(url: str) -> None:
    try:
        read_address(url)
    except Unusable as why:
        raise invalid("/url", "unusable_url", str(why)) from why


def _refuse_unless_seen(match_id: str, player: Player) -> None:
    row = find_match(match_id)
    if row is None or not may_see(row, player):
        raise invalid("/match", "unknown_match", "There is no such match that you may see.")


def change_webhook(*, player: Player, webhook_id: str, changes: Mapping[str, Any]) -> Webhook:
    """Change what is given. Whoever makes an endpoint active again lets it begin anew."""
    webhook = my_webhook(player, webhook_id)
    if "url" in changes:
        _check(changes["url"])
    columns = dict(changes)
    if "types" in columns:
        columns["types"] = written_types(columns["types"])
    if "active" in columns and columns["active"] != webhook.active:
        columns |= _BEGINNING
    for name, value in columns.items():
        setattr(webhook, name, value)
    webhook.save(update_fields=list(columns))
    return webhook


_BEGINNING: Final[dict[str, Any]] = {
    "stopped_because": "",
    "stopped_at": None,
    "failing_since": None,
    "failures": 0,
    "rests_until": None,
}


def delete_webhook(*, player: Player, webhook_id: str) -> None:
    """Send nothing more, and forget what was sent."""
    webhook = my_webhook(player, webhook_id)
    _delete(Webhook.objects.filter(pk=webhook.pk))


def delete_webhooks(*, player: Player) -> None:
    """Take away all that a player has."""
    _delete(Webhook.objects.filter(player=player))


def _delete(webhooks: QuerySet[Webhook]) -> None:
    """Delete endpoints that no event is just being written for: those that are wait, and find none."""
    with transaction.atomic():
        held = [webhook.pk for webhook in webhooks.select_for_update().only("pk")]
        Webhook.objects.filter(pk__in=held).delete()
