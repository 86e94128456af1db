"""Endpoints for event streams."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, TypedDict, assert_never

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts.services.credentials import redeem_ticket
from games.api.auth import (
    ANYONE,
    AccessRule,
    BearerTokenAuthentication,
    Credentials,
    current_player,
    require_player,
)
from games.api.content import CompactJSONRenderer
from games.api.long_polling import WaitCondition, acquire_slot, long_poll_of, wait_for_change, wait_seconds
from games.api.pagination import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    PageBody,
    boolean_parameter,
    build_url,
    integer_parameter,
    page_limit,
    parse_integer,
    text_parameter,
)
from games.api.schema.fields import ResponseSerializer, list_field
from games.api.schema.log import LogEntrySerializer
from games.api.schema.operations import (
    EVENTS,
    MAX_VERSION,
    NO_CONTENT,
    OK,
    WAIT,
    Operation,
    Parameter,
    SchemaObject,
)
from games.api.serializers import IntegerField, StrictBooleanField, StringField
from games.api.views import ApiView
from games.core.errors import Problem
from games.core.languages import message
from games.identity.models import Player
from games.lobby.api import READ
from games.matches.models.match import MatchStatus
from games.matches.queries import render_table
from games.matches.store import MatchRow, read_match
from games.notices.queries import NoticeDocument
from games.notices.serializers import notice_union
from games.realtime.formats import (
    ENTRY_EVENT,
    NDJSON_MEDIA_TYPE,
    NOTICE_EVENT,
    SSE_MEDIA_TYPE,
    START_EVENT,
    TABLE_EVENT,
    MatchStreamRequest,
    NdjsonRenderer,
    PlayerStreamRequest,
    ServerSentEventsRenderer,
    dump_line,
    format_cursor,
    frame,
    requested_cursor,
    stream_reader,
    stream_response,
)
from games.realtime.queries import (
    Batch,
    Cursor,
    EventDocument,
    NoticeEvent,
    PersonalEvent,
    PlayerEvent,
    current_cursor,
    events_after,
)


class TokenOrTicketAuthentication(BearerTokenAuthentication):
    """Accept a bearer token or, for streams only, a single-use ticket."""

    def authenticate(self, request: Request) -> tuple[Player, Credentials] | None:
        """Return the player and the token; a ticket stands for the token that issued it."""
        ticket = text_parameter(request, "ticket")
        authenticated = super().authenticate(request)
        if (
            authenticated is not None
            or ticket is None
            or request.accepted_media_type not in {SSE_MEDIA_TYPE, NDJSON_MEDIA_TYPE}
        ):
            return authenticated
        token = redeem_ticket(secret=ticket) if ticket.isascii() else None
        if token is None:
            raise Problem("not_authenticated", message("The ticket is unknown, used or expired."))
        return token.player, Credentials(token)


class PlayerEventSerializer(ResponseSerializer):
    """A log entry of a match in which you have a seat, taken or offered; with `notices` also a notice.

    It has either `notice`, or all of `match`, `my_seat`, `my_turn` and `entry`.
    """

    cursor = StringField(help_text="The cursor right after this event.")
    match = StringField(required=False, help_text="The ID of the match.")
    my_seat = IntegerField(
        min_value=0,
        max_value=2,
        required=False,
        help_text="The seat that you have taken or that is offered to you.",
    )
    my_turn = StrictBooleanField(required=False, help_text="Whether it is your turn after this entry.")
    entry = LogEntrySerializer(required=False)
    notice = notice_union(required=False)


class PlayerEventsSerializer(ResponseSerializer):
    """The events of your matches, in the order in which they were written."""

    next = StringField(allow_null=True, help_text="The URL of the next page, if there are more events now.")
    previous = StringField(allow_null=True, help_text="Always null: events are only read forwards.")
    cursor = StringField(help_text="Pass it as `after` to continue from here.")
    missed = StrictBooleanField(
        help_text="Whether you missed more events than are replayed. If so, reload your matches and continue "
        "from `cursor`."
    )
    results = list_field(PlayerEventSerializer())


_JSON_MEDIA_TYPE: Final = "application/json"
_VERSION: Final[SchemaObject] = {"type": "integer", "minimum": 0, "maximum": MAX_VERSION}
_CURSOR: Final[SchemaObject] = {"type": "string", "maxLength": 4000}
_TICKET: Final = Parameter(
    name="ticket",
    schema={"type": "string", "maxLength": 500},
    description="A single-use ticket instead of a token, for browsers. It opens one stream.",
)


def _recorded_entry(recorded: Mapping[str, Any]) -> Any:
    return recorded["listLog"]["answers"]["200"]["results"][0]


def _sse_example(recorded: Mapping[str, Any]) -> dict[str, str]:
    """Return a recorded log entry as an event of a stream."""
    entry = _recorded_entry(recorded)
    return {"event": ENTRY_EVENT, "id": str(entry["version"]), "data": dump_line(entry)}


def _ndjson_example(recorded: Mapping[str, Any]) -> str:
    """Return a recorded log entry as a line."""
    entry = _recorded_entry(recorded)
    return frame(NDJSON_MEDIA_TYPE, ENTRY_EVENT, entry["version"], dump_line(entry)).decode()


_STREAM_EXAMPLES: Final = {SSE_MEDIA_TYPE: _sse_example, NDJSON_MEDIA_TYPE: _ndjson_example}
_STREAM_SCHEMAS: Final[dict[str, SchemaObject]] = {
    SSE_MEDIA_TYPE: {
        "type": "object",
        "description": "One event of the stream.",
        "required": ["data"],
        "properties": {
            "event": {"type": "string", "description": "The type of the event."},
            "id": {"type": "string", "description": "Where to continue after a disconnect."},
            "data": {"type": "string", "description": "The event as JSON."},
        },
    },
    NDJSON_MEDIA_TYPE: {
        "type": "string",
        "description": "The same events, one JSON object per line; `ping` is the keep-alive.",
    },
}

WATCH_MATCH: Final = Operation(
    id="watchMatch",
    summary="Stream a match",
    description=(
        "Starts with a `table` event, the match as you may see it, followed by an `entry` event for each "
        "log entry, with its version as the ID. If you pass a version, only the entries after it are sent; "
        "if you missed more than 1,000, the stream starts with a `table` event again. At least every 15 "
        "seconds something is sent. The stream ends after the last entry of the match; a browser that "
        "reconnects then gets 204."
    ),
    tag=EVENTS,
    parameters=(
        Parameter(name="after", schema=_VERSION, description="The version to continue after."),
        Parameter(
            name="Last-Event-ID",
            schema=_VERSION,
            description="The same, sent by browsers when they reconnect. Takes precedence over `after`.",
            place="header",
        ),
        _TICKET,
    ),
    answers={OK: None, NO_CONTENT: None},
    other_media_types=_STREAM_SCHEMAS,
    media_examples=_STREAM_EXAMPLES,
    problems=("limit_reached",),
)
FOLLOW_MY_TABLES: Final = Operation(
    id="followMyTables",
    summary="Stream or list the events of all your matches",
    description=(
        "Every log entry of every match in which you have a seat, taken or offered, including invitations, "
        "as a stream or page by page. The cursor is opaque and skips no event, however late it is committed. "
        "Without a cursor the events start now; a stream then begins with a `start` event. With "
        "`notices=true` the same order and cursor also cover what happens to you apart from matches: in a "
        "stream as events of the type `notice`, in a page as results with the member `notice`. Notices are "
        "stored for 30 days; with an older cursor, `missed` is true."
    ),
    tag=EVENTS,
    parameters=(
        Parameter(name="after", schema=_CURSOR, description="The cursor to continue from."),
        Parameter(
            name="cursor", schema=_CURSOR, description="An alias of `after`, the name that other lists use."
        ),
        Parameter(
            name="Last-Event-ID",
            schema=_CURSOR,
            description="The same, sent by browsers when they reconnect. Takes precedence over the others.",
            place="header",
        ),
        Parameter(
            name="limit",
            schema={"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
            description="The maximum number of results per page.",
        ),
        Parameter(
            name="notices",
            schema={"type": "boolean", "default": False},
            description="Whether to include notices.",
        ),
        WAIT,
        _TICKET,
    ),
    answers={OK: PlayerEventsSerializer},
    other_media_types=_STREAM_SCHEMAS,
    media_examples=_STREAM_EXAMPLES,
    problems=("limit_reached",),
)

# A client that missed more entries than this gets the table instead.
MAX_REPLAYED_ENTRIES: Final = 1000
_ENDED_STATUSES: Final = frozenset({MatchStatus.FINISHED, MatchStatus.CANCELLED})
_NO_CONTENT_STATUS: Final = 204


class MatchEventsView(ApiView):
    """Stream one match."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": WATCH_MATCH}
    authentication_classes = (TokenOrTicketAuthentication,)
    renderer_classes = (ServerSentEventsRenderer, NdjsonRenderer)

    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Stream the table and all new entries, or only the entries after a version that the client has."""
        after = requested_version(request)
        row = read_match(match_id, current_player(request))
        if _is_reconnect_after_end(request, row, after):
            return HttpResponse(status=_NO_CONTENT_STATUS)
        acquire_slot(request)
        return stream_response(_match_stream_request(request, row, after))


def requested_version(request: Request) -> int | None:
    """Return the version that the client has: the `Last-Event-ID` header or else `?after=`."""
    header = request.META.get("HTTP_LAST_EVENT_ID")
    if header:
        return parse_integer(header, "Last-Event-ID", smallest=0, largest=MAX_VERSION)
    return integer_parameter(request, "after", smallest=0, largest=MAX_VERSION)


def _is_reconnect_after_end(request: Request, row: MatchRow, after: int | None) -> bool:
    """Return whether a browser reconnects after the end of the match.

    Only 204 makes an `EventSource` stop reconnecting.
    """
    return "HTTP_LAST_EVENT_ID" in request.META and row.status in _ENDED_STATUSES and after == row.version


def _match_stream_request(request: Request, row: MatchRow, after: int | None) -> MatchStreamRequest:
    reader, version = stream_reader(request), row.version
    player = current_player(request)
    is_over, first = row.status in _ENDED_STATUSES, b""
    if after is None or not 0 <= version - after <= MAX_REPLAYED_ENTRIES:
        first = frame(reader.media_type, TABLE_EVENT, version, dump_line(render_table(row, player)))
        after = version
    return MatchStreamRequest(
        reader=reader,
        match_id=row.id,
        version=version,
        after=after,
        is_over=is_over and after == version,
        watches=not is_over and row.seat_held_by(player) is None,
        first_frame=first,
    )


class MyEventsView(ApiView):
    """List or stream the events of all matches in which the player has a seat, taken or offered."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": READ}
    operations: ClassVar[dict[str, Operation]] = {"GET": FOLLOW_MY_TABLES}
    authentication_classes = (TokenOrTicketAuthentication,)
    renderer_classes = (CompactJSONRenderer, ServerSentEventsRenderer, NdjsonRenderer)

    def get(self, request: Request) -> HttpResponse:
        """Return the events after a cursor; without a cursor, those from now on."""
        if request.accepted_media_type == _JSON_MEDIA_TYPE:
            return _page(request)
        cursor, notices = requested_cursor(request), _includes_notices(request)
        acquire_slot(request)
        return stream_response(_player_stream_request(request, cursor, notices=notices))


def _includes_notices(request: Request) -> bool:
    return boolean_parameter(request, "notices") or False


def _player_stream_request(request: Request, cursor: Cursor | None, *, notices: bool) -> PlayerStreamRequest:
    reader, player_id = stream_reader(request), require_player(request).pk
    if cursor is not None:
        return PlayerStreamRequest(reader=reader, player_id=player_id, cursor=cursor, notices=notices)
    cursor = current_cursor()
    return PlayerStreamRequest(
        reader=reader,
        player_id=player_id,
        cursor=cursor,
        notices=notices,
        first_frame=start_frame(reader.media_type, cursor, missed=False),
    )


def _page(request: Request) -> Response:
    seconds, limit = wait_seconds(request), page_limit(request)
    cursor = requested_cursor(request) or _start_cursor(request)
    player_id = require_player(request).pk
    batch = events_after(player_id, cursor, limit=limit, notices=_includes_notices(request))
    response = Response(_page_body(request, batch))
    if batch.events or batch.more or batch.missed:
        return response
    return wait_for_change(request, response, WaitCondition(seconds=seconds, player_id=player_id))


def _start_cursor(request: Request) -> Cursor:
    """Return the current cursor; for a long poll that is run again, the cursor of its first run."""
    long_poll = long_poll_of(request)
    if long_poll is None:
        return current_cursor()
    if not isinstance(long_poll.state, Cursor):
        long_poll.state = current_cursor()
    return long_poll.state


class PagedEventDocument(EventDocument):
    """An event with the cursor after it."""

    cursor: str


class PagedNoticeDocument(TypedDict):
    """A notice with the cursor after it."""

    cursor: str
    notice: NoticeDocument


class EventPageBody(PageBody[PagedEventDocument | PagedNoticeDocument]):
    """A page of events. `missed` says that events are missing before it."""

    cursor: str
    missed: bool


def _page_body(request: Request, batch: Batch) -> EventPageBody:
    cursor = format_cursor(batch.cursor)
    return {
        "next": build_url(request, after=cursor) if batch.more else None,
        "previous": None,
        "cursor": cursor,
        "missed": batch.missed,
        "results": [_paged(event) for event in batch.events],
    }


def _paged(event: PersonalEvent) -> PagedEventDocument | PagedNoticeDocument:
    cursor = format_cursor(event.cursor)
    match event:
        case PlayerEvent():
            return {"cursor": cursor, **event.payload}
        case NoticeEvent():
            return {"cursor": cursor, "notice": event.notice}
        case _:
            assert_never(event)


def start_frame(media_type: str, cursor: Cursor, *, missed: bool) -> bytes:
    """Return the frame with which a stream starts from the current cursor.

    `missed` says that the client missed more events than are replayed.
    """
    return frame(media_type, START_EVENT, format_cursor(cursor), dump_line({"missed": missed}))


def event_frame(media_type: str, event: PersonalEvent) -> bytes:
    """Return the frame of one log entry or notice."""
    cursor = format_cursor(event.cursor)
    match event:
        case PlayerEvent():
            return frame(media_type, ENTRY_EVENT, cursor, dump_line(event.payload))
        case NoticeEvent():
            return frame(media_type, NOTICE_EVENT, cursor, dump_line(event.notice))
        case _:
            assert_never(event)
