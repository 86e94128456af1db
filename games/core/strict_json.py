"""Parse JSON of clients strictly, within bounds that are checked before it is parsed."""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from games.core.errors import Problem
from games.core.languages import Text, message

MAX_DEPTH: Final = 32
# A record of 4 MB has fewer.
MAX_VALUES: Final = 1_000_000

# Every value but the first follows one of these.
_BEFORE_VALUES: Final = (b"[", b"{", b",", b":")
# A string that is not closed ends with the text, so that no search is repeated.
_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
_SQUARE: Final = bytes.maketrans(b"{}", b"[]")
_NOT_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_UNSAFE_ESCAPE: Final = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


def parse_json(content: bytes) -> Any:  # noqa: ANN401 -- JSON
    """Parse JSON strictly.

    >>> parse_json(b'{"cards": ["7r", 1]}')
    {'cards': ['7r', 1]}
    >>> parse_json(b'{"a": 1e999}')
    Traceback (most recent call last):
    games.core.errors.Problem: A number is too large.
    """
    check_values(content)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        _refuse(message("The body is not UTF-8."))
    _check_depth(content)
    try:
        value = _STRICT.decode(text)
    except ValueError as error:
        _refuse(message("The body is not JSON: {reason}.", reason=_reason(error)))
    if _UNSAFE_ESCAPE.search(text):
        _reject_unsafe_strings(value)
    return value


def _refuse(detail: Text) -> NoReturn:
    raise Problem("malformed_json", detail)


def _reason(error: ValueError) -> str:
    """Return the message of the parser without any of the input."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at line {error.lineno}, column {error.colno}"
    return "a number is too long"


def check_values(content: bytes) -> None:
    """Reject JSON with more values than any legitimate body has, at the cost of four searches.

    Characters in strings count, too, so that strings need not be found.
    """
    if sum(map(content.count, _BEFORE_VALUES)) > MAX_VALUES:
        _refuse(message("The body has more than {most} values.", most=MAX_VALUES))


def _check_depth(content: bytes) -> None:
    """Reject JSON that is nested too deeply, before parsing it.

    Nothing here loops in Python over the body: strings are removed, then everything but brackets, and then
    the innermost pairs, once for each level that is allowed.
    """
    if content.count(b"[") + content.count(b"{") <= MAX_DEPTH:
        return
    brackets = _STRING.sub(b"", content).translate(_SQUARE, _NOT_BRACKETS)
    for _ in range(MAX_DEPTH):
        brackets = brackets.replace(b"[]", b"")
    if brackets:
        _refuse(
            message(
                "The body is nested more than {most} levels deep, or its brackets do not match.",
                most=MAX_DEPTH,
            )
        )


def _reject_constant(name: str) -> NoReturn:
    _refuse(message("{name} is not a JSON number.", name=name))


def _parse_finite_float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        _refuse(message("A number is too large."))
    return number


def _unique_members(members: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(members)
    if len(result) != len(members):
        _refuse(message("An object has two members with the same name."))
    return result


# Shared, because `json.loads` with hooks would create a decoder for each body.
_STRICT: Final = json.JSONDecoder(
    parse_constant=_reject_constant, parse_float=_parse_finite_float, object_pairs_hook=_unique_members
)


def _reject_unsafe_strings(value: object) -> None:
    for text in _strings(value):
        if "\0" in text:
            _refuse(message("A string contains a NUL character."))
        if any("\ud800" <= character <= "\udfff" for character in text):
            _refuse(message("A string contains an unpaired surrogate."))


def _strings(value: object) -> Iterator[str]:
    """Yield every string and every member name in a value."""
    pending = [value]
    while pending:
        match pending.pop():
            case str() as text:
                yield text
            case list() as items:
                pending += items
            case dict() as members:
                pending += [*members.keys(), *members.values()]
            case _:
                pass
