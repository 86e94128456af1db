"""Looking at a table, and acting at it."""

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.authentication import TokenAtTable, match_of, match_shown, signed_in, viewer
from games.api.conditional import conditionally
from games.api.events.door import seconds_asked
from games.api.idempotency import answer_once, never_kept, request_key, stored_with_event
from games.api.parameters import choice_parameter, integer_parameter
from games.api.permissions import ANYONE, PLAY, Needs
from games.api.schema.operation import Operation
from games.api.table import operations
from games.api.table.history import LARGEST_VERSION, log, past_version
from games.api.table.shapes import LARGEST_NUMBER, CardsShape, shape_of
from games.api.view import ApiView
from games.gateway.table import KINDS
from games.selectors.freshness import parts_of
from games.selectors.hands import check_cards, legal_moves
from games.selectors.table_form import table_form
from games.services.play import CREATED, act


class MatchView(ApiView):
    """One match: the table as its viewer may see it."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_MATCH}
    authentication_classes = (TokenAtTable,)

    def get(self, request: Request, match_id: str) -> Response:
        """Show the table, unless the viewer has it as it is; or wait until it is past `?after=`."""
        player = viewer(request)
        after = integer_parameter(request, "after", smallest=0, largest=LARGEST_VERSION)
        seconds = seconds_asked(request)
        row = match_shown(request, match_id)
        response = conditionally(
            request, *parts_of(row, player), build=lambda: Response(table_form(row, player))
        )
        return response if after is None else past_version(request, response, row, after, seconds)


class MovesView(ApiView):
    """The actions of a match."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE, "POST": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_LOG, "POST": operations.ACT}
    authentication_classes = (TokenAtTable,)

    def get(self, request: Request, match_id: str) -> Response:
        """Show the log, after a version if one is given."""
        return log(request, match_id)

    @stored_with_event
    def post(self, request: Request, match_id: str) -> Response:
        """Play, pass, bet or award."""
        body, key, read = self.read(shape_of(request.data)), request_key(request), match_of(request)
        player = signed_in(request)

        def answer() -> Response:
            form = act(match_id=match_id, player=player, body=body, key=key, read=read)
            return Response(form, status=CREATED)

        return answer_once(key, answer)


class CheckView(ApiView):
    """What cards could be played as; nothing is changed."""

    access: ClassVar[dict[str, Needs]] = {"POST": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CHECK_CARDS}

    @never_kept  # nothing is done
    def post(self, request: Request, match_id: str) -> Response:
        """Give every reading of some of one's own cards."""
        body = self.read(CardsShape)
        return Response(check_cards(match_id=match_id, player=signed_in(request), body=body))


class LegalMovesView(ApiView):
    """What the seat to act may do."""

    access: ClassVar[dict[str, Needs]] = {"GET": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_LEGAL_MOVES}

    def get(self, request: Request, match_id: str) -> Response:
        """List it for the player whose turn it is, and for nobody else."""
        named: dict[str, Any] = {"kind": choice_parameter(request, "kind", KINDS)}
        for name in ("width", "length", "top"):
            named[name] = integer_parameter(request, name, smallest=0, largest=LARGEST_NUMBER)
        expand = choice_parameter(request, "expand", ("plays",)) == "plays"
        return Response(legal_moves(match_id=match_id, player=signed_in(request), named=named, expand=expand))
