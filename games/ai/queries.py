"""Queries for analyses and hints."""

from typing import Final, TypedDict

from games.ai.models import AnalysedPiece, Analysis
from games.core.errors import Problem
from games.gateway.ai import choose_hint
from games.gateway.documents import DecisionDocument, HintDocument
from games.identity.models import Player
from games.matches.models.match import MatchStatus
from games.matches.store import MatchRow, SeatRow, read_match, require_seat

ANALYSED_TYPES: Final = ("play", "pass")
# A decision is a turning point if it costs this many points, or if the chance of the seat has changed this
# much since its previous decision.
TURNING_POINT_COST: Final = 8.0
TURNING_POINT_SWING: Final = 0.25


def require_analysis(row: MatchRow) -> Analysis:
    """Return the analysis of a match, or raise `not_analysed`."""
    analysis = Analysis.objects.filter(pk=row.id).first()
    if analysis is None:
        raise Problem("not_analysed")
    return analysis


def analysis_status(analysis: Analysis) -> str:
    """Return `running`, `done` or `failed`."""
    if analysis.failed:
        return "failed"
    return "running" if analysis.wake_at is not None else "done"


class SeatCost(TypedDict):
    """What the mistakes of a seat cost in a round, in points."""

    seat: int
    cost: float


class CurvePoint(TypedDict):
    """The chance of the seat to act before a decision."""

    version: int
    seat: int
    chance: float


class AnalysedRoundDocument(TypedDict):
    """The analysis of a round."""

    number: int
    costs: list[SeatCost]
    curve: list[CurvePoint]
    turning_points: list[int]
    decisions: list[DecisionDocument]


class AnalysisDocument(TypedDict):
    """The progress of an analysis and the rounds analysed so far."""

    status: str
    done: int
    total: int
    rounds: list[AnalysedRoundDocument]


class VersionedHint(TypedDict):
    """A suggested move at a version of the table."""

    version: int
    move: HintDocument


def render_analysis(analysis: Analysis) -> AnalysisDocument:
    """Return the progress of an analysis and the decisions analysed so far, by round."""
    rounds: dict[int, list[DecisionDocument]] = {}
    pieces = AnalysedPiece.objects.filter(analysis_id=analysis.pk).order_by("first")
    for piece in pieces.values_list("decisions", flat=True):
        for decision in piece:
            rounds.setdefault(decision["round"], []).append(decision)
    return {
        "status": analysis_status(analysis),
        "done": analysis.done,
        "total": analysis.total,
        "rounds": [_render_round(number, decisions) for number, decisions in rounds.items()],
    }


def _render_round(number: int, decisions: list[DecisionDocument]) -> AnalysedRoundDocument:
    seats = sorted({decision["seat"] for decision in decisions})
    return {
        "number": number,
        "costs": [{"seat": seat, "cost": _cost(decisions, seat)} for seat in seats],
        "curve": [
            {"version": each["version"], "seat": each["seat"], "chance": each["chance"]} for each in decisions
        ],
        "turning_points": _turning_points(decisions),
        "decisions": decisions,
    }


def _cost(decisions: list[DecisionDocument], seat: int) -> float:
    costs = [decision["cost"] for decision in decisions if decision["seat"] == seat]
    return round(sum(costs), 1)


def _turning_points(decisions: list[DecisionDocument]) -> list[int]:
    """Return the versions of costly decisions and of those at which the chance of a seat changed a lot."""
    versions: list[int] = []
    last_chances: dict[int, float] = {}
    for decision in decisions:
        seat, chance = decision["seat"], decision["chance"]
        if (
            decision["cost"] >= TURNING_POINT_COST
            or abs(chance - last_chances.get(seat, chance)) >= TURNING_POINT_SWING
        ):
            versions.append(decision["version"])
        last_chances[seat] = chance
    return versions


def get_hint(*, match_id: str, player: Player) -> VersionedHint:
    """Return a suggested move for the player who is to act, as the body of a request.

    Raise a problem if hints are not allowed in this match.
    """
    row = read_match(match_id, player)
    seat = require_seat(row, player)
    if not hints_allowed(row, seat):
        raise Problem("hints_not_allowed")
    if row.status != MatchStatus.ACTIVE:
        raise Problem("match_not_active")
    table = row.table()
    if table.to_act != seat.number:
        raise Problem("not_your_turn", version=row.version)
    move = choose_hint(table, seat.number, match_id=row.id, version=row.version)
    return {"version": row.version, "move": move}


def hints_allowed(row: MatchRow, seat: SeatRow) -> bool:
    """Return whether hints are on, the match is unrated and all other seats are AIs."""
    others = [other for other in row.seats if other.number != seat.number]
    return row.hints and not row.rated and all(other.player_id is None for other in others)
