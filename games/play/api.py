"""Endpoints of a match: its table, moves, rounds and standing orders."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import (
    ANYONE,
    PLAY,
    AccessRule,
    MatchTokenAuthentication,
    current_player,
    match_of,
    require_player,
    visible_match,
)
from games.api.conditional import Caching, conditional_response
from games.api.idempotency import answer_once, idempotent, not_idempotent, request_key, stored_with_event
from games.api.long_polling import WaitCondition, wait_for_change, wait_seconds
from games.api.pagination import (
    Order,
    build_url,
    choice_parameter,
    integer_parameter,
    page_limit,
    paginate,
    validate_page_parameters,
)
from games.api.schema.operations import MAX_VERSION, Operation
from games.api.serializers import EmptyRequestSerializer
from games.api.views import ApiView, MatchActionView
from games.gateway.documents import NamedCombination
from games.gateway.table import KINDS
from games.matches.queries import is_public_and_over, log_after, read_round, render_table, rounds_of
from games.matches.store import MatchRow, read_match
from games.play import operations
from games.play.queries import check_cards, etag_inputs, legal_moves
from games.play.resignation import resign
from games.play.serializers import MAX_NUMBER, CardsRequestSerializer, serializer_for
from games.play.services import CREATED, act, clear_standing_order, set_standing_order


class MatchView(ApiView):
    """One match: the table as its viewer can see it."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_MATCH}
    authentication_classes = (MatchTokenAuthentication,)

    def get(self, request: Request, match_id: str) -> Response:
        """Return the table, or 304 if it is unchanged. With `?after=`, wait for a later version."""
        player = current_player(request)
        after = integer_parameter(request, "after", smallest=0, largest=MAX_VERSION)
        seconds = wait_seconds(request)
        row = visible_match(request, match_id)
        response = conditional_response(
            request, *etag_inputs(row, player), build=lambda: Response(render_table(row, player))
        )
        return response if after is None else _wait_past_version(request, response, row, after, seconds)


class MovesView(ApiView):
    """The log of a match, and actions on it."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE, "POST": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_LOG, "POST": operations.ACT}
    authentication_classes = (MatchTokenAuthentication,)

    def get(self, request: Request, match_id: str) -> Response:
        """Return the log, after a version if one is given."""
        return _log_response(request, match_id)

    @stored_with_event
    def post(self, request: Request, match_id: str) -> Response:
        """Play, pass, bet or award."""
        body, key, row = (
            self.validated_body(serializer_for(request.data)),
            request_key(request),
            match_of(request),
        )
        player = require_player(request)

        def answer() -> Response:
            result = act(match_id=match_id, player=player, body=body, key=key, prefetched=row)
            return Response(result, status=CREATED)

        return answer_once(key, answer)


class CheckView(ApiView):
    """The readings of cards, without playing them."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CHECK_CARDS}

    @not_idempotent  # changes nothing
    def post(self, request: Request, match_id: str) -> Response:
        """Return every reading of some of the player's cards."""
        body = self.validated_body(CardsRequestSerializer)
        return Response(
            check_cards(
                match_id=match_id, player=require_player(request), cards=body["cards"], named=body.get("as")
            )
        )


class LegalMovesView(ApiView):
    """The legal moves of the seat to act."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_LEGAL_MOVES}

    def get(self, request: Request, match_id: str) -> Response:
        """List the legal moves, only to the player whose turn it is."""
        filters: NamedCombination = {
            "kind": choice_parameter(request, "kind", KINDS),
            "width": integer_parameter(request, "width", smallest=0, largest=MAX_NUMBER),
            "length": integer_parameter(request, "length", smallest=0, largest=MAX_NUMBER),
            "top": integer_parameter(request, "top", smallest=0, largest=MAX_NUMBER),
        }
        expand = choice_parameter(request, "expand", ("plays",)) == "plays"
        return Response(
            legal_moves(match_id=match_id, player=require_player(request), filters=filters, expand=expand)
        )


_BY_NUMBER = Order(column="number", value_type=int, descending=False)


def _log_response(request: Request, match_id: str) -> Response:
    """Return a page of log entries after `?after=`, oldest first."""
    after = integer_parameter(request, "after", smallest=0, largest=MAX_VERSION) or 0
    limit, seconds = page_limit(request), wait_seconds(request)
    row = visible_match(request, match_id)
    response = conditional_response(
        request,
        row.id,
        row.version,
        build=lambda: _log_page(request, row, after, limit),
        caching=_caching_of_history(row),
    )
    return _wait_past_version(request, response, row, after, seconds)


def _caching_of_history(row: MatchRow) -> Caching:
    """Return how to cache log entries and rounds, which name no player and do not change after the match."""
    return Caching.FINAL if is_public_and_over(row) else Caching.VIEWER


def _wait_past_version(
    request: Request, response: Response, row: MatchRow, after: int, seconds: int
) -> Response:
    """Return the response, after waiting for a later version unless there is one or the match is over."""
    if row.version > after or row.finished_at is not None:
        return response
    return wait_for_change(
        request, response, WaitCondition(seconds=seconds, match_id=row.id, version=row.version)
    )


def _log_page(request: Request, row: MatchRow, after: int, limit: int) -> Response:
    entries = log_after(row, after, limit)
    last = entries[-1]["version"] if entries else after
    return Response(
        {
            "next": build_url(request, after=str(last)) if last < row.version and entries else None,
            "previous": build_url(request, after=str(max(0, after - limit))) if after else None,
            "results": entries,
        }
    )


class RoundsView(ApiView):
    """The rounds of a match."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_ROUNDS}

    def get(self, request: Request, match_id: str) -> Response:
        """List the rounds, oldest first. Those that have ended include their deals and links."""
        validate_page_parameters(request, order=_BY_NUMBER)
        row = read_match(match_id, current_player(request))

        def build() -> Response:
            rounds, show = rounds_of(row)
            return Response(paginate(request, rounds, order=_BY_NUMBER, show=show))

        return conditional_response(
            request, row.id, row.version, build=build, caching=_caching_of_history(row)
        )


class RoundView(ApiView):
    """One round of a match."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_ROUND}

    def get(self, request: Request, match_id: str, number: int) -> Response:
        """Return the round, including its deal and link if it has ended."""
        row, round_data = read_round(match_id, number, current_player(request))
        return conditional_response(
            request,
            row.id,
            row.version,
            build=lambda: Response(round_data),
            caching=_caching_of_history(row),
        )


class StandingOrderView(ApiView):
    """The standing order of the player's seat, which only that player sees in the table."""

    access: ClassVar[dict[str, AccessRule]] = {"PUT": PLAY, "DELETE": PLAY}
    operations: ClassVar[dict[str, Operation]] = {
        "PUT": operations.GIVE_STANDING_ORDER,
        "DELETE": operations.WITHDRAW_STANDING_ORDER,
    }

    def put(self, request: Request, match_id: str) -> Response:
        """Set the order. Setting it again changes nothing."""
        self.validated_body(EmptyRequestSerializer)
        return Response(set_standing_order(match_id=match_id, player=require_player(request)))

    def delete(self, request: Request, match_id: str) -> Response:
        """Clear the order, if there is one."""
        return Response(clear_standing_order(match_id=match_id, player=require_player(request)))


class ResignView(MatchActionView):
    """Resigning from a match."""

    operations: ClassVar[dict[str, Operation]] = {"POST": operations.RESIGN}

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Resign the player's seat."""
        self.validated_body(EmptyRequestSerializer)
        return Response(resign(match_id=match_id, player=require_player(request)))
