"""Validate usernames and display names, and refuse names that imitate somebody else."""

# ruff: noqa: RUF001, RUF002 -- the table of confusable letters contains confusable letters

import re
import secrets
import string
import unicodedata
from collections.abc import Iterable
from itertools import groupby
from typing import Final

from games.core.errors import invalid_field
from games.core.languages import message
from games.identity.models import MAX_DISPLAY_NAME_LENGTH, USERNAME_PATTERN, Player, username_skeleton
from games.identity.queries import players_by_skeleton

# Names that could be mistaken for the service or its staff, or that collide with paths in its URLs.
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
    """Raise a `Problem` if the username is malformed or reserved."""
    if not re.fullmatch(USERNAME_PATTERN, username, re.ASCII):
        raise invalid_field(
            pointer,
            "invalid",
            message("Use 3 to 30 letters, digits, - or _, beginning with a letter or digit."),
        )
    folded = username.lower()
    is_given = folded.startswith((GUEST_PREFIX, DELETED_PREFIX))
    if is_given or folded in RESERVED or _is_reserved(username):
        raise invalid_field(pointer, "reserved", message("This name is reserved."))


def new_guest_name() -> str:
    """Return a random username with the reserved prefix for guests."""
    return GUEST_PREFIX + _random_letters(8)


def new_deleted_name() -> str:
    """Return a random username for an account that has been deleted."""
    return DELETED_PREFIX + _random_letters(12)


def _random_letters(length: int) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def validated_display_name(text: str, player: Player | None, pointer: str = "/display_name") -> str:
    """Return a display name as it is stored; reject names that are malformed or imitate another player.

    `player` is the player who takes the name, or `None` for one who is not stored yet.
    """
    name = normalise_display_name(text, pointer)
    skeleton = skeleton_of(name)
    if skeleton.isascii() and skeleton:
        others = players_by_skeleton(skeleton).filter(is_active=True)
        if (others if player is None else others.exclude(pk=player.pk)).exists():
            raise invalid_field(
                pointer, "imitates_player", message("This name looks like that of another player.")
            )
    return name


# Every character that looks like a space.
_SPACES: Final = re.compile(r"[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")


def normalise_display_name(text: str, pointer: str = "/display_name") -> str:
    """Return a display name stripped and in Unicode form NFC; reject what cannot be shown or is reserved.

    >>> normalise_display_name("  Heather ")
    'Heather'
    """
    name = _SPACES.sub(" ", unicodedata.normalize("NFC", text).strip())
    if text and not name:
        raise invalid_field(pointer, "blank", message("A name may not consist of spaces only."))
    if _has_hidden_characters(name):
        raise invalid_field(
            pointer,
            "invalid",
            message("A name must be a single line without invisible or control characters."),
        )
    if len(name) > MAX_DISPLAY_NAME_LENGTH:
        raise invalid_field(
            pointer,
            "too_long",
            message("A name may have at most {most} characters.", most=MAX_DISPLAY_NAME_LENGTH),
        )
    if _is_reserved(name):
        raise invalid_field(pointer, "reserved", message("This name is reserved."))
    return name


# --- Invisible characters

_ZERO_WIDTH_JOINER: Final = "\u200d"
_ZERO_WIDTH_NON_JOINER: Final = "\u200c"
_VARIATION_SELECTORS: Final = "\ufe0e\ufe0f"
_KEYCAP_BASES: Final = "0123456789#*"
# Printable according to its category, but drawn as nothing.
_BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE0E)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
# The flags of England, Scotland and Wales: a black flag and letters of a second, invisible alphabet.
_FLAG_OF_A_REGION: Final = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f")
# More marks than any language puts on one letter.
_MAX_MARKS: Final = 4
_VIRAMA: Final = 9


def _has_hidden_characters(name: str) -> bool:
    """Return whether a name has characters that are not drawn, or that reorder or cover other text."""
    plain = _FLAG_OF_A_REGION.sub("\U0001f3f4", name)
    if any(not _is_visible(plain, index) for index in range(len(plain))):
        return True
    marks = [unicodedata.category(character) in {"Mn", "Me"} for character in plain]
    longest = max((len(list(run)) for is_mark, run in groupby(marks) if is_mark), default=0)
    return longest > _MAX_MARKS or (plain[:1] != "" and unicodedata.category(plain[0]).startswith("M"))


def _is_visible(name: str, index: int) -> bool:
    """Return whether a character is drawn, or has an effect that its script or an emoji needs."""
    character = name[index]
    if character in {_ZERO_WIDTH_JOINER, _ZERO_WIDTH_NON_JOINER}:
        return _is_needed_joiner(name, index)
    if character in _VARIATION_SELECTORS:
        return index > 0 and (_is_pictograph(name[index - 1]) or name[index - 1] in _KEYCAP_BASES)
    return character.isprintable() and character not in _BLANK


def _is_needed_joiner(name: str, index: int) -> bool:
    """Return whether a joiner stands in an emoji, after a virama, or between Arabic letters (RFC 5892)."""
    before, after = name[:index].rstrip(_VARIATION_SELECTORS), name[index + 1 : index + 2]
    if not before or not after:
        return False
    if name[index] == _ZERO_WIDTH_JOINER and _is_pictograph(before[-1]) and _is_pictograph(after):
        return True
    if unicodedata.combining(before[-1]) == _VIRAMA:
        return True
    return name[index] == _ZERO_WIDTH_NON_JOINER and all(
        unicodedata.name(each, "").startswith("ARABIC LETTER") for each in (before[-1], after)
    )


def _is_pictograph(character: str) -> bool:
    """Return whether a character can be part of an emoji."""
    return unicodedata.category(character) == "So" or character in "\u2194\u2195\u27a1" or _is_tone(character)


def _is_tone(character: str) -> bool:
    return "\U0001f3fb" <= character <= "\U0001f3ff"


# --- Imitation

# Display names that could be mistaken for the service. Other reserved usernames are harmless here, like Bot.
_SERVICE: Final = (
    "ai caretaker clock haggis official operator root security server service staff support system".split()
)
# Staff titles are refused as a word of a longer name too.
_TITLES: Final = ("admin", "administrator", "mod", "moderator", "sysadmin", "webmaster")
# Words that stand for the service together with others, as in "Haggis Support", and those that go with them.
_OFFICIAL: Final = "haggis official security server service staff support system".split()
_COMPANIONS: Final = "account accounts bot bots crew desk game games help of team the".split()
# Letters of other scripts that are drawn like Latin ones, after Unicode's list of confusable characters
# (https://www.unicode.org/reports/tr39/). Compatibility forms (fullwidth, mathematical) are decomposed first.
_CONFUSABLE: Final = str.maketrans(
    {
        look_alike: letter
        for letter, look_alikes in {
            "a": "АаΑαɑᴀ",
            "b": "ВвΒʙЬьƄƅ",
            "c": "СсϹϲᴄ",
            "d": "ԁđĐɗᴅ",
            "e": "ЕеΕεҽ℮ᴇє",
            "f": "ƒϝꜰ",
            "g": "ɡԌɢ",
            "h": "НнΗһʜ",
            "j": "ЈјϳᴊЈ",
            "k": "КкΚκĸᴋ",
            "l": "ІіΙιıӀӏɪ|ǀ∣łŁʟ",
            "m": "МмΜᴍ",
            "n": "ΝηɴոПп",
            "o": "ОоΟοσօᴏøØ",
            "p": "РрΡρᴘ",
            "q": "Ԛԛ",
            "r": "ʀᴦгɾ",
            "s": "ЅѕՏꜱ",
            "t": "ТтΤτᴛ",
            "u": "υսՍᴜ",
            "v": "Ѵѵνᴠ",
            "w": "Ԝԝωᴡ",
            "x": "ХхΧχ×",
            "y": "УуΥγүҮʏ",
            "z": "Ζᴢƶ",
        }.items()
        for look_alike in look_alikes
    }
    # White letters in black circles and squares, which have no decomposition, unlike those with an outline.
    | {
        chr(first + number): letter
        for first in (0x1F150, 0x1F170)
        for number, letter in enumerate(string.ascii_lowercase)
    }
)
# Digits and signs that people write for letters. Only staff titles are compared in this way.
_LEET: Final = str.maketrans("345789@$€!", "eastbgasel")


def skeleton_of(text: str) -> str:
    """Return what a name looks like: confusable letters as one, without marks, spaces and signs.

    The result is comparable with `username_skeleton`.

    >>> skeleton_of("Неаther_") == skeleton_of("heather")
    True
    """
    letters = _fold(text)
    return username_skeleton("".join(each for each in letters if each.isalnum()))


def _fold(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(each for each in decomposed if not unicodedata.category(each).startswith("M"))
    return bare.translate(_CONFUSABLE).casefold()


_RESERVED_SKELETONS: Final = frozenset(map(username_skeleton, (*_SERVICE, *_TITLES)))


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(username_skeleton, words))


_TITLE: Final = f"(?:{_any_of(_TITLES)})s?"
_COMPANION: Final = f"(?:{_any_of(_COMPANIONS)})"
# A whole name of such words, and one word with a title, like "adminbot".
_OFFICIAL_NAME: Final = re.compile(
    f"{_COMPANION}*(?:{_any_of(_OFFICIAL)}|{_TITLE})(?:{_any_of(_OFFICIAL)}|{_TITLE}|{_COMPANION})*"
)
_TITLE_WORD: Final = re.compile(
    f"(?:{_any_of(_OFFICIAL)}|{_COMPANION})*{_TITLE}(?:{_any_of(_OFFICIAL)}|{_TITLE}|{_COMPANION})*"
)
# The beginning of names that the service gives: guest-abc, deleted-abc, ai:hard.
_GIVEN: Final = re.compile(r"\W*(?:(\w+?)\s*[-\u2010-\u2015\u2212_]|(\w+)\s*[:\u2236\ua789])\s*\w")
_DASHED: Final = frozenset(map(username_skeleton, ("guest", "deleted")))


def _is_reserved(name: str) -> bool:
    """Return whether a name is that of the service, or contains a title of its staff."""
    for text in (_fold(name), _fold(name).translate(_LEET)):
        words = [username_skeleton(word) for word in re.split(r"[\W_]+", text)]
        joined = "".join(words)
        if joined in _RESERVED_SKELETONS or _OFFICIAL_NAME.fullmatch(joined) or _looks_given(text):
            return True
        if any(_TITLE_WORD.fullmatch(word) for word in words):
            return True
    return False


def _looks_given(text: str) -> bool:
    """Return whether a name begins like those of guests, deleted accounts and AIs."""
    given = _GIVEN.match(text)
    if given is None:
        return False
    dashed, before_colon = (username_skeleton(word or "") for word in given.groups())
    return dashed in _DASHED or before_colon == username_skeleton("ai")
