"""Reveal a finished round: every hand as dealt, the haggis, and the score sheet."""

from dataclasses import dataclass

from engine.errors import Refused
from engine.rounds.ending import score_round
from engine.rounds.state import RoundState, Trick
from engine.rulebook import Clause
from engine.scoring.sheet import SeatScore


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeView:
    """Everything about a finished round; `hands` are full hands as dealt, including face cards."""

    number: int
    dealer: int | None
    leader: int
    hands: tuple[int, ...]
    haggis: int
    tricks: tuple[Trick, ...]
    bets: tuple[int | None, ...]
    out: tuple[int, ...]
    scores: tuple[SeatScore, ...]


def view_finished_round(state: RoundState) -> RefereeView:
    """Return everything about a finished round; refuse if the round is still running."""
    if not state.is_over:
        raise Refused("round_running", "This round is still being played.", rule=Clause.ROUND_RUNNING)
    return RefereeView(
        number=state.number,
        dealer=state.dealer,
        leader=state.leader,
        hands=state.dealt,
        haggis=state.haggis,
        tricks=state.tricks,
        bets=state.bets,
        out=state.position.out,
        scores=score_round(state),
    )
