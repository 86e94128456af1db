"""Endpoints of the lobby."""

from collections.abc import Callable
from datetime import datetime
from operator import attrgetter
from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, PLAY, AccessRule, current_player, require_player
from games.api.idempotency import idempotent
from games.api.pagination import Order, boolean_parameter, choice_parameter, paginate, text_parameter
from games.api.schema.operations import Operation
from games.api.serializers import EmptyRequestSerializer
from games.api.views import ApiView
from games.core.errors import Problem
from games.gateway.agreement import rule_set_keys
from games.identity.models import Player, Scope
from games.lobby import operations
from games.lobby.queries import (
    MatchFilter,
    invitations,
    matches_made_by,
    matches_of,
    player_named,
    public_matches,
    render_invitation,
    render_listed_match,
    render_my_match,
    running_matches,
)
from games.lobby.serializers import (
    DeclineRequestSerializer,
    JoinRequestSerializer,
    MatchRequestSerializer,
    RefillRequestSerializer,
    SeedRequestSerializer,
)
from games.lobby.services.creation import create_match, refill_seat
from games.lobby.services.membership import (
    accept_invitation,
    cancel_match,
    decline_invitation,
    join_match,
    leave_match,
)
from games.lobby.services.rematches import create_or_join_rematch
from games.lobby.services.seats import start_match
from games.matches.models.match import Match, MatchStatus
from games.matches.store import MatchRow, find_matches
from games.play.resignation import resign


def _created(table: dict[str, object]) -> Response:
    """The answer that tells where the new match is."""
    address = reverse("match", kwargs={"match_id": table["id"]})
    return Response(table, status=201, headers={"Location": address})


class MatchesView(ApiView):
    """The lobby."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE, "POST": PLAY}
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
        return _created(create_match(maker=require_player(request), body=self.read(MatchRequestSerializer)))


class _ActionView(ApiView):
    """Something done to a match before its start or after its end."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": PLAY}


class StartView(_ActionView):
    """The start by the maker."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.START_MATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Deal the first round."""
        body = self.read(SeedRequestSerializer)
        return Response(start_match(match_id=match_id, player=require_player(request), **body))


class JoinView(_ActionView):
    """Sitting down at an open seat."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.JOIN_MATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Take a seat."""
        body = self.read(JoinRequestSerializer)
        return Response(join_match(match_id=match_id, player=require_player(request), **body))


class LeaveView(_ActionView):
    """Standing up before the start."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.LEAVE_MATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Give the seat back."""
        self.read(EmptyRequestSerializer)
        return Response(leave_match(match_id=match_id, player=require_player(request)))


class AcceptView(_ActionView):
    """Saying yes to an invitation."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ACCEPT_INVITATION}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Take the seat that was kept."""
        body = self.read(SeedRequestSerializer)
        return Response(accept_invitation(match_id=match_id, player=require_player(request), **body))


class DeclineView(_ActionView):
    """Saying no to an invitation."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.DECLINE_INVITATION}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Leave the seat that was kept to others."""
        body = self.read(DeclineRequestSerializer)
        return Response(decline_invitation(match_id=match_id, player=require_player(request), **body))


class SeatView(ApiView):
    """A seat that nobody has taken yet."""

    access: ClassVar[dict[str, AccessRule]] = {"PUT": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"PUT": operations.REFILL_SEAT}

    def put(self, request: Request, match_id: str, number: int) -> Response:
        """Fill it otherwise."""
        body = self.read(RefillRequestSerializer)
        return Response(
            refill_seat(match_id=match_id, player=require_player(request), number=number, body=body)
        )


class CancelView(_ActionView):
    """Calling a match off before its start."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CANCEL_MATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Call it off."""
        self.read(EmptyRequestSerializer)
        return Response(cancel_match(match_id=match_id, player=require_player(request)))


class ResignView(_ActionView):
    """Giving up."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.RESIGN}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Give the seat up for good."""
        self.read(EmptyRequestSerializer)
        return Response(resign(match_id=match_id, player=require_player(request)))


class RematchView(_ActionView):
    """Playing once more."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ASK_FOR_REMATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Make the next match, or sit down at it where another player has made it."""
        body = self.read(SeedRequestSerializer)
        is_new, table = create_or_join_rematch(match_id=match_id, player=require_player(request), **body)
        return _created(table) if is_new else Response(table)


NEWEST_FIRST: Final = "-created_at"
ORDERINGS: Final = (NEWEST_FIRST, "created_at")
_MOST_URGENT_FIRST: Final = Order(column="urgency", holds=datetime, key_holds=str, descending=False)
READ: Final = (Scope.MATCHES_READ, Scope.MATCHES_PLAY, Scope.BOT_PLAY)


def public_list(request: Request) -> Response:
    """The lobby: what anybody may find, or the matches of one player."""
    name, maker = text_parameter(request, "player"), text_parameter(request, "maker")
    if name is not None:
        return _of_player(request, name)
    if maker is not None:
        return _listed(
            request, matches_made_by(_named(request, maker), current_player(request), _match_filter(request))
        )
    return _listed(request, public_matches(_match_filter(request)))


def _of_player(request: Request, name: str) -> Response:
    """The matches that somebody plays in, in the order of their ids, which is that of time."""
    matches = matches_of(_named(request, name), current_player(request), _match_filter(request))
    return _pages(request, matches, _order(request, "pk", str), render_listed_match)


def _named(request: Request, name: str) -> Player:
    """The player of that name; `me` is whoever asks."""
    if name != "me":
        return player_named(name)
    asking = current_player(request)
    if asking is None:
        raise Problem("not_authenticated", "Without a token nobody is `me`.")
    return asking


def _match_filter(request: Request) -> MatchFilter:
    return MatchFilter(
        status=choice_parameter(request, "status", MatchStatus.values),
        ruleset=choice_parameter(request, "ruleset", rule_set_keys()),
        open_seats=boolean_parameter(request, "open_seats"),
    )


def _listed(request: Request, matches: QuerySet[Match]) -> Response:
    return _pages(request, matches, _order(request, "created_at", datetime), render_listed_match)


def _order(request: Request, column: str, holds: type[datetime] | type[str]) -> Order:
    ordering = choice_parameter(request, "ordering", ORDERINGS) or NEWEST_FIRST
    return Order(column=column, holds=holds, key_holds=str, descending=ordering.startswith("-"))


def _pages(
    request: Request, matches: QuerySet[Match], order: Order, form: Callable[[MatchRow], dict[str, Any]]
) -> Response:
    """Find the ids of a page by its order, and then read these matches: two queries for any page."""
    shown = paginate(request, matches.only("created_at"), order=order, show=attrgetter("pk"))
    rows = {row.id: row for row in find_matches(shown["results"])}
    shown["results"] = [form(rows[match_id]) for match_id in shown["results"] if match_id in rows]
    return Response(shown)


class PlayersMatchesView(ApiView):
    """The matches of one player."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_PLAYERS_MATCHES}

    def get(self, request: Request, username: str) -> Response:
        """List the public ones; to the player all of them."""
        return _of_player(request, username)


class MyMatchesView(ApiView):
    """The matches one sits in."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": READ}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_MY_MATCHES}

    def get(self, request: Request) -> Response:
        """List those that are not over, most urgent first."""
        player = require_player(request)
        matches = running_matches(player)
        return _pages(request, matches, _MOST_URGENT_FIRST, lambda row: render_my_match(row, player))


class MyInvitationsView(ApiView):
    """The matches one is asked to play in."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": READ}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_INVITATIONS}

    def get(self, request: Request) -> Response:
        """List them, the latest first."""
        player = require_player(request)
        order = Order(column="created_at", holds=datetime, key_holds=str)
        return _pages(request, invitations(player), order, lambda row: render_invitation(row, player))
