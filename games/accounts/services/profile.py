"""Change profiles and validate usernames and display names."""

import re
import secrets
import unicodedata
import zoneinfo
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, TypedDict

from django.db import transaction

from games.accounts.services.mails import Mail, send_on_commit
from games.core.errors import FieldError, Problem, invalid_field
from games.identity.models import DELETED_PREFIX, MAX_DISPLAY_NAME_LENGTH, USERNAME_PATTERN, Player
from games.identity.services import lock_player

# Names that could be mistaken for the service or its staff, or that collide with paths in its URLs.
RESERVED: Final = frozenset(
    """
    admin administrator ai anonymous anyone api bot bots caretaker clock deleted everyone guest guests haggis
    help leaderboard mail me moderator nobody null official operator owner player players root security server
    service staff support system undefined webmaster you
    """.split()
)
GUEST_PREFIX: Final = "guest-"

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"


def check_username(username: str, pointer: str = "/username") -> None:
    """Raise a `Problem` if the username is malformed or reserved."""
    if not re.fullmatch(USERNAME_PATTERN, username, re.ASCII):
        detail = "Use 3 to 30 letters, digits, - or _, beginning with a letter or digit."
        raise Problem("validation_error", detail, errors=(FieldError(pointer, "invalid", detail),))
    folded = username.lower()
    if folded in RESERVED or folded.startswith((GUEST_PREFIX, DELETED_PREFIX)):
        detail = "This name is reserved."
        raise Problem("validation_error", detail, errors=(FieldError(pointer, "reserved", detail),))


def normalise_display_name(text: str, pointer: str = "/display_name") -> str:
    """Return a display name stripped and in Unicode normal form C; reject unprintable or overlong text.

    >>> normalise_display_name("  Heather ")
    'Heather'
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not name.isprintable():
        detail = "A name must be a single line without control characters."
        raise Problem("validation_error", detail, errors=(FieldError(pointer, "invalid", detail),))
    if len(name) > MAX_DISPLAY_NAME_LENGTH:
        detail = f"A name may have at most {MAX_DISPLAY_NAME_LENGTH} characters."
        raise Problem("validation_error", detail, errors=(FieldError(pointer, "too_long", detail),))
    return name


def new_guest_name() -> str:
    """Return a random username with the reserved prefix for guests."""
    return GUEST_PREFIX + _random_letters(8)


def new_deleted_name() -> str:
    """Return a random username for an account that has been deleted."""
    return DELETED_PREFIX + _random_letters(12)


def _random_letters(length: int) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


class ProfileChanges(TypedDict, total=False):
    """The fields of a profile to change."""

    display_name: str
    email: str | None
    time_zone: str
    notifications: Mapping[str, list[str]]


def change_profile(*, player: Player, changes: ProfileChanges) -> Player:
    """Apply changes to a profile and, if the address is new, send a mail to confirm it."""
    with transaction.atomic():
        player = lock_player(player)
        changed = [column for name, value in changes.items() for column in _SETTERS[name](player, value)]
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
            "/time_zone",
            "unknown_value",
            "Unknown time zone. Use a name of the tz database, such as Europe/London.",
        )
    player.time_zone = value
    return ("time_zone",)


def _set_notifications(player: Player, value: Mapping[str, list[str]]) -> tuple[str, ...]:
    player.notifications = {
        **player.notifications,
        **{channel: sorted(set(kinds)) for channel, kinds in value.items()},
    }
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
