"""What a player says about themselves, and the end of an account."""

import zoneinfo
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from games.errors import invalid
from games.models import ApiToken, IdempotencyKey, Notice, Player
from games.services.accounts.mails import Mail, send_later
from games.services.accounts.names import new_name_of_the_deleted, tidy_display_name
from games.services.lobby.departing import leave_all_matches
from games.services.push.devices import forget_devices
from games.services.webhooks.endpoints import delete_webhooks


def change_profile(*, player: Player, changes: Mapping[str, Any]) -> Player:
    """Change what is given, and nothing else. A new address has to be confirmed."""
    changed = [column for name, value in changes.items() for column in _SETTERS[name](player, value)]
    with transaction.atomic():
        player.save(update_fields=changed)
        if "email" in changes and player.email and not player.email_confirmed:
            send_later(kind=Mail.CONFIRM_EMAIL, player_id=player.pk)
    return player


def _set_display_name(player: Player, value: str) -> tuple[str, ...]:
    player.display_name = tidy_display_name(value)
    return ("display_name",)


def _set_email(player: Player, value: str | None) -> tuple[str, ...]:
    if (value or "") != player.email:
        player.email, player.email_confirmed = value or "", False
    return ("email", "email_confirmed")


def _set_time_zone(player: Player, value: str) -> tuple[str, ...]:
    if value not in _time_zones():
        raise invalid(
            "/time_zone", "unknown_value", "It is no time zone that is known, such as Europe/London."
        )
    player.time_zone = value
    return ("time_zone",)


def _set_notifications(player: Player, value: Mapping[str, list[str]]) -> tuple[str, ...]:
    player.notifications = {**player.notifications, **{way: sorted(set(what)) for way, what in value.items()}}
    return ("notifications",)


_SETTERS: Final[dict[str, Callable[[Player, Any], tuple[str, ...]]]] = {
    "display_name": _set_display_name,
    "email": _set_email,
    "time_zone": _set_time_zone,
    "notifications": _set_notifications,
}


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())


def delete_account(*, player: Player) -> None:
    """Forget who somebody was, and their bots. What they played stays, under a name that says nothing.

    Nobody is left waiting for them: what has not begun they leave, what is being played they resign.
    """
    with transaction.atomic():
        for account in [*player.bots.all(), player]:
            leave_all_matches(player=account)
            _anonymise(account)


def _anonymise(account: Player) -> None:
    ApiToken.objects.filter(user=account).delete()
    IdempotencyKey.objects.filter(player=account).delete()
    delete_webhooks(player=account)
    forget_devices(player=account)
    Notice.objects.filter(player=account).delete()
    account.set_unusable_password()
    Player.objects.filter(pk=account.pk).update(
        username=new_name_of_the_deleted(),
        password=account.password,
        first_name="",
        last_name="",
        display_name="",
        email="",
        email_confirmed=False,
        time_zone="UTC",
        notifications={},
        vacation_since=None,
        vacation_until=None,
        is_active=False,
        is_staff=False,
        is_superuser=False,
        last_login=None,
        owner=None,
        deleted_at=timezone.now(),
    )
