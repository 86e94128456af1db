"""Usual clocks, pauses and vacations."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.accounts.answers import done
from games.api.authentication import signed_in
from games.api.clock import operations
from games.api.clock.shapes import VacationShape
from games.api.conditional import conditionally
from games.api.idempotency import idempotent
from games.api.paging import page_of_few
from games.api.permissions import ANYONE, PLAY, SIGNED_IN, Needs
from games.api.schema.operation import Operation
from games.api.shapes import EmptyShape
from games.api.view import ApiView
from games.models import Scope
from games.selectors.clocks import clock_forms
from games.selectors.vacations import vacation_form
from games.services.clock.pausing import ask_for_pause, ask_to_resume, withdraw_pause
from games.services.clock.vacations import come_back, go_on_vacation


class ClocksView(ApiView):
    """Usual clocks."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_CLOCKS}

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
        "POST": operations.ASK_FOR_PAUSE,
        "DELETE": operations.WITHDRAW_PAUSE,
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
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ASK_TO_RESUME}

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
        "GET": operations.READ_VACATION,
        "PUT": operations.GO_ON_VACATION,
        "DELETE": operations.COME_BACK,
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
