"""Define what one seat, or a spectator, may see of a match."""

from dataclasses import dataclass

from engine.matches.ending import Length
from engine.matches.state import MatchState, Result
from engine.rulesets.model import TableRules
from engine.views.round_view import RoundView, view_round


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchView:
    """What one viewer sees of a match; `round` is the last one if there is a `result`."""

    rules: TableRules
    length: Length
    totals: tuple[int, ...]
    result: Result | None
    round: RoundView


def view_match(state: MatchState, seat: int | None) -> MatchView:
    """Return the match as this seat sees it, or as a spectator does if `seat` is None."""
    return MatchView(
        rules=state.rules,
        length=state.length,
        totals=state.totals,
        result=state.result,
        round=view_round(state.round, seat),
    )
