"""Change profiles."""

import zoneinfo
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, TypedDict

from django.db import transaction

from games.accounts.models import SecurityEventKind
from games.accounts.services.mails import Mail, claim_confirmation_mail, confirmed_email, send_on_commit
from games.accounts.services.names import validated_display_name
from games.accounts.services.security import record_security_event
from games.core.errors import invalid_field
from games.core.languages import message
from games.identity.models import Player, TokenRow
from games.identity.services import lock_player, require_fresh


class ProfileChanges(TypedDict, total=False):
    """The fields of a profile to change."""

    display_name: str
    email: str | None
    time_zone: str
    language: str | None
    notifications: Mapping[str, list[str]]
    show_online: bool


def change_profile(*, player: Player, changes: ProfileChanges, token: TokenRow, address: str) -> Player:
    """Apply changes to a profile and, if the address is new, send a mail to confirm it.

    A change of the address needs a fresh session, and the owner is notified at the address before it. It is
    judged before the mail is counted, and again under the lock, as the address can have changed meanwhile.
    """
    names_email = "email" in changes
    email = changes.get("email") or ""
    _require_fresh_for_email(player, changes, token)
    needs_mail = email != "" and (email != player.email or not player.email_confirmed)
    confirms = needs_mail and claim_confirmation_mail(player=player, email=email, source=address)
    with transaction.atomic():
        player = lock_player(player)
        _require_fresh_for_email(player, changes, token)
        old = confirmed_email(player)
        changed = [column for name, value in changes.items() for column in _SETTERS[name](player, value)]
        player.save(update_fields=changed)
        if old and names_email and not player.email_confirmed:
            record_security_event(player=player, kind=SecurityEventKind.EMAIL_CHANGED, email=old)
        if confirms and not player.email_confirmed:
            send_on_commit(kind=Mail.CONFIRM_EMAIL, about=player.pk)
    return player


def _require_fresh_for_email(player: Player, changes: ProfileChanges, token: TokenRow) -> None:
    if "email" in changes and (changes["email"] or "") != player.email:
        require_fresh(token=token)


def _set_display_name(player: Player, value: str) -> tuple[str, ...]:
    player.display_name = validated_display_name(value, player)
    return ("display_name",)


def _set_email(player: Player, value: str | None) -> tuple[str, ...]:
    if (value or "") != player.email:
        player.email, player.email_confirmed = value or "", False
    return ("email", "email_confirmed")


def _set_time_zone(player: Player, value: str) -> tuple[str, ...]:
    if value not in _time_zones():
        raise invalid_field(
            "/time_zone",
            "unknown_value",
            message("Unknown time zone. Use a name of the tz database, such as Europe/London."),
        )
    player.time_zone = value
    return ("time_zone",)


def _set_language(player: Player, value: str | None) -> tuple[str, ...]:
    player.language = value or ""
    return ("language",)


def _set_notifications(player: Player, value: Mapping[str, list[str]]) -> tuple[str, ...]:
    player.notifications = {
        **player.notifications,
        **{channel: sorted(set(kinds)) for channel, kinds in value.items()},
    }
    return ("notifications",)


def _set_show_online(player: Player, value: bool) -> tuple[str, ...]:  # noqa: FBT001 -- as the other setters
    player.show_online = value
    return ("show_online",)


_SETTERS: Final[dict[str, Callable[[Player, Any], tuple[str, ...]]]] = {
    "display_name": _set_display_name,
    "email": _set_email,
    "time_zone": _set_time_zone,
    "language": _set_language,
    "notifications": _set_notifications,
    "show_online": _set_show_online,
}


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())
