r"""The words of the text notation: seats as letters, texts in quotes, numbers in digits.

>>> seat_letter(2), quoted("né\u00a0e")
('C', '"né\\u00a0e"')
"""

import json
import re
from typing import Final

from engine.errors import Malformed

QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_NUMBER: Final = re.compile("-?[0-9]{1,9}")
_LETTERS: Final = "ABC"


def seat_letter(seat: int) -> str:
    """The letter of a seat."""
    return _LETTERS[seat]


def read_seat(letter: str) -> int:
    """The seat of a letter."""
    if letter not in set(_LETTERS):
        raise unreadable("A seat is A, B or C.")
    return _LETTERS.index(letter)


def quoted(text: str) -> str:
    """A text on one line, whatever it holds: as JSON writes it, but only what cannot be seen is escaped."""
    shown = (each if _shows(each) else json.dumps(each)[1:-1] for each in text)
    return f'"{"".join(shown)}"'


def _shows(character: str) -> bool:
    return character.isprintable() and character not in '"\\'


def read_quoted(text: str) -> str:
    """The text that was put into quotes."""
    try:
        if text.startswith('"'):
            return str(json.loads(text))
    except ValueError:
        pass
    raise unreadable("A text stands in quotes, as in JSON.")


def read_number(text: str) -> int:
    """A whole number in digits."""
    if not _NUMBER.fullmatch(text):
        raise unreadable("A number is missing here.")
    return int(text)


def unreadable(detail: str) -> Malformed:
    """A line that is not as the notation has it."""
    return Malformed("unreadable_line", detail)
