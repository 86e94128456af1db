"""What a strong player would do: as a hint now, and for a whole match when it is over."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.authentication import signed_in, viewer
from games.api.conditional import conditionally
from games.api.idempotency import idempotent
from games.api.permissions import ANYONE, PLAY, Needs
from games.api.schema.operation import ACCEPTED, Operation
from games.api.shapes import EmptyShape
from games.api.table import operations
from games.api.view import ApiView
from games.matches.store import read_match
from games.selectors.analysis import analysis_form, find_analysis, status_of
from games.selectors.hints import hint_for
from games.services.analysing import start_analysis


class HintView(ApiView):
    """A move for the seat to act."""

    access: ClassVar[dict[str, Needs]] = {"GET": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_HINT}

    def get(self, request: Request, match_id: str) -> Response:
        """Give it as a body to send."""
        return Response(hint_for(match_id=match_id, player=signed_in(request)))


class AnalysisView(ApiView):
    """The analysis of a match that is over."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE, "POST": PLAY}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.READ_ANALYSIS,
        "POST": operations.START_ANALYSIS,
    }

    def get(self, request: Request, match_id: str) -> Response:
        """Show how far it is, and what was found."""
        analysis = find_analysis(read_match(match_id, viewer(request)))
        parts = analysis.pk, analysis.done, status_of(analysis)
        return conditionally(request, *parts, build=lambda: Response(analysis_form(analysis)))

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Start it; a worker makes it."""
        self.read(EmptyShape)
        return Response(start_analysis(match_id=match_id, player=signed_in(request)), status=ACCEPTED)
