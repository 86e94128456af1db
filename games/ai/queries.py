"""Read analyses and hints."""

from typing import Any, Final

from games.ai.models import AnalysedPiece, Analysis
from games.core.errors import Problem
from games.gateway.ai import choose_hint
from games.identity.models import Player
from games.matches.models.match import MatchStatus
from games.matches.store import MatchRow, SeatRow, read_match, require_seat

Form = dict[str, Any]

ANALYSED: Final = ("play", "pass")
# On what a round turned: points lost by a decision, or chance won or lost since the one before.
COSTLY: Final = 8.0
SWING: Final = 0.25


def find_analysis(row: MatchRow) -> Analysis:
    """The analysis of a match that was read."""
    found = Analysis.objects.filter(pk=row.id).first()
    if found is None:
        raise Problem("not_analysed")
    return found


def status_of(analysis: Analysis) -> str:
    """Whether it is made, being made, or was given up."""
    if analysis.failed:
        return "failed"
    return "running" if analysis.wake_at is not None else "done"


def analysis_form(analysis: Analysis) -> Form:
    """How far it is, and what was found so far."""
    rounds: dict[int, list[Form]] = {}
    pieces = AnalysedPiece.objects.filter(analysis_id=analysis.pk).order_by("first")
    for piece in pieces.values_list("decisions", flat=True):
        for decision in piece:
            rounds.setdefault(decision["round"], []).append(decision)
    return {
        "status": status_of(analysis),
        "done": analysis.done,
        "total": analysis.total,
        "rounds": [_round(number, made) for number, made in rounds.items()],
    }


def _round(number: int, made: list[Form]) -> Form:
    seats = sorted({decision["seat"] for decision in made})
    return {
        "number": number,
        "costs": [{"seat": seat, "cost": _cost(made, seat)} for seat in seats],
        "curve": [{name: decision[name] for name in ("version", "seat", "chance")} for decision in made],
        "turning_points": _turning_points(made),
        "decisions": made,
    }


def _cost(made: list[Form], seat: int) -> float:
    costs: list[float] = [decision["cost"] for decision in made if decision["seat"] == seat]
    return round(sum(costs), 1)


def _turning_points(made: list[Form]) -> list[int]:
    """Where points were thrown away, or a seat's chance was another than at its last decision."""
    found: list[int] = []
    before: dict[int, float] = {}
    for decision in made:
        seat, chance = decision["seat"], decision["chance"]
        if decision["cost"] >= COSTLY or abs(chance - before.get(seat, chance)) >= SWING:
            found.append(decision["version"])
        before[seat] = chance
    return found


def hint_for(*, match_id: str, player: Player) -> Form:
    """A move for the seat to act, as a body to send; refused where hints are not for."""
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
    """Whether hints were agreed on, the match is not rated, and all the others are AIs."""
    others = [other for other in row.seats if other.number != seat.number]
    return row.hints and not row.rated and all(other.player_id is None for other in others)
