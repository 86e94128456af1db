"""Endpoints of event streams."""

from typing import Any, ClassVar, Final

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts.services.credentials import use_ticket
from games.api.auth import ANYONE, BearerToken, Credentials, Needs, signed_in, viewer
from games.api.content import CompactJSON
from games.api.long_polling import Awaited, answer_later, door_of, enter, seconds_asked
from games.api.pagination import (
    DEFAULT_LIMIT,
    LARGEST_LIMIT,
    address_with,
    integer_parameter,
    limit_asked,
    text_parameter,
    whole_number,
)
from games.api.schema.fields import Form, list_of
from games.api.schema.log import LogEntryForm
from games.api.schema.operations import EVENTS, LARGEST_VERSION, NO_CONTENT, OK, WAIT, Operation, Parameter
from games.api.serializers import Flag, Text, Whole
from games.api.views import ApiView
from games.core.errors import Problem
from games.identity.models import Player
from games.lobby.api import READ
from games.matches.models.match import MatchStatus
from games.matches.queries import table_form
from games.matches.store import MatchRow, read_match
from games.realtime.formats import (
    ENTRY,
    LINES,
    SERVER_SENT,
    START,
    TABLE,
    Lines,
    OfMatch,
    OfPlayer,
    ServerSent,
    cursor_of,
    frame,
    opened,
    place_asked,
    reader_of,
    written,
)
from games.realtime.queries import Batch, Place, Told, events_after, here_and_now


class TokenOrTicket(BearerToken):
    """A ticket opens a stream and nothing else, and is gone then."""

    def authenticate(self, request: Request) -> tuple[Player, Credentials] | None:
        """The player and the token, shown or stood for."""
        ticket = text_parameter(request, "ticket")
        shown = super().authenticate(request)
        if shown is not None or ticket is None or request.accepted_media_type not in {SERVER_SENT, LINES}:
            return shown
        token = use_ticket(secret=ticket) if ticket.isascii() else None
        if token is None:
            raise Problem("not_authenticated", "The ticket is unknown, used or expired.")
        return token.player, Credentials(token)


class PlayerEventForm(Form):
    """One entry of the log of a match at which you hold a seat, taken or offered."""

    cursor = Text(help_text="To go on right after this one.")
    match = Text(help_text="The id of the match.")
    my_seat = Whole(min_value=0, max_value=2, help_text="The seat that is yours, or offered to you.")
    my_turn = Flag(help_text="Whether you are to act after it.")
    entry = LogEntryForm()


class PlayerEventsForm(Form):
    """What happened at your tables, in the order in which it was written."""

    next = Text(allow_null=True, help_text="The address of what there is more just now.")
    previous = Text(allow_null=True, help_text="Always null: this is read forwards.")
    cursor = Text(help_text="To go on from here, as `after`, as soon as you like.")
    missed = Flag(
        help_text="Whether more was missed than is told again: look at your matches, and go on from `cursor`."
    )
    results = list_of(PlayerEventForm())


_VERSION: Final = {"type": "integer", "minimum": 0, "maximum": LARGEST_VERSION}
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
            schema={"type": "integer", "minimum": 1, "maximum": LARGEST_LIMIT, "default": DEFAULT_LIMIT},
            description="How many a page shows.",
        ),
        WAIT,
        _TICKET,
    ),
    answers={OK: PlayerEventsForm},
    other_forms=_FORMS,
    problems=("limit_reached",),
)

# Whoever has missed more than this is given the table instead.
MOST_MISSED: Final = 1000
_OVER: Final = frozenset({MatchStatus.FINISHED, MatchStatus.CANCELLED})
_NOTHING_MORE: Final = 204


class MatchEventsView(ApiView):
    """The stream of one match."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": WATCH_MATCH}
    authentication_classes = (TokenOrTicket,)
    renderer_classes = (ServerSent, Lines)

    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Give the table and then every entry; or only the entries after the last one that somebody has."""
        after = version_asked(request)
        row = read_match(match_id, viewer(request))
        if _is_done(request, row, after):
            return HttpResponse(status=_NOTHING_MORE)
        enter(request)
        return opened(_match_opening(request, row, after))


def version_asked(request: Request) -> int | None:
    """The version that the client has: `Last-Event-ID`, which browsers send by themselves, else `?after=`."""
    header = request.META.get("HTTP_LAST_EVENT_ID")
    if header:
        return whole_number(header, "Last-Event-ID", smallest=0, largest=LARGEST_VERSION)
    return integer_parameter(request, "after", smallest=0, largest=LARGEST_VERSION)


def _is_done(request: Request, row: MatchRow, after: int | None) -> bool:
    """Whether a browser comes back for more where there is none: 204 is what makes it stop."""
    return "HTTP_LAST_EVENT_ID" in request.META and row.status in _OVER and after == row.version


def _match_opening(request: Request, row: MatchRow, after: int | None) -> OfMatch:
    reader, version = reader_of(request), row.version
    over, first = row.status in _OVER, b""
    if after is None or not 0 <= version - after <= MOST_MISSED:
        first = frame(reader.form, TABLE, version, written(table_form(row, viewer(request))))
        after = version
    return OfMatch(
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

    access: ClassVar[dict[str, Needs]] = {"GET": READ}
    operations: ClassVar[dict[str, Operation]] = {"GET": FOLLOW_MY_TABLES}
    authentication_classes = (TokenOrTicket,)
    renderer_classes = (CompactJSON, ServerSent, Lines)

    def get(self, request: Request) -> HttpResponse:
        """Give what comes after a cursor; without one, what comes from now on."""
        if request.accepted_media_type == _PAGE:
            return _page(request)
        place = place_asked(request)
        enter(request)
        return opened(_player_opening(request, place))


def _player_opening(request: Request, place: Place | None) -> OfPlayer:
    reader, player_id = reader_of(request), signed_in(request).pk
    if place is not None:
        return OfPlayer(reader=reader, player_id=player_id, place=place)
    place = here_and_now()
    return OfPlayer(
        reader=reader, player_id=player_id, place=place, first=start_frame(reader.form, place, missed=False)
    )


def _page(request: Request) -> Response:
    seconds, limit = seconds_asked(request), limit_asked(request)
    place = place_asked(request) or _begun(request)
    player_id = signed_in(request).pk
    batch = events_after(player_id, place, limit=limit)
    response = Response(_form(request, batch))
    if batch.told or batch.more or batch.anew:
        return response
    return answer_later(request, response, Awaited(seconds=seconds, player_id=player_id))


def _begun(request: Request) -> Place:
    """Now; or, for a request that has waited, when it began to."""
    door = door_of(request)
    if door is None:
        return here_and_now()
    if not isinstance(door.kept, Place):
        door.kept = here_and_now()
    return door.kept


def _form(request: Request, batch: Batch) -> JsonObject:
    cursor = cursor_of(batch.place)
    return {
        "next": address_with(request, after=cursor) if batch.more else None,
        "previous": None,
        "cursor": cursor,
        "missed": batch.anew,
        "results": [{"cursor": cursor_of(told.place), **told.form} for told in batch.told],
    }


def start_frame(form: str, place: Place, *, missed: bool) -> bytes:
    """What a stream says where it begins anew; `missed` is true where more was missed than is given again."""
    return frame(form, START, cursor_of(place), written({"missed": missed}))


def told_frame(form: str, told: Told) -> bytes:
    """One entry of some match, as the stream says it."""
    return frame(form, ENTRY, cursor_of(told.place), written(told.form))
