"""Queries for analyses and hints."""

from typing import Final

from games.ai.models import AnalysedPiece, Analysis
from games.core.errors import Problem
from games.core.json_types import JsonObject
from games.gateway.ai import choose_hint
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


def render_analysis(analysis: Analysis) -> JsonObject:
    """Return the progress of an analysis and the decisions analysed so far, by round."""
    rounds: dict[int, list[JsonObject]] = {}
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


def _render_round(number: int, decisions: list[JsonObject]) -> JsonObject:
    seats = sorted({decision["seat"] for decision in decisions})
    return {
        "number": number,
        "costs": [{"seat": seat, "cost": _cost(decisions, seat)} for seat in seats],
        "curve": [{name: decision[name] for name in ("version", "seat", "chance")} for decision in decisions],
        "turning_points": _turning_points(decisions),
        "decisions": decisions,
    }


def _cost(decisions: list[JsonObject], seat: int) -> float:
    costs: list[float] = [decision["cost"] for decision in decisions if decision["seat"] == seat]
    return round(sum(costs), 1)


def _turning_points(decisions: list[JsonObject]) -> list[int]:
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


def get_hint(*, match_id: str, player: Player) -> JsonObject:
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
