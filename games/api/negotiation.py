"""What a body is written in, and what an answer may be written in, as the headers say it."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from django.http.request import MediaType
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

_ANYTHING: Final = "*/*"
_LONGEST_HEADER: Final = 8192
# Clients send a handful of headers all day long.
_HEADERS_KEPT: Final = 256
_UTF_8: Final = frozenset({"utf-8", "utf8"})


class ByQuality(BaseContentNegotiation):
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
        best = _best_liked(request.META.get("HTTP_ACCEPT", "")[:_LONGEST_HEADER], tuple(known))
        if best is None:
            raise NotAcceptable
        return known[best], best


@lru_cache(_HEADERS_KEPT)
def _type_in_utf_8(header: str) -> str | None:
    """The type that a body says it is of; None where nobody could read it."""
    if len(header) > _LONGEST_HEADER:
        return None
    body = MediaType(header)
    if body.params.get("charset", "utf-8").lower() not in _UTF_8:
        return None
    return f"{body.main_type}/{body.sub_type}"


@lru_cache(_HEADERS_KEPT)
def _best_liked(header: str, media_types: tuple[str, ...]) -> str | None:
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
