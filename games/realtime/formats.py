"""Stream formats: media types, frames, cursors and stream requests."""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.http import HttpResponse
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from games.api.auth import Credentials, current_player
from games.api.pagination import invalid_parameter
from games.core.languages import message
from games.realtime.queries import Cursor

SSE_MEDIA_TYPE: Final = "text/event-stream"
NDJSON_MEDIA_TYPE: Final = "application/x-ndjson"

TABLE_EVENT: Final = "table"
ENTRY_EVENT: Final = "entry"
START_EVENT: Final = "start"
NOTICE_EVENT: Final = "notice"

_HEARTBEAT_FRAMES: Final = {
    SSE_MEDIA_TYPE: b":\n\n",
    NDJSON_MEDIA_TYPE: b'{"event":"ping","id":null,"data":null}\n',
}


class _StreamRenderer(BaseRenderer):
    """A media type for content negotiation. The events are written by `frame`, not by a renderer."""

    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return an empty body."""
        return b""


class ServerSentEventsRenderer(_StreamRenderer):
    """Server-sent events, for browsers."""

    media_type = SSE_MEDIA_TYPE
    format = "sse"


class NdjsonRenderer(_StreamRenderer):
    """Newline-delimited JSON, for programs."""

    media_type = NDJSON_MEDIA_TYPE
    format = "ndjson"


def dump_line(data: object) -> str:
    """Serialize to JSON on one line."""
    return json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))


def frame(media_type: str, event: str, number: int | str, data: str) -> bytes:
    r"""Return the bytes of one event; `data` is already JSON.

    >>> frame(SSE_MEDIA_TYPE, "entry", 43, '{"version":43}')
    b'event: entry\nid: 43\ndata: {"version":43}\n\n'
    >>> frame(NDJSON_MEDIA_TYPE, "entry", 43, '{"version":43}')
    b'{"event":"entry","id":43,"data":{"version":43}}\n'
    """
    if media_type == SSE_MEDIA_TYPE:
        return f"event: {event}\nid: {number}\ndata: {data}\n\n".encode()
    return f'{{"event":"{event}","id":{json.dumps(number)},"data":{data}}}\n'.encode()


def heartbeat_frame(media_type: str) -> bytes:
    """Return the frame that keeps an idle stream open."""
    return _HEARTBEAT_FRAMES[media_type]


_MAX_CURSOR_LENGTH: Final = 4000
_MAX_BIGINT: Final = 2**63 - 1
_SNAPSHOT_PATTERNS: Final = {
    "postgresql": re.compile(
        r"[1-9][0-9]{0,18}:[1-9][0-9]{0,18}:(?:[0-9]{1,19}(?:,[0-9]{1,19})*)?", re.ASCII
    ),
    "sqlite": re.compile(r"[0-9]{1,18}", re.ASCII),
}


def format_cursor(cursor: Cursor) -> str:
    """Encode a cursor as an opaque string.

    >>> taken_at = datetime(2026, 2, 3, tzinfo=UTC)
    >>> format_cursor(Cursor("17", taken_at))
    'WyIxNyIsMTc3MDA3NjgwMF0'
    """
    parts: list[Any] = [cursor.snapshot, int(cursor.taken_at.timestamp())]
    if cursor.batch_snapshot:
        parts += [
            cursor.batch_snapshot,
            int((cursor.batch_taken_at or cursor.taken_at).timestamp()),
            cursor.last_row,
        ]
    text = json.dumps(parts, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def requested_cursor(request: Request) -> Cursor | None:
    """Return the cursor from `Last-Event-ID`, `?after=` or `?cursor=`, in this order, or `None`."""
    header = request.META.get("HTTP_LAST_EVENT_ID")
    if header:
        return _parse_cursor(header, "Last-Event-ID")
    for name in ("after", "cursor"):
        if name in request.GET:
            return _parse_cursor(request.GET[name], name)
    return None


def _parse_cursor(text: str, name: str) -> Cursor:
    """Parse a string written by `format_cursor`; reject every value that the database would not accept."""
    try:
        padded = text[:_MAX_CURSOR_LENGTH] + "=" * (-len(text) % 4)
        parts = json.loads(base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True))
        return _build_cursor(*parts)
    except (ValueError, TypeError, RecursionError, OverflowError, OSError, binascii.Error) as error:
        raise invalid_parameter(
            name, message("Pass {name} unchanged, as an earlier response returned it.", name=name)
        ) from error


def _build_cursor(
    snapshot: object,
    taken_at: object,
    batch_snapshot: object = "",
    batch_taken_at: object = 0,
    last_row: object = 0,
) -> Cursor:
    return Cursor(
        _parse_snapshot(snapshot),
        _parse_time(taken_at),
        _parse_snapshot(batch_snapshot) if batch_snapshot else "",
        _parse_time(batch_taken_at) if batch_snapshot else None,
        _parse_number(last_row),
    )


def _parse_snapshot(value: object) -> str:
    if not isinstance(value, str) or not _SNAPSHOT_PATTERNS[connection.vendor].fullmatch(value):
        raise ValueError("snapshot")
    numbers = [int(number) for number in re.split("[:,]", value) if number]
    if max(numbers) > _MAX_BIGINT or (len(numbers) > 1 and not _is_snapshot(numbers)):
        raise ValueError("snapshot")
    return value


def _is_snapshot(numbers: list[int]) -> bool:
    """Return whether PostgreSQL accepts the numbers: running transactions in order, between both ends."""
    first, end, *running = numbers
    in_order = all(earlier < later for earlier, later in pairwise(running))
    return first <= end and in_order and all(first <= number < end for number in running)


def _parse_time(value: object) -> datetime:
    return datetime.fromtimestamp(_parse_number(value), UTC)


def _parse_number(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _MAX_BIGINT:
        raise ValueError("number")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamReader:
    """The reader of a stream, which is closed when the token or the permission to see the match is lost."""

    player_id: int | None
    token: str | None
    media_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStreamRequest:
    """A request to stream the log of one match after the version `after`.

    `version` is the current version of the match, `is_over` says that no entries will follow `after`, and
    `watches` that the reader has no seat.
    """

    reader: StreamReader
    match_id: str
    version: int
    after: int
    is_over: bool
    watches: bool = False
    first_frame: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStreamRequest:
    """A request to stream the events of all matches of a player, and perhaps notices, after a cursor."""

    reader: StreamReader
    player_id: int
    cursor: Cursor
    notices: bool = False
    first_frame: bytes = b""


StreamRequest = MatchStreamRequest | PlayerStreamRequest


def stream_reader(request: Any) -> StreamReader:
    """Return the reader of a stream and the media type to write."""
    player = current_player(request)
    token = request.auth.token.digest if isinstance(request.auth, Credentials) else None
    return StreamReader(
        player_id=None if player is None else player.pk, token=token, media_type=request.accepted_media_type
    )


def stream_response(stream_request: StreamRequest) -> HttpResponse:
    """Return a response without a body, which `games.realtime.asgi` then streams.

    The headers keep proxies from caching or buffering it.
    """
    response = HttpResponse(
        content_type=stream_request.reader.media_type,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
    response.stream_request = stream_request  # type: ignore[attr-defined]  # read by games.realtime.asgi
    return response
