"""What somebody may be called."""

import re
import secrets
import unicodedata
from typing import Final

from games.errors import FieldError, Problem
from games.models.player import LONGEST_DISPLAY_NAME, USERNAME_PATTERN

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


def tidy_display_name(text: str, pointer: str = "/display_name") -> str:
    """A name as it is shown: one line that can be read, in one spelling of its letters.

    >>> tidy_display_name("  Heather ")
    'Heather'
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not name.isprintable():
        detail = "A name is one line without control characters."
        raise Problem("validation_error", detail, errors=(FieldError(pointer, "invalid", detail),))
    if len(name) > LONGEST_DISPLAY_NAME:
        detail = f"A name has {LONGEST_DISPLAY_NAME} characters at most."
        raise Problem("validation_error", detail, errors=(FieldError(pointer, "too_long", detail),))
    return name


def new_guest_name() -> str:
    """A name that nobody can choose, and nobody has."""
    return GUEST_PREFIX + _random(8)


def new_name_of_the_deleted() -> str:
    """What an account is called once nobody owns it any more."""
    return DELETED_PREFIX + _random(12)


def _random(length: int) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(length))
