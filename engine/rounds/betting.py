"""Bets: at any time before the bettor's own first play, also out of turn; once made a bet stands.

An amount of 0 is a declared 'no bet', and stands too. Passing is not playing. Bets stay open while a bombed
trick is to be awarded. For everybody they close when the first player is out or, where a bet is not about
that, when all but one are out.
"""

from dataclasses import replace

from engine.errors import Refused
from engine.rounds.state import RoundState
from engine.rulebook import Clause
from engine.rulesets.terms import BetsClose


def may_bet(state: RoundState, seat: int) -> bool:
    """Whether this seat may still say what it bets."""
    return state.bets[seat] is None and not (_has_played(state, seat) or _closed_for_all(state))


def bets_open(state: RoundState, seat: int) -> tuple[int, ...]:
    """The amounts this seat may bet now, 0 for none among them."""
    return (0, *state.rules.bet_amounts) if may_bet(state, seat) else ()


def place_bet(state: RoundState, seat: int, amount: int) -> RoundState:
    """The round with this bet, or the reason why there is none."""
    _check_open(state, seat)
    if state.bets[seat] is not None:
        raise Refused("bet_exists", "You have bet already, and a bet stands.", rule=Clause.BET_STANDS)
    if amount not in {0, *state.rules.bet_amounts}:
        amounts = ", ".join(str(each) for each in state.rules.bet_amounts)
        detail = f"A bet is one of {amounts}, or 0 to declare none."
        raise Refused("bet_invalid", detail, rule=Clause.BET_AMOUNTS)
    bets = (*state.bets[:seat], amount, *state.bets[seat + 1 :])
    return replace(state, bets=bets)


def _check_open(state: RoundState, seat: int) -> None:
    if not _has_played(state, seat) and _closes_at_first_out(state) and state.position.out:
        detail = "Bets are closed: a bet is on going out first, and a player is out already."
        raise Refused("bet_closed", detail, rule=Clause.BET_BEFORE_FIRST_OUT)
    if _has_played(state, seat) or _closed_for_all(state):
        detail = (
            "Bets are closed for you: they are made before your own first play, while the round is played."
        )
        raise Refused("bet_closed", detail, rule=Clause.BET_BEFORE_FIRST_PLAY)


def _has_played(state: RoundState, seat: int) -> bool:
    return state.position.hands[seat] != state.dealt[seat]


def _closed_for_all(state: RoundState) -> bool:
    if _closes_at_first_out(state):
        return bool(state.position.out)
    return state.position.all_but_one_out()


def _closes_at_first_out(state: RoundState) -> bool:
    return state.rules.bets_close is BetsClose.FIRST_OUT
