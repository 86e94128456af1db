"""Change profiles, and validate names."""

import re
import secrets
import unicodedata
import zoneinfo
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from django.db import transaction

from games.accounts.services.mails import Mail, send_on_commit
from games.core.errors import FieldError, Problem, invalid_field
from games.identity.models import MAX_DISPLAY_NAME_LENGTH, USERNAME_PATTERN, Player

# Names that would be taken for the service itself, or for what stands in its addresses.
RESERVED: Final = frozenset(
    """
    admin administrator ai anonymous anyone api bot bots caretaker clock deleted everyone guest guests haggis
    help leaderboard mail me moderator nobody null official operator owner player players root security server
    service staff support system undefined webmaster you
    """.split()
)
GUEST_PREFIX: Final = "guest-"
DELETED_PREFIX: Final = "deleted-"

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"


def check_username(username: str, pointer: str = "/username") -> None:
    """Refuse a name that cannot be, or that nobody may have."""
    if not re.fullmatch(USERNAME_PATTERN, username, re.ASCII):
        detail = "A name is 3 to 30 letters, digits, - or _, and begins with a letter or digit."
        raise Problem("validation_error", detail, errors=(FieldError(pointer, "invalid", detail),))
    folded = username.lower()
    if folded in RESERVED or folded.startswith((GUEST_PREFIX, DELETED_PREFIX)):
        detail = "This name is kept for the service."
        raise Problem("validation_error", detail, errors=(FieldError(pointer, "reserved", detail),))


def normalise_display_name(text: str, pointer: str = "/display_name") -> str:
    """A name as it is shown: one line that can be read, in one spelling of its letters.

    >>> tidy_display_name("  Heather ")
    'Heather'
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not name.isprintable():
        detail = "A name is one line without control characters."
        raise Problem("validation_error", detail, errors=(FieldError(pointer, "invalid", detail),))
    if len(name) > MAX_DISPLAY_NAME_LENGTH:
        detail = f"A name has {MAX_DISPLAY_NAME_LENGTH} characters at most."
        raise Problem("validation_error", detail, errors=(FieldError(pointer, "too_long", detail),))
    return name


def new_guest_name() -> str:
    """A name that nobody can choose, and nobody has."""
    return GUEST_PREFIX + _random(8)


def new_deleted_name() -> str:
    """What an account is called once nobody owns it any more."""
    return DELETED_PREFIX + _random(12)


def _random(length: int) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def change_profile(*, player: Player, changes: Mapping[str, Any]) -> Player:
    """Change what is given, and nothing else. A new address has to be confirmed."""
    changed = [column for name, value in changes.items() for column in _SETTERS[name](player, value)]
    with transaction.atomic():
        player.save(update_fields=changed)
        if "email" in changes and player.email and not player.email_confirmed:
            send_on_commit(kind=Mail.CONFIRM_EMAIL, player_id=player.pk)
    return player


def _set_display_name(player: Player, value: str) -> tuple[str, ...]:
    player.display_name = normalise_display_name(value)
    return ("display_name",)


def _set_email(player: Player, value: str | None) -> tuple[str, ...]:
    if (value or "") != player.email:
        player.email, player.email_confirmed = value or "", False
    return ("email", "email_confirmed")


def _set_time_zone(player: Player, value: str) -> tuple[str, ...]:
    if value not in _time_zones():
        raise invalid_field(
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
