r"""Write and read the words of the text notation: seats as letters, texts in quotes, numbers in digits.

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
    """Return the letter of a seat."""
    return _LETTERS[seat]


def read_seat(letter: str) -> int:
    """Return the seat with this letter."""
    if letter not in set(_LETTERS):
        raise unreadable("A seat must be A, B or C.")
    return _LETTERS.index(letter)


def quoted(text: str) -> str:
    """Quote a text on one line like JSON, escaping only quotes, backslashes and unprintable characters."""
    shown = (each if _is_plain(each) else json.dumps(each)[1:-1] for each in text)
    return f'"{"".join(shown)}"'


def _is_plain(character: str) -> bool:
    return character.isprintable() and character not in '"\\'


def read_quoted(text: str) -> str:
    """Return the text inside the quotes."""
    try:
        if text.startswith('"'):
            return str(json.loads(text))
    except ValueError:
        pass
    raise unreadable("A text must be in quotes, as in JSON.")


def read_number(text: str) -> int:
    """Return a whole number given in digits."""
    if not _NUMBER.fullmatch(text):
        raise unreadable("A number is missing here.")
    return int(text)


def unreadable(detail: str) -> Malformed:
    """Return the error for a line that does not follow the notation."""
    return Malformed("unreadable_line", detail)
