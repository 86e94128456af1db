"""Wire formats of streams: frames, cursors and stream requests."""

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
from games.realtime.queries import Cursor

SERVER_SENT: Final = "text/event-stream"
LINES: Final = "application/x-ndjson"

TABLE: Final = "table"
ENTRY: Final = "entry"
START: Final = "start"

_KEEP_ALIVE: Final = {SERVER_SENT: b":\n\n", LINES: b'{"event":"ping","id":null,"data":null}\n'}


class _StreamRenderer(BaseRenderer):
    """A form to be asked for. What is sent in it is written by `frame`, not by a renderer."""

    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Write nothing."""
        return b""


class ServerSentEventsRenderer(_StreamRenderer):
    """As browsers read it."""

    media_type = SERVER_SENT
    format = "sse"


class NdjsonRenderer(_StreamRenderer):
    """As programs read it."""

    media_type = LINES
    format = "ndjson"


def dump_line(data: object) -> str:
    """JSON on one line."""
    return json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))


def frame(form: str, event: str, number: int | str, data: str) -> bytes:
    r"""One event with its id; `data` is JSON already.

    >>> frame(SERVER_SENT, "entry", 43, '{"version":43}')
    b'event: entry\nid: 43\ndata: {"version":43}\n\n'
    >>> frame(LINES, "entry", 43, '{"version":43}')
    b'{"event":"entry","id":43,"data":{"version":43}}\n'
    """
    if form == SERVER_SENT:
        return f"event: {event}\nid: {number}\ndata: {data}\n\n".encode()
    return f'{{"event":"{event}","id":{json.dumps(number)},"data":{data}}}\n'.encode()


def keep_alive_frame(form: str) -> bytes:
    """What says that nothing has happened, and that the stream is still there."""
    return _KEEP_ALIVE[form]


_LONGEST: Final = 4000
_LARGEST: Final = 2**63 - 1
_SNAPSHOT_PATTERNS: Final = {
    "postgresql": re.compile(
        r"[1-9][0-9]{0,18}:[1-9][0-9]{0,18}:(?:[0-9]{1,19}(?:,[0-9]{1,19})*)?", re.ASCII
    ),
    "sqlite": re.compile(r"[0-9]{1,18}", re.ASCII),
}


def format_cursor(place: Cursor) -> str:
    """Write a place.

    >>> at = datetime(2026, 2, 3, tzinfo=UTC)
    >>> cursor_of(Place("17", at))
    'WyIxNyIsMTc3MDA3NjgwMF0'
    """
    parts: list[Any] = [place.seen, int(place.at.timestamp())]
    if place.then:
        parts += [place.then, int((place.then_at or place.at).timestamp()), place.row]
    plain = json.dumps(parts, separators=(",", ":"))
    return base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")


def requested_cursor(request: Request) -> Cursor | None:
    """The place after which a client wants to go on: `Last-Event-ID`, else `?after=` or `?cursor=`."""
    header = request.META.get("HTTP_LAST_EVENT_ID")
    if header:
        return _read(header, "Last-Event-ID")
    for name in ("after", "cursor"):
        if name in request.GET:
            return _read(request.GET[name], name)
    return None


def _read(text: str, name: str) -> Cursor:
    """Read what `cursor_of` wrote, and nothing that the database could stumble over."""
    try:
        padded = text[:_LONGEST] + "=" * (-len(text) % 4)
        parts = json.loads(base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True))
        return _place(*parts)
    except (ValueError, TypeError, RecursionError, OverflowError, OSError, binascii.Error) as error:
        raise invalid_parameter(name, f"{name} is what an earlier answer gave, unchanged.") from error


def _place(seen: object, at: object, then: object = "", then_at: object = 0, row: object = 0) -> Cursor:
    return Cursor(
        _moment(seen),
        _time(at),
        _moment(then) if then else "",
        _time(then_at) if then else None,
        _number(row),
    )


def _moment(value: object) -> str:
    if not isinstance(value, str) or not _SNAPSHOT_PATTERNS[connection.vendor].fullmatch(value):
        raise ValueError("moment")
    numbers = [int(each) for each in re.split("[:,]", value) if each]
    if max(numbers) > _LARGEST or (len(numbers) > 1 and not _is_snapshot(numbers)):
        raise ValueError("moment")
    return value


def _is_snapshot(numbers: list[int]) -> bool:
    """Whether PostgreSQL would take it for one: its transactions in order, between its two ends."""
    first, end, *running = numbers
    in_order = all(earlier < later for earlier, later in pairwise(running))
    return first <= end and in_order and all(first <= each < end for each in running)


def _time(value: object) -> datetime:
    return datetime.fromtimestamp(_number(value), UTC)


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _LARGEST:
        raise ValueError("number")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamReader:
    """Who reads a stream: it is closed when this token, or the right to see what it is of, is lost."""

    player_id: int | None
    token: str | None
    form: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStreamRequest:
    """The log of one match after a version, the match being at `version` by now.

    `over` says that there will be nothing more.
    """

    reader: StreamReader
    match_id: str
    version: int
    after: int
    over: bool
    first: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStreamRequest:
    """What happens at all tables of a player after a place."""

    reader: StreamReader
    player_id: int
    place: Cursor
    first: bytes = b""


StreamRequest = MatchStreamRequest | PlayerStreamRequest


def stream_reader(request: Any) -> StreamReader:
    """Who asks for the stream, and in which form."""
    player = current_player(request)
    token = request.auth.token.digest if isinstance(request.auth, Credentials) else None
    return StreamReader(
        player_id=None if player is None else player.pk, token=token, form=request.accepted_media_type
    )


def stream_response(opening: StreamRequest) -> HttpResponse:
    """The answer whose body the server will write, as it happens. Nothing between may hold it back."""
    response = HttpResponse(
        content_type=opening.reader.form,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
    response.opening = opening  # type: ignore[attr-defined]  # read by games.realtime.asgi
    return response
