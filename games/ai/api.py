"""API views of hints and analyses."""

from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.ai import serializers
from games.ai.analysis import start_analysis
from games.ai.queries import analysis_status, get_hint, render_analysis, require_analysis
from games.api.auth import ANYONE, PLAY, AccessRule, current_player, require_player
from games.api.conditional import conditional_response
from games.api.idempotency import idempotent
from games.api.schema.operations import ACCEPTED, HISTORY, OK, TABLE, Link, Operation
from games.api.serializers import EmptyRequestSerializer
from games.api.throttling import limit_player
from games.api.views import ApiView
from games.matches.store import read_match

READ_HINT: Final = Operation(
    id="readHint",
    summary="Get a hint",
    description=(
        "Returns the move that a strong player would make for the seat to act, based only on what that seat "
        "can see. Available in unrated matches with `hints` in which all other seats are AIs."
    ),
    tag=TABLE,
    answers={OK: serializers.HintSerializer},
    problems=("not_seated", "hints_not_allowed", "match_not_active", "not_your_turn"),
)
START_ANALYSIS: Final = Operation(
    id="startAnalysis",
    summary="Request the analysis of a match",
    description=(
        "The match must be finished. A worker compares every play and pass with the choice of the AI level "
        "`hard`, which knows only what the player knew. A repeated request returns the existing analysis."
    ),
    tag=HISTORY,
    body=EmptyRequestSerializer,
    answers={ACCEPTED: serializers.AnalysisSerializer},
    problems=("match_not_finished",),
    links=(Link("readAnalysis"),),
)
READ_ANALYSIS: Final = Operation(
    id="readAnalysis",
    summary="Get the analysis of a match",
    description=(
        "Returns the progress and, for each round, the decisions analysed so far: the best alternative to "
        "each and its cost, the chance of going out first as a curve, and the turning points."
    ),
    tag=HISTORY,
    answers={OK: serializers.AnalysisSerializer},
    problems=("not_analysed",),
    conditional=True,
)


class HintView(ApiView):
    """A suggested move for the seat to act."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": PLAY}
    operations: ClassVar[dict[str, Operation]] = {"GET": READ_HINT}

    def get(self, request: Request, match_id: str) -> Response:
        """Return the move as the body of a request."""
        player = require_player(request)
        limit_player(self, "hints", player)
        return Response(get_hint(match_id=match_id, player=player))


class AnalysisView(ApiView):
    """The analysis of a finished match."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE, "POST": PLAY}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": READ_ANALYSIS,
        "POST": START_ANALYSIS,
    }
    player_limits: ClassVar[dict[str, str]] = {"POST": "analyses"}

    def get(self, request: Request, match_id: str) -> Response:
        """Return the progress and the decisions analysed so far."""
        analysis = require_analysis(read_match(match_id, current_player(request)))
        etag_parts = analysis.pk, analysis.done, analysis_status(analysis)
        return conditional_response(request, *etag_parts, build=lambda: Response(render_analysis(analysis)))

    @idempotent
    def post(self, request: Request, match_id: str) -> Response:
        """Request the analysis; a worker does it."""
        self.validated_body(EmptyRequestSerializer)
        return Response(start_analysis(match_id=match_id, player=require_player(request)), status=ACCEPTED)
