"""Looking at a table, and acting at it."""

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.authentication import BearerToken, signed_in, viewer
from games.api.conditional import conditionally, entity_tag, has_it
from games.api.idempotency import keyed_request, never_kept
from games.api.parameters import choice_parameter, integer_parameter
from games.api.permissions import ANYONE, PLAY, Needs
from games.api.table.history import log
from games.api.table.shapes import LARGEST_NUMBER, CardsShape, shape_of
from games.api.view import ApiView
from games.gateway.table import KINDS
from games.selectors.freshness import parts_of, parts_with, with_table
from games.selectors.hands import check_cards, legal_moves
from games.selectors.matches import read_match
from games.selectors.table_form import table_form
from games.services.accounts.tokens import Along
from games.services.play import act


class TokenWithTable(BearerToken):
    """A token read together with what its player's view of the table depends on, where that may be enough."""

    def along(self, request: Request) -> Along | None:
        """Ask for it where the viewer says that it has the table."""
        if "HTTP_IF_NONE_MATCH" not in request.META:
            return None
        match_id = request.parser_context["kwargs"]["match_id"]
        return lambda tokens: with_table(tokens, match_id)


class MatchView(ApiView):
    """One match: the table as its viewer may see it."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    authentication_classes = (TokenWithTable,)

    def get(self, request: Request, match_id: str) -> Response:
        """Show the table, unless the viewer has it as it is."""
        player = viewer(request)
        parts = parts_with(request.auth)
        if parts is not None and has_it(request, entity_tag(request, *parts)):
            return conditionally(request, *parts, build=Response)
        row = read_match(match_id, player)
        return conditionally(request, *parts_of(row, player), build=lambda: Response(table_form(row, player)))


class MovesView(ApiView):
    """The actions of a match."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE, "POST": PLAY}

    def get(self, request: Request, match_id: str) -> Response:
        """Show the log, after a version if one is given."""
        return log(request, match_id)

    @never_kept  # by the frame: an action keeps its answer in its own statement
    def post(self, request: Request, match_id: str) -> Response:
        """Play, pass, bet or award."""
        body = self.read(shape_of(request.data))
        status, answer = act(
            match_id=match_id, player=signed_in(request), body=body, request=keyed_request(request)
        )
        return Response(answer, status=status)


class CheckView(ApiView):
    """What cards could be played as; nothing is changed."""

    access: ClassVar[dict[str, Needs]] = {"POST": PLAY}

    @never_kept  # nothing is done
    def post(self, request: Request, match_id: str) -> Response:
        """Give every reading of some of one's own cards."""
        body = self.read(CardsShape)
        return Response(check_cards(match_id=match_id, player=signed_in(request), body=body))


class LegalMovesView(ApiView):
    """What the seat to act may do."""

    access: ClassVar[dict[str, Needs]] = {"GET": PLAY}

    def get(self, request: Request, match_id: str) -> Response:
        """List it for the player whose turn it is, and for nobody else."""
        named: dict[str, Any] = {"kind": choice_parameter(request, "kind", KINDS)}
        for name in ("width", "length", "top"):
            named[name] = integer_parameter(request, name, smallest=0, largest=LARGEST_NUMBER)
        expand = choice_parameter(request, "expand", ("plays",)) == "plays"
        return Response(legal_moves(match_id=match_id, player=signed_in(request), named=named, expand=expand))
