"""Content negotiation, the parser of request bodies, and compact JSON rendering."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import IO, Any, Final

from django.http.request import MediaType
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from games.core import compact_json
from games.core.errors import Problem
from games.core.languages import message
from games.core.strict_json import parse_json

_ANYTHING: Final = "*/*"
_MAX_HEADER_LENGTH: Final = 8192
# Clients send the same few headers with every request.
_CACHE_SIZE: Final = 256
_UTF_8: Final = frozenset({"utf-8", "utf8"})


class QualityNegotiation(BaseContentNegotiation):
    """Choose the media type by the quality values of `Accept`; a value of 0 excludes a type."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """Return the parser for the content type, or None if it is unknown or not UTF-8."""
        media_type = _utf_8_media_type(request.content_type or "")
        return next((parser for parser in parsers if parser.media_type == media_type), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer with the highest quality value, the first one if several tie."""
        known = {each.media_type: each for each in renderers}
        best = _best_match(request.META.get("HTTP_ACCEPT", "")[:_MAX_HEADER_LENGTH], tuple(known))
        if best is None:
            raise NotAcceptable
        return known[best], best


@lru_cache(_CACHE_SIZE)
def _utf_8_media_type(header: str) -> str | None:
    """Return the media type of a `Content-Type` header, or None if its charset is not UTF-8."""
    if len(header) > _MAX_HEADER_LENGTH:
        return None
    body = MediaType(header)
    if body.params.get("charset", "utf-8").lower() not in _UTF_8:
        return None
    return f"{body.main_type}/{body.sub_type}"


@lru_cache(_CACHE_SIZE)
def _best_match(header: str, media_types: tuple[str, ...]) -> str | None:
    """Return the media type with the highest quality value, or None if none is acceptable."""
    accepted = [MediaType(each) for each in (header.strip() or _ANYTHING).split(",")]
    best = max(media_types, key=lambda each: _weight(accepted, each))
    return best if _weight(accepted, best) else None


def _weight(accepted: Iterable[MediaType], media_type: str) -> float:
    """Return the quality value of the most specific range that covers a type, or 0 if none does."""
    covering = [each for each in accepted if _covers(each, media_type)]
    return max(covering, key=lambda each: each.specificity).quality if covering else 0


def _covers(accepted: MediaType, media_type: str) -> bool:
    """Return whether a media range covers a type, ignoring parameters."""
    main, _, sub = media_type.partition("/")
    return accepted.main_type in {main, "*"} and accepted.sub_type in {sub, "*"}


MAX_BODY: Final = 64 * 1024


class StrictJSONParser(BaseParser):
    """Parse JSON strictly; a view can raise the size limit with `largest_body`."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Parse the body of a request."""
        view = (parser_context or {}).get("view")
        return parse_json(read_body(stream, getattr(view, "largest_body", MAX_BODY)))


def read_body(stream: IO[Any], largest: int) -> bytes:
    """Read the body of a request; raise `body_too_large` if it is longer than `largest`."""
    declared = getattr(stream, "META", {}).get("CONTENT_LENGTH") or 0
    if int(declared) > largest:
        raise Problem(
            "body_too_large", message("The body may have at most {largest} bytes.", largest=largest)
        )
    content: bytes = stream.read(largest + 1)
    if len(content) > largest:
        raise Problem(
            "body_too_large", message("The body may have at most {largest} bytes.", largest=largest)
        )
    return content


class CompactJSONRenderer(JSONRenderer):
    """Render JSON without indentation."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Render the data, or an empty body for None."""
        return b"" if data is None else compact_json.dump_json(data)
