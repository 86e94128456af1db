"""What clients are told of the routes of the clock."""

from typing import Final

from games.api.clock.shapes import VacationShape
from games.api.schema.forms.clock import UsualClockForm, VacationForm
from games.api.schema.forms.table import TableForm
from games.api.schema.operation import NO_CONTENT, OK, Operation, Page
from games.api.schema.prose import LOBBY, PROFILE, TABLE
from games.api.shapes import EmptyShape

LIST_CLOCKS: Final = Operation(
    id="listClocks",
    summary="Usual clocks",
    description="For a match to be made with: correspondence and live. Any other may be agreed as well.",
    tag=LOBBY,
    answers={OK: Page(UsualClockForm)},
    conditional=True,
)
ASK_FOR_PAUSE: Final = Operation(
    id="askForPause",
    summary="Want a pause",
    description=(
        "The match is paused when all who play for themselves want it; until then the table says who does. "
        "It goes on when all want that, or by itself after the longest time that matches may be paused."
    ),
    tag=TABLE,
    body=EmptyShape,
    answers={OK: TableForm},
    problems=("not_seated", "match_not_active", "caretaker_playing", "pauses_off", "limit_reached"),
)
WITHDRAW_PAUSE: Final = Operation(
    id="withdrawPause",
    summary="Want no pause any more",
    description="Without having asked for one it changes nothing.",
    tag=TABLE,
    answers={OK: TableForm},
    problems=("not_seated", "caretaker_playing"),
)
ASK_TO_RESUME: Final = Operation(
    id="askToResume",
    summary="Want to play on",
    description="The match goes on when all want it. The turn has what was left of it.",
    tag=TABLE,
    body=EmptyShape,
    answers={OK: TableForm},
    problems=("not_seated", "match_not_paused", "caretaker_playing"),
)
READ_VACATION: Final = Operation(
    id="readVacation",
    summary="Your vacation",
    description="Whether you are away, and how many days are left this year.",
    tag=PROFILE,
    answers={OK: VacationForm},
)
GO_ON_VACATION: Final = Operation(
    id="goOnVacation",
    summary="Go on vacation",
    description=(
        "From now until then no turn of yours runs out at tables with `vacations`. Everybody sees it at your "
        "seats. Given again it changes until when."
    ),
    tag=PROFILE,
    body=VacationShape,
    answers={OK: VacationForm},
)
COME_BACK: Final = Operation(
    id="comeBack",
    summary="End your vacation",
    description="Days that have not begun are yours again, and deadlines are as if you had not planned them.",
    tag=PROFILE,
    answers={NO_CONTENT: None},
)
