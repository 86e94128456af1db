"""Endpoints of event streams."""

from typing import Any, ClassVar, Final

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
    build_url,
    integer_parameter,
    page_limit,
    parse_integer,
    text_parameter,
)
from games.api.schema.fields import ResponseSerializer, list_field
from games.api.schema.log import LogEntrySerializer
from games.api.schema.operations import EVENTS, MAX_VERSION, NO_CONTENT, OK, WAIT, Operation, Parameter
from games.api.serializers import IntegerField, StrictBooleanField, StringField
from games.api.views import ApiView
from games.core.errors import Problem
from games.identity.models import Player
from games.lobby.api import READ
from games.matches.models.match import MatchStatus
from games.matches.queries import render_table
from games.matches.store import MatchRow, read_match
from games.realtime.formats import (
    ENTRY,
    LINES,
    SERVER_SENT,
    START,
    TABLE,
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
from games.realtime.queries import Batch, Cursor, PlayerEvent, current_cursor, events_after


class TokenOrTicketAuthentication(BearerTokenAuthentication):
    """A ticket opens a stream and nothing else, and is gone then."""

    def authenticate(self, request: Request) -> tuple[Player, Credentials] | None:
        """The player and the token, shown or stood for."""
        ticket = text_parameter(request, "ticket")
        shown = super().authenticate(request)
        if shown is not None or ticket is None or request.accepted_media_type not in {SERVER_SENT, LINES}:
            return shown
        token = redeem_ticket(secret=ticket) if ticket.isascii() else None
        if token is None:
            raise Problem("not_authenticated", "The ticket is unknown, used or expired.")
        return token.player, Credentials(token)


class PlayerEventSerializer(ResponseSerializer):
    """One entry of the log of a match at which you hold a seat, taken or offered."""

    cursor = StringField(help_text="To go on right after this one.")
    match = StringField(help_text="The id of the match.")
    my_seat = IntegerField(min_value=0, max_value=2, help_text="The seat that is yours, or offered to you.")
    my_turn = StrictBooleanField(help_text="Whether you are to act after it.")
    entry = LogEntrySerializer()


class PlayerEventsSerializer(ResponseSerializer):
    """What happened at your tables, in the order in which it was written."""

    next = StringField(allow_null=True, help_text="The address of what there is more just now.")
    previous = StringField(allow_null=True, help_text="Always null: this is read forwards.")
    cursor = StringField(help_text="To go on from here, as `after`, as soon as you like.")
    missed = StrictBooleanField(
        help_text="Whether more was missed than is told again: look at your matches, and go on from `cursor`."
    )
    results = list_field(PlayerEventSerializer())


_VERSION: Final = {"type": "integer", "minimum": 0, "maximum": MAX_VERSION}
_CURSOR: Final = {"type": "string", "maxLength": 4000}
_TICKET: Final = Parameter(
    name="ticket",
    schema={"type": "string", "maxLength": 500},
    description="Instead of a token, from a browser: opens one stream, and is used up.",
)
_FORMS: Final[dict[str, dict[str, object]]] = {
    SERVER_SENT: {
        "type": "object",
        "description": "One event of the stream.",
        "required": ["data"],
        "properties": {
            "event": {"type": "string", "description": "What it is."},
            "id": {"type": "string", "description": "What to go on from after a cut."},
            "data": {"type": "string", "description": "JSON."},
        },
    },
    LINES: {
        "type": "string",
        "description": "The same as lines of JSON with these members; `ping` where nothing happens.",
    },
}

WATCH_MATCH: Final = Operation(
    id="watchMatch",
    summary="A match as it happens",
    description=(
        "First the event `table`, as you may see it, then an `entry` for every entry of the log, its version "
        "as its id. With a version to go on from only the entries after it; after more than 1,000 missed a "
        "`table` again. Something is written every 15 seconds. Ends after the last entry of the match; a "
        "browser that comes back then gets 204."
    ),
    tag=EVENTS,
    parameters=(
        Parameter(name="after", schema=_VERSION, description="Go on after this version."),
        Parameter(
            name="Last-Event-ID",
            schema=_VERSION,
            description="The same, as browsers send it by themselves; it counts before `after`.",
            place="header",
        ),
        _TICKET,
    ),
    answers={OK: None, NO_CONTENT: None},
    other_forms=_FORMS,
    problems=("limit_reached",),
)
FOLLOW_MY_TABLES: Final = Operation(
    id="followMyTables",
    summary="What happens at all of your tables",
    description=(
        "Every entry of every match at which you hold a seat, taken or offered, invitations included: as a "
        "stream, or a page at a time. The cursor is opaque and skips nothing, however late it was written. "
        "Without one it begins now; a stream says so with the event `start`."
    ),
    tag=EVENTS,
    parameters=(
        Parameter(name="after", schema=_CURSOR, description="The cursor to go on from."),
        Parameter(name="cursor", schema=_CURSOR, description="The same by the name that lists have for it."),
        Parameter(
            name="Last-Event-ID",
            schema=_CURSOR,
            description="The same, as browsers send it by themselves; it counts before the others.",
            place="header",
        ),
        Parameter(
            name="limit",
            schema={"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
            description="How many a page shows.",
        ),
        WAIT,
        _TICKET,
    ),
    answers={OK: PlayerEventsSerializer},
    other_forms=_FORMS,
    problems=("limit_reached",),
)

# Whoever has missed more than this is given the table instead.
MAX_REPLAYED_EVENTS: Final = 1000
_OVER: Final = frozenset({MatchStatus.FINISHED, MatchStatus.CANCELLED})
_NOTHING_MORE: Final = 204


class MatchEventsView(ApiView):
    """The stream of one match."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": WATCH_MATCH}
    authentication_classes = (TokenOrTicketAuthentication,)
    renderer_classes = (ServerSentEventsRenderer, NdjsonRenderer)

    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Give the table and then every entry; or only the entries after the last one that somebody has."""
        after = version_asked(request)
        row = read_match(match_id, current_player(request))
        if _is_done(request, row, after):
            return HttpResponse(status=_NOTHING_MORE)
        acquire_slot(request)
        return stream_response(_match_opening(request, row, after))


def version_asked(request: Request) -> int | None:
    """The version that the client has: `Last-Event-ID`, which browsers send by themselves, else `?after=`."""
    header = request.META.get("HTTP_LAST_EVENT_ID")
    if header:
        return parse_integer(header, "Last-Event-ID", smallest=0, largest=MAX_VERSION)
    return integer_parameter(request, "after", smallest=0, largest=MAX_VERSION)


def _is_done(request: Request, row: MatchRow, after: int | None) -> bool:
    """Whether a browser comes back for more where there is none: 204 is what makes it stop."""
    return "HTTP_LAST_EVENT_ID" in request.META and row.status in _OVER and after == row.version


def _match_opening(request: Request, row: MatchRow, after: int | None) -> MatchStreamRequest:
    reader, version = stream_reader(request), row.version
    over, first = row.status in _OVER, b""
    if after is None or not 0 <= version - after <= MAX_REPLAYED_EVENTS:
        first = frame(reader.form, TABLE, version, dump_line(render_table(row, current_player(request))))
        after = version
    return MatchStreamRequest(
        reader=reader,
        match_id=row.id,
        version=version,
        after=after,
        over=over and after == version,
        first=first,
    )


JsonObject = dict[str, Any]

_PAGE: Final = "application/json"


class MyEventsView(ApiView):
    """Everything that happens at the tables where the player holds a seat, taken or offered."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": READ}
    operations: ClassVar[dict[str, Operation]] = {"GET": FOLLOW_MY_TABLES}
    authentication_classes = (TokenOrTicketAuthentication,)
    renderer_classes = (CompactJSONRenderer, ServerSentEventsRenderer, NdjsonRenderer)

    def get(self, request: Request) -> HttpResponse:
        """Give what comes after a cursor; without one, what comes from now on."""
        if request.accepted_media_type == _PAGE:
            return _page(request)
        place = requested_cursor(request)
        acquire_slot(request)
        return stream_response(_player_opening(request, place))


def _player_opening(request: Request, place: Cursor | None) -> PlayerStreamRequest:
    reader, player_id = stream_reader(request), require_player(request).pk
    if place is not None:
        return PlayerStreamRequest(reader=reader, player_id=player_id, place=place)
    place = current_cursor()
    return PlayerStreamRequest(
        reader=reader, player_id=player_id, place=place, first=start_frame(reader.form, place, missed=False)
    )


def _page(request: Request) -> Response:
    seconds, limit = wait_seconds(request), page_limit(request)
    place = requested_cursor(request) or _start_cursor(request)
    player_id = require_player(request).pk
    batch = events_after(player_id, place, limit=limit)
    response = Response(_form(request, batch))
    if batch.told or batch.more or batch.anew:
        return response
    return wait_for_change(request, response, WaitCondition(seconds=seconds, player_id=player_id))


def _start_cursor(request: Request) -> Cursor:
    """Now; or, for a request that has waited, when it began to."""
    door = long_poll_of(request)
    if door is None:
        return current_cursor()
    if not isinstance(door.kept, Cursor):
        door.kept = current_cursor()
    return door.kept


def _form(request: Request, batch: Batch) -> JsonObject:
    cursor = format_cursor(batch.place)
    return {
        "next": build_url(request, after=cursor) if batch.more else None,
        "previous": None,
        "cursor": cursor,
        "missed": batch.anew,
        "results": [{"cursor": format_cursor(told.place), **told.form} for told in batch.told],
    }


def start_frame(form: str, place: Cursor, *, missed: bool) -> bytes:
    """What a stream says where it begins anew; `missed` is true where more was missed than is given again."""
    return frame(form, START, format_cursor(place), dump_line({"missed": missed}))


def event_frame(form: str, told: PlayerEvent) -> bytes:
    """One entry of some match, as the stream says it."""
    return frame(form, ENTRY, format_cursor(told.place), dump_line(told.form))
