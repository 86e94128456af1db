"""Bodies: JSON and nothing else, bounded before it is built, and without what would trip up a reader behind.

What a JSON parser usually lets through is refused here: NaN, numbers without end, a member twice, half a
surrogate pair, NUL, nesting that only serves to exhaust the stack.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import IO, Any, Final, NoReturn

from rest_framework.parsers import BaseParser

from games.errors import Problem

LARGEST_BODY: Final = 64 * 1024
DEEPEST: Final = 32

_BRACKET_OR_STRING: Final = re.compile(r'["\[\]{}]')
_REST_OF_STRING: Final = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_SUSPECT_ESCAPE: Final = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


class StrictJSON(BaseParser):
    """The parser of every view. A view may allow more with `largest_body`."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Read the body of a request."""
        view = (parser_context or {}).get("view")
        return read_json(_read(stream, getattr(view, "largest_body", LARGEST_BODY)))


def _read(stream: IO[Any], largest: int) -> bytes:
    announced = getattr(stream, "META", {}).get("CONTENT_LENGTH") or 0
    if int(announced) > largest:
        raise Problem("body_too_large", f"At most {largest} bytes are read.")
    content: bytes = stream.read(largest + 1)
    if len(content) > largest:
        raise Problem("body_too_large", f"At most {largest} bytes are read.")
    return content


def read_json(content: bytes) -> Any:
    """Read JSON strictly.

    >>> read_json(b'{"cards": ["7r", 1]}')
    {'cards': ['7r', 1]}
    >>> read_json(b'{"a": 1e999}')
    Traceback (most recent call last):
    games.errors.Problem: A number is too large.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        _refuse("The body is not UTF-8.")
    _refuse_deep(text)
    try:
        value = _STRICT.decode(text)
    except ValueError as error:
        _refuse(f"The body is not JSON: {_reason(error)}.")
    if _SUSPECT_ESCAPE.search(text):
        _refuse_unwritable(value)
    return value


def _refuse(detail: str) -> NoReturn:
    raise Problem("malformed_json", detail)


def _reason(error: ValueError) -> str:
    """What the parser found, without what it read."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at line {error.lineno}, column {error.colno}"
    return "a number is too long"


def _refuse_deep(text: str) -> None:
    """Count the nesting without building anything, and without recursion."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    depth, position = 0, 0
    while found := _BRACKET_OR_STRING.search(text, position):
        position = found.end()
        match found[0]:
            case '"':
                string = _REST_OF_STRING.match(text, position)
                if string is None:
                    _refuse("The body is not JSON: a string does not end.")
                position = string.end()
            case "[" | "{":
                depth += 1
                if depth > DEEPEST:
                    _refuse(f"The body is nested deeper than {DEEPEST}.")
            case _:
                depth -= 1


def _no_number(name: str) -> NoReturn:
    _refuse(f"{name} is no number of JSON.")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        _refuse("A number is too large.")
    return number


def _without_repeats(members: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(members)
    if len(made) != len(members):
        _refuse("An object has two members of one name.")
    return made


# Made once: `json.loads` would make one for each body.
_STRICT: Final = json.JSONDecoder(
    parse_constant=_no_number, parse_float=_finite, object_pairs_hook=_without_repeats
)


def _refuse_unwritable(value: object) -> None:
    for text in _strings(value):
        if "\0" in text:
            _refuse("A string holds NUL.")
        if any("\ud800" <= character <= "\udfff" for character in text):
            _refuse("A string holds half a surrogate pair.")


def _strings(value: object) -> Iterator[str]:
    """Every string and every name in a value, one after another."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case list() as items:
                waiting += items
            case dict() as members:
                waiting += [*members.keys(), *members.values()]
            case _:
                pass
