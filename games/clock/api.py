"""API views and serializers of clocks, pauses, vacations and reclaimed seats."""

from typing import Any, ClassVar, Final

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
from games.api.views import ApiView, MatchActionView, no_content
from games.clock.pauses import request_pause, request_resume, withdraw_pause
from games.clock.queries import list_clock_presets, render_vacation
from games.clock.timeouts import reclaim_seat
from games.clock.vacations import end_vacation, go_on_vacation
from games.identity.models import Scope


class VacationRequestSerializer(RequestSerializer[Any]):
    """`PUT /me/vacation`."""

    until = DateTimeField(help_text="When the vacation ends. A started day counts as a full day.")


clock_kind = enumeration(
    "ClockKind", ("correspondence", "live"), "The kind of match that this clock is made for."
)


class UsualClockSerializer(ResponseSerializer):
    """A commonly used clock."""

    key = StringField(help_text="The key of the preset. To create a match, send its seconds.")
    title = StringField()
    kind = clock_kind()
    turn_seconds = IntegerField(min_value=1, help_text="Time for each turn, in seconds.")
    time_bank_seconds = IntegerField(min_value=0, help_text="Additional time for each seat, once per match.")


class VacationSerializer(ResponseSerializer):
    """The vacation of the current player."""

    since = DateTimeField(allow_null=True, help_text="Null if you are not on vacation.")
    until = DateTimeField(allow_null=True)
    days_left = IntegerField(
        min_value=0, help_text="Days left this year, without those of the current vacation."
    )


LIST_CLOCKS: Final = Operation(
    id="listClocks",
    summary="List clock presets",
    description="Common clocks for correspondence and live matches. A match can also use any other clock.",
    tag=LOBBY,
    answers={OK: Page(UsualClockSerializer)},
    conditional=True,
)
ASK_FOR_PAUSE: Final = Operation(
    id="askForPause",
    summary="Request a pause",
    description=(
        "The match is paused as soon as all players have requested it; players replaced by an AI are not "
        "asked. Until then the table lists the requests. The match resumes when all players request it, or "
        "automatically when the maximum pause is used up."
    ),
    tag=TABLE,
    body=EmptyRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_active", "caretaker_playing", "pauses_off", "limit_reached"),
)
WITHDRAW_PAUSE: Final = Operation(
    id="withdrawPause",
    summary="Withdraw a pause request",
    description="Has no effect if you have not requested a pause.",
    tag=TABLE,
    answers={OK: TableSerializer},
    problems=("not_seated", "caretaker_playing"),
)
ASK_TO_RESUME: Final = Operation(
    id="askToResume",
    summary="Request to resume",
    description="The match resumes when all players have requested it. The turn keeps its remaining time.",
    tag=TABLE,
    body=EmptyRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_paused", "caretaker_playing"),
)
READ_VACATION: Final = Operation(
    id="readVacation",
    summary="Get your vacation",
    description="Returns your current vacation, if any, and how many days are left this year.",
    tag=PROFILE,
    answers={OK: VacationSerializer},
)
GO_ON_VACATION: Final = Operation(
    id="goOnVacation",
    summary="Start or change your vacation",
    description=(
        "Until it ends, none of your turns time out in matches with `vacations`. It is shown at your seats. "
        "If you are already on vacation, its end is changed."
    ),
    tag=PROFILE,
    body=VacationRequestSerializer,
    answers={OK: VacationSerializer},
)
COME_BACK: Final = Operation(
    id="comeBack",
    summary="End your vacation",
    description="Days that have not started are credited back, and your deadlines are moved accordingly.",
    tag=PROFILE,
    answers={NO_CONTENT: None},
)


class ClocksView(ApiView):
    """The clock presets."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": LIST_CLOCKS}

    def get(self, request: Request) -> Response:
        """List the clock presets."""
        presets = list_clock_presets()
        # Paginate first: invalid parameters are rejected even if the ETag matches.
        page = paginate_list(request, presets)
        return conditional_response(request, presets, build=lambda: Response(page))


class PauseView(ApiView):
    """Requests to pause a match."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": PLAY, "DELETE": PLAY}
    player_limits: ClassVar[dict[str, str]] = {"POST": "actions", "DELETE": "actions"}
    operations: ClassVar[dict[str, Operation]] = {
        "POST": ASK_FOR_PAUSE,
        "DELETE": WITHDRAW_PAUSE,
    }

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Request a pause."""
        self.validated_body(EmptyRequestSerializer)
        return Response(request_pause(match_id=match_id, player=require_player(request)))

    def delete(self, request: Request, match_id: str) -> Response:
        """Withdraw the request."""
        return Response(withdraw_pause(match_id=match_id, player=require_player(request)))


class ResumeView(ApiView):
    """Requests to resume a match."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"POST": ASK_TO_RESUME}
    player_limits: ClassVar[dict[str, str]] = {"POST": "actions"}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Request to resume."""
        self.validated_body(EmptyRequestSerializer)
        return Response(request_resume(match_id=match_id, player=require_player(request)))


class VacationView(ApiView):
    """The vacation of the current player."""

    access: ClassVar[dict[str, AccessRule]] = {
        "GET": SIGNED_IN,
        "PUT": Scope.ACCOUNT_WRITE,
        "DELETE": Scope.ACCOUNT_WRITE,
    }
    player_limits: ClassVar[dict[str, str]] = {"PUT": "vacations", "DELETE": "vacations"}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": READ_VACATION,
        "PUT": GO_ON_VACATION,
        "DELETE": COME_BACK,
    }

    def get(self, request: Request) -> Response:
        """Return the vacation."""
        return Response(render_vacation(require_player(request)))

    def put(self, request: Request) -> Response:
        """Start the vacation or change its end."""
        return Response(
            go_on_vacation(player=require_player(request), **self.validated_body(VacationRequestSerializer))
        )

    def delete(self, request: Request) -> Response:
        """End the vacation."""
        end_vacation(player=require_player(request))
        return no_content()


RECLAIM: Final = Operation(
    id="reclaimSeat",
    summary="Take your seat back from the caretaker",
    description="If the caretaker has not taken your current turn yet, it starts again with its full time.",
    tag=LOBBY,
    body=EmptyRequestSerializer,
    answers={OK: TableSerializer},
    problems=("not_seated", "match_not_active", "no_caretaker"),
)


class ReclaimView(MatchActionView):
    """Taking a seat back from the caretaker."""

    operations: ClassVar[dict[str, Operation]] = {"POST": RECLAIM}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Take the seat back."""
        self.validated_body(EmptyRequestSerializer)
        return Response(reclaim_seat(match_id=match_id, player=require_player(request)))
