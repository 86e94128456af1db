"""Content negotiation, strict JSON parsing and compact JSON rendering."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import IO, Any, Final, NoReturn

from django.http.request import MediaType
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from games.core import compact_json
from games.core.errors import Problem

_ANYTHING: Final = "*/*"
_MAX_HEADER_LENGTH: Final = 8192
# Clients send a handful of headers all day long.
_CACHE_SIZE: Final = 256
_UTF_8: Final = frozenset({"utf-8", "utf8"})


class QualityNegotiation(BaseContentNegotiation):
    """The form that the client likes best, by the weights of `Accept`; a weight of 0 refuses a form."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """The parser of the body's type. What is not UTF-8 is read by none."""
        media_type = _type_in_utf_8(request.content_type or "")
        return next((parser for parser in parsers if parser.media_type == media_type), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The best liked renderer, among equals our first one."""
        known = {each.media_type: each for each in renderers}
        best = _best_match(request.META.get("HTTP_ACCEPT", "")[:_MAX_HEADER_LENGTH], tuple(known))
        if best is None:
            raise NotAcceptable
        return known[best], best


@lru_cache(_CACHE_SIZE)
def _type_in_utf_8(header: str) -> str | None:
    """The type that a body says it is of; None where nobody could read it."""
    if len(header) > _MAX_HEADER_LENGTH:
        return None
    body = MediaType(header)
    if body.params.get("charset", "utf-8").lower() not in _UTF_8:
        return None
    return f"{body.main_type}/{body.sub_type}"


@lru_cache(_CACHE_SIZE)
def _best_match(header: str, media_types: tuple[str, ...]) -> str | None:
    """The type that is liked best; None where none is."""
    accepted = [MediaType(each) for each in (header.strip() or _ANYTHING).split(",")]
    best = max(media_types, key=lambda each: _weight(accepted, each))
    return best if _weight(accepted, best) else None


def _weight(accepted: Iterable[MediaType], media_type: str) -> float:
    """How much a type is liked: the weight of the most specific range that covers it, 0 without any."""
    covering = [each for each in accepted if _covers(each, media_type)]
    return max(covering, key=lambda each: each.specificity).quality if covering else 0


def _covers(accepted: MediaType, media_type: str) -> bool:
    """Whether a range covers a type; parameters make no other type of it."""
    main, _, sub = media_type.partition("/")
    return accepted.main_type in {main, "*"} and accepted.sub_type in {sub, "*"}


MAX_BODY: Final = 64 * 1024
MAX_DEPTH: Final = 32

_BRACKET_OR_STRING: Final = re.compile(r'["\[\]{}]')
_REST_OF_STRING: Final = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_SUSPECT_ESCAPE: Final = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


class StrictJSONParser(BaseParser):
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
        return parse_json(_read(stream, getattr(view, "largest_body", MAX_BODY)))


def _read(stream: IO[Any], largest: int) -> bytes:
    announced = getattr(stream, "META", {}).get("CONTENT_LENGTH") or 0
    if int(announced) > largest:
        raise Problem("body_too_large", f"At most {largest} bytes are read.")
    content: bytes = stream.read(largest + 1)
    if len(content) > largest:
        raise Problem("body_too_large", f"At most {largest} bytes are read.")
    return content


def parse_json(content: bytes) -> Any:
    """Read JSON strictly.

    >>> read_json(b'{"cards": ["7r", 1]}')
    {'cards': ['7r', 1]}
    >>> read_json(b'{"a": 1e999}')
    Traceback (most recent call last):
    games.core.errors.Problem: A number is too large.
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
        _reject_unsafe_strings(value)
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
    if text.count("[") + text.count("{") <= MAX_DEPTH:
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
                if depth > MAX_DEPTH:
                    _refuse(f"The body is nested deeper than {MAX_DEPTH}.")
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


def _reject_unsafe_strings(value: object) -> None:
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


class CompactJSONRenderer(JSONRenderer):
    """The framework's renderer without its indents, for which nobody can ask here."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Write an answer; nothing where there is none."""
        return b"" if data is None else compact_json.dump_json(data)
