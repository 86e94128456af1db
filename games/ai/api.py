"""Endpoints of hints and analyses."""

from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.ai import serializers
from games.ai.analysis import start_analysis
from games.ai.queries import analysis_form, find_analysis, hint_for, status_of
from games.api.auth import ANYONE, PLAY, AccessRule, current_player, require_player
from games.api.conditional import conditional_response
from games.api.idempotency import idempotent
from games.api.schema.operations import ACCEPTED, HISTORY, OK, TABLE, Link, Operation
from games.api.serializers import EmptyRequestSerializer
from games.api.views import ApiView
from games.matches.store import read_match

READ_HINT: Final = Operation(
    id="readHint",
    summary="What a strong player would do",
    description=(
        "For the seat to act, from what it may see. Only where `hints` was agreed on, in matches that are "
        "not rated, and where nobody but AIs is played against."
    ),
    tag=TABLE,
    answers={OK: serializers.HintSerializer},
    problems=("not_seated", "hints_not_allowed", "match_not_active", "not_your_turn"),
)
START_ANALYSIS: Final = Operation(
    id="startAnalysis",
    summary="Ask for the analysis of a match",
    description=(
        "Of a match that is over. A worker looks at every play and pass as the level `hard` would have, "
        "knowing only what the player knew. Asked for again it stays as it is."
    ),
    tag=HISTORY,
    body=EmptyRequestSerializer,
    body_may_be_left_out=True,
    answers={ACCEPTED: serializers.AnalysisSerializer},
    problems=("match_not_finished",),
    leads=(Link("readAnalysis"),),
)
READ_ANALYSIS: Final = Operation(
    id="readAnalysis",
    summary="The analysis of a match",
    description=(
        "How far it is, and by round what was found so far: each decision with what would have been best "
        "and what it cost, the chance of going out first as a curve, and where the round turned."
    ),
    tag=HISTORY,
    answers={OK: serializers.AnalysisSerializer},
    problems=("not_analysed",),
    conditional=True,
)


class HintView(ApiView):
    """A move for the seat to act."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"GET": READ_HINT}

    def get(self, request: Request, match_id: str) -> Response:
        """Give it as a body to send."""
        return Response(hint_for(match_id=match_id, player=require_player(request)))


class AnalysisView(ApiView):
    """The analysis of a match that is over."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE, "POST": PLAY}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": READ_ANALYSIS,
        "POST": START_ANALYSIS,
    }

    def get(self, request: Request, match_id: str) -> Response:
        """Show how far it is, and what was found."""
        analysis = find_analysis(read_match(match_id, current_player(request)))
        parts = analysis.pk, analysis.done, status_of(analysis)
        return conditional_response(request, *parts, build=lambda: Response(analysis_form(analysis)))

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Start it; a worker makes it."""
        self.read(EmptyRequestSerializer)
        return Response(start_analysis(match_id=match_id, player=require_player(request)), status=ACCEPTED)
