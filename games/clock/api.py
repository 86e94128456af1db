"""Endpoints and schema of clocks, pauses, vacations and reclaiming a seat."""

from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, PLAY, SIGNED_IN, AccessRule, require_player
from games.api.conditional import conditional_response
from games.api.idempotency import idempotent
from games.api.pagination import paginate_list
from games.api.schema.fields import ResponseSerializer, enumeration
from games.api.schema.operations import LOBBY, NO_CONTENT, OK, PROFILE, TABLE, Operation, Page
from games.api.schema.table import TableSerializer
from games.api.serializers import (
    DateTimeField,
    EmptyRequestSerializer,
    IntegerField,
    RequestSerializer,
    StringField,
)
from games.api.views import ApiView, no_content
from games.clock.pauses import request_pause, request_resume, withdraw_pause
from games.clock.queries import list_clock_presets, render_vacation
from games.clock.timeouts import reclaim_seat
from games.clock.vacations import end_vacation, go_on_vacation
from games.identity.models import Scope
from games.lobby.api import _ActionView


class VacationRequestSerializer(RequestSerializer):
    """`PUT /me/vacation`."""

    until = DateTimeField(help_text="When it is over. A day that has begun counts as one.")


clock_kind = enumeration("ClockKind", ("correspondence", "live"), "How a match by such a clock is played.")


class UsualClockSerializer(ResponseSerializer):
    """A clock that people usually play by."""

    key = StringField(help_text="What it is called here; a match is made with its seconds.")
    title = StringField()
    kind = clock_kind()
    turn_seconds = IntegerField(min_value=1, help_text="Time for each turn.")
    time_bank_seconds = IntegerField(min_value=0, help_text="Time on top for each seat, once a match.")


class VacationSerializer(ResponseSerializer):
    """One's own vacation."""

    since = DateTimeField(allow_null=True, help_text="Null where one is not away.")
    until = DateTimeField(allow_null=True)
    days_left = IntegerField(
        min_value=0, help_text="How many days are left this year, this vacation not counted."
    )


LIST_CLOCKS: Final = Operation(
    id="listClocks",
    summary="Usual clocks",
    description="For a match to be made with: correspondence and live. Any other may be agreed as well.",
    tag=LOBBY,
    answers={OK: Page(UsualClockSerializer)},
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
    body=EmptyRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_active", "caretaker_playing", "pauses_off", "limit_reached"),
)
WITHDRAW_PAUSE: Final = Operation(
    id="withdrawPause",
    summary="Want no pause any more",
    description="Without having asked for one it changes nothing.",
    tag=TABLE,
    answers={OK: TableSerializer},
    problems=("not_seated", "caretaker_playing"),
)
ASK_TO_RESUME: Final = Operation(
    id="askToResume",
    summary="Want to play on",
    description="The match goes on when all want it. The turn has what was left of it.",
    tag=TABLE,
    body=EmptyRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_paused", "caretaker_playing"),
)
READ_VACATION: Final = Operation(
    id="readVacation",
    summary="Your vacation",
    description="Whether you are away, and how many days are left this year.",
    tag=PROFILE,
    answers={OK: VacationSerializer},
)
GO_ON_VACATION: Final = Operation(
    id="goOnVacation",
    summary="Go on vacation",
    description=(
        "From now until then no turn of yours runs out at tables with `vacations`. Everybody sees it at your "
        "seats. Given again it changes until when."
    ),
    tag=PROFILE,
    body=VacationRequestSerializer,
    answers={OK: VacationSerializer},
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

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": LIST_CLOCKS}

    def get(self, request: Request) -> Response:
        """List them."""
        forms = list_clock_presets()
        page = paginate_list(
            request, forms
        )  # first, so that what cannot be read is refused however it is asked
        return conditional_response(request, forms, build=lambda: Response(page))


class PauseView(ApiView):
    """A pause of a match that is being played."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": PLAY, "DELETE": PLAY}
    operations: ClassVar[dict[str, Operation]] = {
        "POST": ASK_FOR_PAUSE,
        "DELETE": WITHDRAW_PAUSE,
    }

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Want one."""
        self.read(EmptyRequestSerializer)
        return Response(request_pause(match_id=match_id, player=require_player(request)))

    def delete(self, request: Request, match_id: str) -> Response:
        """Want none any more."""
        return Response(withdraw_pause(match_id=match_id, player=require_player(request)))


class ResumeView(ApiView):
    """The end of a pause."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"POST": ASK_TO_RESUME}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Want to play on."""
        self.read(EmptyRequestSerializer)
        return Response(request_resume(match_id=match_id, player=require_player(request)))


class VacationView(ApiView):
    """One's own vacation."""

    access: ClassVar[dict[str, AccessRule]] = {
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
        return Response(render_vacation(require_player(request)))

    def put(self, request: Request) -> Response:
        """Go, or change until when."""
        return Response(
            go_on_vacation(player=require_player(request), **self.read(VacationRequestSerializer))
        )

    def delete(self, request: Request) -> Response:
        """Come back."""
        end_vacation(player=require_player(request))
        return no_content()


RECLAIM: Final = Operation(
    id="reclaimSeat",
    summary="Take your seat back from the caretaker",
    description="Your turn, if the caretaker has not taken it yet, begins anew.",
    tag=LOBBY,
    body=EmptyRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_active", "no_caretaker"),
)


class ReclaimView(_ActionView):
    """Taking one's seat back from the caretaker."""

    operations: ClassVar[dict[str, Operation]] = {"POST": RECLAIM}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Play on for oneself."""
        self.read(EmptyRequestSerializer)
        return Response(reclaim_seat(match_id=match_id, player=require_player(request)))
