"""End a round: collect where all cards ended up and make the score sheet."""

from engine.cards.hand import pile_of
from engine.rounds.state import RoundState
from engine.scoring.finished import FinishedRound
from engine.scoring.sheet import SeatScore, score_sheet


def finished(state: RoundState) -> FinishedRound:
    """Return where every card of a finished round ended up."""
    position = state.position
    last = next(seat for seat, hand in enumerate(position.hands) if hand)
    return FinishedRound(
        players=state.rules.players,
        out=position.out,
        opposing=position.opposing,
        captured=position.captured,
        last_hand=pile_of(position.hands[last], last),
        haggis=state.haggis,
        final_captor=position.captor,
        bets=state.bets,
    )


def score_round(state: RoundState) -> tuple[SeatScore, ...]:
    """Return the score sheet of a finished round."""
    return score_sheet(state.rules, finished(state))
