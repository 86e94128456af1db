"""End a round: collect where all cards ended up and make the score sheet."""

from engine.cards.hand import pile_of
from engine.rounds.position import Position
from engine.rounds.state import RoundState
from engine.rulesets.model import TableRules
from engine.scoring.finished import FinishedRound
from engine.scoring.sheet import SeatScore, score_sheet


def finished(position: Position, haggis: int, bets: tuple[int | None, ...]) -> FinishedRound:
    """Return where every card of a finished round ended up."""
    last = next(seat for seat, hand in enumerate(position.hands) if hand)
    return FinishedRound(
        players=position.table.players,
        out=position.out,
        opposing=position.opposing,
        captured=position.captured,
        last_hand=pile_of(position.hands[last], last),
        haggis=haggis,
        final_captor=position.captor,
        bets=bets,
    )


def score_round(state: RoundState) -> tuple[SeatScore, ...]:
    """Return the score sheet of a finished round."""
    return score_position(state.rules, state.position, state.haggis, state.bets)


def score_position(
    rules: TableRules, position: Position, haggis: int, bets: tuple[int | None, ...]
) -> tuple[SeatScore, ...]:
    """Return the score sheet of a round that ended in this position with these undealt cards."""
    return score_sheet(rules, finished(position, haggis, bets))
