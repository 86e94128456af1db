"""Endpoints of the lobby."""

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar, Final

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, PLAY, AccessRule, current_player, require_player
from games.api.conditional import conditional_response
from games.api.idempotency import idempotent
from games.api.pagination import (
    Order,
    PageBody,
    boolean_parameter,
    choice_parameter,
    integer_parameter,
    list_parameter,
    paginate,
    text_parameter,
)
from games.api.schema.operations import CREATED, OK, Operation
from games.api.serializers import EmptyRequestSerializer
from games.api.views import ApiView, MatchActionView
from games.core.errors import Problem
from games.core.languages import message
from games.gateway.agreement import rule_set_keys
from games.identity.models import Player, Scope
from games.lobby import operations
from games.lobby.queries import (
    HistoryFilter,
    Include,
    ListedMatchDocument,
    MatchFilter,
    MyMatchFilter,
    PlayerResult,
    invitations,
    list_inputs,
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
    MAX_PLAYERS,
    MIN_PLAYERS,
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


class MatchesView(ApiView):
    """The matches of the lobby."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE, "POST": PLAY}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.LIST_MATCHES,
        "POST": operations.CREATE_MATCH,
    }
    player_limits: ClassVar[dict[str, str]] = {"POST": "actions"}

    def get(self, request: Request) -> Response:
        """List public matches, or those of one player."""
        return _list_lobby(request)

    @idempotent
    def post(self, request: Request) -> Response:
        """Create a match."""
        table = create_match(maker=require_player(request), body=self.validated_body(MatchRequestSerializer))
        return Response(table, status=CREATED)


class StartView(MatchActionView):
    """Starting a match that waits for its maker."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.START_MATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Start the match."""
        body = self.validated_body(SeedRequestSerializer)
        return Response(start_match(match_id=match_id, player=require_player(request), **body))


class JoinView(MatchActionView):
    """Joining a match."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.JOIN_MATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Take an open seat."""
        body = self.validated_body(JoinRequestSerializer)
        return Response(join_match(match_id=match_id, player=require_player(request), **body))


class LeaveView(MatchActionView):
    """Leaving a match before its start."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.LEAVE_MATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Give the seat back."""
        self.validated_body(EmptyRequestSerializer)
        return Response(leave_match(match_id=match_id, player=require_player(request)))


class AcceptView(MatchActionView):
    """Accepting an invitation."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ACCEPT_INVITATION}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Take the reserved seat."""
        body = self.validated_body(SeedRequestSerializer)
        return Response(accept_invitation(match_id=match_id, player=require_player(request), **body))


class DeclineView(MatchActionView):
    """Declining an invitation."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.DECLINE_INVITATION}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Decline the reserved seat."""
        body = self.validated_body(DeclineRequestSerializer)
        return Response(decline_invitation(match_id=match_id, player=require_player(request), **body))


class SeatView(ApiView):
    """A seat that no player has taken yet."""

    access: ClassVar[dict[str, AccessRule]] = {"PUT": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"PUT": operations.REFILL_SEAT}
    player_limits: ClassVar[dict[str, str]] = {"PUT": "actions"}

    def put(self, request: Request, match_id: str, number: int) -> Response:
        """Give the seat to another player or an AI, or open it."""
        body = self.validated_body(RefillRequestSerializer)
        return Response(
            refill_seat(match_id=match_id, player=require_player(request), number=number, body=body)
        )


class CancelView(MatchActionView):
    """Cancelling a match before its start."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CANCEL_MATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Cancel the match."""
        self.validated_body(EmptyRequestSerializer)
        return Response(cancel_match(match_id=match_id, player=require_player(request)))


class RematchView(MatchActionView):
    """The rematch of a finished match."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ASK_FOR_REMATCH}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Create the rematch, or join it if another player has created it."""
        body = self.validated_body(SeedRequestSerializer)
        is_new, table = create_or_join_rematch(match_id=match_id, player=require_player(request), **body)
        return Response(table, status=CREATED if is_new else OK)


_NEWEST_FIRST: Final = "-created_at"
_ORDERINGS: Final = (_NEWEST_FIRST, "created_at")
_MOST_URGENT_FIRST: Final = Order(column="urgency", value_type=datetime, key_type=str, descending=False)
READ: Final = (Scope.MATCHES_READ, Scope.MATCHES_PLAY, Scope.BOT_PLAY)


def _list_lobby(request: Request) -> Response:
    """List public matches, or those that one player plays in or created."""
    name, maker = text_parameter(request, "player"), text_parameter(request, "maker")
    if name is not None:
        return _list_played_matches(request, name)
    if maker is None:
        return _list_by_creation(request, public_matches(_match_filter(request)))
    created = matches_made_by(
        _resolve_player(request, maker), current_player(request), _match_filter(request)
    )
    return _list_by_creation(request, created)


def _list_played_matches(
    request: Request,
    name: str,
    history_filter: HistoryFilter = HistoryFilter(),  # noqa: B008 -- immutable
) -> Response:
    """List the matches that a player plays in, ordered by id and therefore by creation time."""
    player, viewer = _resolve_player(request, name), current_player(request)
    matches = matches_of(player, viewer, _match_filter(request), history_filter)
    return _page_response(request, matches, _order(request, "pk", str), render_listed_match)


def _resolve_player(request: Request, name: str) -> Player:
    """Return the player with this name; `me` is the caller."""
    if name != "me":
        return player_named(name)
    caller = current_player(request)
    if caller is None:
        raise Problem("not_authenticated", message("Send a token to use `me` as a player's name."))
    return caller


def _match_filter(request: Request) -> MatchFilter:
    return MatchFilter(
        status=choice_parameter(request, "status", MatchStatus.values),
        ruleset=choice_parameter(request, "ruleset", rule_set_keys()),
        open_seats=boolean_parameter(request, "open_seats"),
    )


def _history_filter(request: Request) -> HistoryFilter:
    against = text_parameter(request, "against")
    result = choice_parameter(request, "result", list(PlayerResult))
    search = text_parameter(request, "q")
    return HistoryFilter(
        players=integer_parameter(request, "players", smallest=MIN_PLAYERS, largest=MAX_PLAYERS),
        against=None if against is None else player_named(against),
        result=None if result is None else PlayerResult(result),
        search=search or None,
    )


def _list_by_creation(request: Request, matches: QuerySet[Match]) -> Response:
    return _page_response(request, matches, _order(request, "created_at", datetime), render_listed_match)


def _order(request: Request, column: str, column_type: type[datetime] | type[str]) -> Order:
    ordering = choice_parameter(request, "ordering", _ORDERINGS) or _NEWEST_FIRST
    return Order(column=column, value_type=column_type, key_type=str, descending=ordering.startswith("-"))


def _page_response(
    request: Request,
    matches: QuerySet[Match],
    order: Order,
    render: Callable[[MatchRow], ListedMatchDocument],
) -> Response:
    """Return one page of matches. It takes two queries: one for the ids, one for their matches."""
    return _rendered_page(
        paginate(request, matches.only("created_at"), order=order, show=lambda match: match.pk), render
    )


def _rendered_page(page: PageBody[str], render: Callable[[MatchRow], ListedMatchDocument]) -> Response:
    """Return a page of match ids with the matches."""
    rows = {row.id: row for row in find_matches(page["results"])}
    shown = [render(rows[match_id]) for match_id in page["results"] if match_id in rows]
    return Response({**page, "results": shown})


class PlayersMatchesView(ApiView):
    """The matches that a player plays in."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_PLAYERS_MATCHES}

    def get(self, request: Request, username: str) -> Response:
        """List all matches to the player, and the public ones to others."""
        return _list_played_matches(request, username, _history_filter(request))


class MyMatchesView(ApiView):
    """The unfinished matches of the caller."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": READ}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_MY_MATCHES}

    def get(self, request: Request) -> Response:
        """List the caller's unfinished matches, most urgent first."""
        player = require_player(request)
        include = list_parameter(request, "include", most=len(Include), choices=list(Include)) or ()
        match_filter = MyMatchFilter(
            my_turn=boolean_parameter(request, "my_turn"),
            ids=list_parameter(request, "ids", most=operations.MOST_OWN_MATCHES),
        )
        page = paginate(
            request,
            running_matches(player, match_filter).only("version"),
            order=_MOST_URGENT_FIRST,
            show=lambda match: match.pk,
            largest=operations.MOST_OWN_MATCHES,
        )

        def build() -> Response:
            return _rendered_page(page, lambda row: render_my_match(row, player, include))

        inputs = (page["next"], page["previous"], page["results"], list_inputs(page["results"], player))
        return conditional_response(request, *inputs, build=build)


class MyInvitationsView(ApiView):
    """The invitations of the caller."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": READ}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_INVITATIONS}

    def get(self, request: Request) -> Response:
        """List the matches that the caller is invited to, newest first."""
        player = require_player(request)
        order = Order(column="created_at", value_type=datetime, key_type=str)
        return _page_response(request, invitations(player), order, lambda row: render_invitation(row, player))
