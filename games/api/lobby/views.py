"""Making, finding, filling and leaving matches."""

from typing import ClassVar

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.authentication import signed_in
from games.api.idempotency import idempotent
from games.api.lobby import operations
from games.api.lobby.lists import public_list
from games.api.lobby.shapes import DeclineShape, JoinShape, MatchShape, RefillShape, SeedShape
from games.api.permissions import ANYONE, PLAY, Needs
from games.api.schema.operation import Operation
from games.api.shapes import EmptyShape
from games.api.view import ApiView
from games.services.clock.reclaiming import reclaim_seat
from games.services.lobby.calling_off import cancel_match
from games.services.lobby.creating import create_match
from games.services.lobby.joining import accept_invitation, decline_invitation, join_match
from games.services.lobby.leaving import leave_match
from games.services.lobby.refilling import refill_seat
from games.services.lobby.rematch import ask_for_rematch
from games.services.lobby.resigning import resign
from games.services.lobby.starting import start_match


def _created(table: dict[str, object]) -> Response:
    """The answer that tells where the new match is."""
    address = reverse("match", kwargs={"match_id": table["id"]})
    return Response(table, status=201, headers={"Location": address})


class MatchesView(ApiView):
    """The lobby."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE, "POST": PLAY}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.LIST_MATCHES,
        "POST": operations.CREATE_MATCH,
    }

    def get(self, request: Request) -> Response:
        """List matches that anybody may find, or one's own."""
        return public_list(request)

    @idempotent
    def post(self, request: Request) -> Response:
        """Make a match."""
        return _created(create_match(maker=signed_in(request), body=self.read(MatchShape)))


class _ActionView(ApiView):
    """Something done to a match before its start or after its end."""

    access: ClassVar[dict[str, Needs]] = {"POST": PLAY}


class StartView(_ActionView):
    """The start by the maker."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.START_MATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Deal the first round."""
        body = self.read(SeedShape)
        return Response(start_match(match_id=match_id, player=signed_in(request), **body))


class JoinView(_ActionView):
    """Sitting down at an open seat."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.JOIN_MATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Take a seat."""
        body = self.read(JoinShape)
        return Response(join_match(match_id=match_id, player=signed_in(request), **body))


class LeaveView(_ActionView):
    """Standing up before the start."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.LEAVE_MATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Give the seat back."""
        self.read(EmptyShape)
        return Response(leave_match(match_id=match_id, player=signed_in(request)))


class AcceptView(_ActionView):
    """Saying yes to an invitation."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ACCEPT_INVITATION}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Take the seat that was kept."""
        body = self.read(SeedShape)
        return Response(accept_invitation(match_id=match_id, player=signed_in(request), **body))


class DeclineView(_ActionView):
    """Saying no to an invitation."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.DECLINE_INVITATION}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Leave the seat that was kept to others."""
        body = self.read(DeclineShape)
        return Response(decline_invitation(match_id=match_id, player=signed_in(request), **body))


class SeatView(ApiView):
    """A seat that nobody has taken yet."""

    access: ClassVar[dict[str, Needs]] = {"PUT": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"PUT": operations.REFILL_SEAT}

    def put(self, request: Request, match_id: str, number: int) -> Response:
        """Fill it otherwise."""
        body = self.read(RefillShape)
        return Response(refill_seat(match_id=match_id, player=signed_in(request), number=number, body=body))


class CancelView(_ActionView):
    """Calling a match off before its start."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CANCEL_MATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Call it off."""
        self.read(EmptyShape)
        return Response(cancel_match(match_id=match_id, player=signed_in(request)))


class ResignView(_ActionView):
    """Giving up."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.RESIGN}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Give the seat up for good."""
        self.read(EmptyShape)
        return Response(resign(match_id=match_id, player=signed_in(request)))


class ReclaimView(_ActionView):
    """Taking one's seat back from the caretaker."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.RECLAIM}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Play on for oneself."""
        self.read(EmptyShape)
        return Response(reclaim_seat(match_id=match_id, player=signed_in(request)))


class RematchView(_ActionView):
    """Playing once more."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ASK_FOR_REMATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Make the next match, or sit down at it where another player has made it."""
        body = self.read(SeedShape)
        is_new, table = ask_for_rematch(match_id=match_id, player=signed_in(request), **body)
        return _created(table) if is_new else Response(table)
