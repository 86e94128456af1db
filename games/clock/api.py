"""Endpoints and schema of clocks, pauses, vacations and reclaiming a seat."""

from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, PLAY, SIGNED_IN, Needs, signed_in
from games.api.conditional import conditionally
from games.api.idempotency import idempotent
from games.api.pagination import page_of_few
from games.api.schema.fields import Form, enumeration
from games.api.schema.operations import LOBBY, NO_CONTENT, OK, PROFILE, TABLE, Operation, Page
from games.api.schema.table import TableForm
from games.api.serializers import EmptyShape, Moment, Shape, Text, Whole
from games.api.views import ApiView, done
from games.clock.pauses import ask_for_pause, ask_to_resume, withdraw_pause
from games.clock.queries import clock_forms, vacation_form
from games.clock.timeouts import reclaim_seat
from games.clock.vacations import come_back, go_on_vacation
from games.identity.models import Scope
from games.lobby.api import _ActionView


class VacationShape(Shape):
    """`PUT /me/vacation`."""

    until = Moment(help_text="When it is over. A day that has begun counts as one.")


clock_kind = enumeration("ClockKind", ("correspondence", "live"), "How a match by such a clock is played.")


class UsualClockForm(Form):
    """A clock that people usually play by."""

    key = Text(help_text="What it is called here; a match is made with its seconds.")
    title = Text()
    kind = clock_kind()
    turn_seconds = Whole(min_value=1, help_text="Time for each turn.")
    time_bank_seconds = Whole(min_value=0, help_text="Time on top for each seat, once a match.")


class VacationForm(Form):
    """One's own vacation."""

    since = Moment(allow_null=True, help_text="Null where one is not away.")
    until = Moment(allow_null=True)
    days_left = Whole(min_value=0, help_text="How many days are left this year, this vacation not counted.")


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


class ClocksView(ApiView):
    """Usual clocks."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": LIST_CLOCKS}

    def get(self, request: Request) -> Response:
        """List them."""
        forms = clock_forms()
        page = page_of_few(
            request, forms
        )  # first, so that what cannot be read is refused however it is asked
        return conditionally(request, forms, build=lambda: Response(page))


class PauseView(ApiView):
    """A pause of a match that is being played."""

    access: ClassVar[dict[str, Needs]] = {"POST": PLAY, "DELETE": PLAY}
    operations: ClassVar[dict[str, Operation]] = {
        "POST": ASK_FOR_PAUSE,
        "DELETE": WITHDRAW_PAUSE,
    }

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Want one."""
        self.read(EmptyShape)
        return Response(ask_for_pause(match_id=match_id, player=signed_in(request)))

    def delete(self, request: Request, match_id: str) -> Response:
        """Want none any more."""
        return Response(withdraw_pause(match_id=match_id, player=signed_in(request)))


class ResumeView(ApiView):
    """The end of a pause."""

    access: ClassVar[dict[str, Needs]] = {"POST": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"POST": ASK_TO_RESUME}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Want to play on."""
        self.read(EmptyShape)
        return Response(ask_to_resume(match_id=match_id, player=signed_in(request)))


class VacationView(ApiView):
    """One's own vacation."""

    access: ClassVar[dict[str, Needs]] = {
        "GET": SIGNED_IN,
        "PUT": Scope.ACCOUNT_WRITE,
        "DELETE": Scope.ACCOUNT_WRITE,
    }
    operations: ClassVar[dict[str, Operation]] = {
        "GET": READ_VACATION,
        "PUT": GO_ON_VACATION,
        "DELETE": COME_BACK,
    }

    def get(self, request: Request) -> Response:
        """Show it."""
        return Response(vacation_form(signed_in(request)))

    def put(self, request: Request) -> Response:
        """Go, or change until when."""
        return Response(go_on_vacation(player=signed_in(request), **self.read(VacationShape)))

    def delete(self, request: Request) -> Response:
        """Come back."""
        come_back(player=signed_in(request))
        return done()


RECLAIM: Final = Operation(
    id="reclaimSeat",
    summary="Take your seat back from the caretaker",
    description="Your turn, if the caretaker has not taken it yet, begins anew.",
    tag=LOBBY,
    body=EmptyShape,
    answers={OK: TableForm},
    problems=("not_seated", "match_not_active", "no_caretaker"),
)


class ReclaimView(_ActionView):
    """Taking one's seat back from the caretaker."""

    operations: ClassVar[dict[str, Operation]] = {"POST": RECLAIM}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Play on for oneself."""
        self.read(EmptyShape)
        return Response(reclaim_seat(match_id=match_id, player=signed_in(request)))
