"""What clients are told of the routes of streams, and of the parameters that have others wait."""

from typing import Final

from games.api.events.door import LONGEST_WAIT
from games.api.events.forms import LINES, SERVER_SENT
from games.api.paging import DEFAULT_LIMIT, LARGEST_LIMIT
from games.api.schema.forms.events import PlayerEventsForm
from games.api.schema.operation import NO_CONTENT, OK, Operation, Parameter
from games.api.schema.prose import EVENTS

LARGEST_VERSION: Final = 2**31 - 1
_VERSION: Final = {"type": "integer", "minimum": 0, "maximum": LARGEST_VERSION}
_CURSOR: Final = {"type": "string", "maxLength": 4000}

WAIT: Final = Parameter(
    name="wait",
    schema={"type": "integer", "minimum": 0, "maximum": LONGEST_WAIT, "default": 0},
    description="Where there is nothing new, wait for it for so many seconds.",
)
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
