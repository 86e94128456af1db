"""Bets: at any time before the bettor's own first play, also out of turn; once made a bet stands.

An amount of 0 is a declared 'no bet', and stands too. Passing is not playing. Bets stay open while a bombed
trick is to be awarded and after another player went out; none is taken once all but one are out.
"""

from dataclasses import replace

from engine.errors import Refused
from engine.rounds.state import RoundState
from engine.rulebook import Clause


def may_bet(state: RoundState, seat: int) -> bool:
    """Whether this seat may still say what it bets."""
    return state.bets[seat] is None and not _is_closed(state, seat)


def bets_open(state: RoundState, seat: int) -> tuple[int, ...]:
    """The amounts this seat may bet now, 0 for none among them."""
    return (0, *state.rules.bet_amounts) if may_bet(state, seat) else ()


def place_bet(state: RoundState, seat: int, amount: int) -> RoundState:
    """The round with this bet, or the reason why there is none."""
    if _is_closed(state, seat):
        detail = (
            "Bets are closed for you: they are made before your own first play, while the round is played."
        )
        raise Refused("bet_closed", detail, rule=Clause.BET_BEFORE_FIRST_PLAY)
    if state.bets[seat] is not None:
        raise Refused("bet_exists", "You have bet already, and a bet stands.", rule=Clause.BET_STANDS)
    if amount not in {0, *state.rules.bet_amounts}:
        amounts = ", ".join(str(each) for each in state.rules.bet_amounts)
        detail = f"A bet is one of {amounts}, or 0 to declare none."
        raise Refused("bet_invalid", detail, rule=Clause.BET_AMOUNTS)
    bets = (*state.bets[:seat], amount, *state.bets[seat + 1 :])
    return replace(state, bets=bets)


def _is_closed(state: RoundState, seat: int) -> bool:
    has_played = state.position.hands[seat] != state.dealt[seat]
    return has_played or state.position.all_but_one_out()
