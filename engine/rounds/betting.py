"""Bets: allowed until the bettor's own first play, even out of turn; a bet is final.

An amount of 0 declares "no bet" and is final too. Passing does not count as playing. Bets stay open while a
bombed trick waits to be awarded. They close for everybody when the first player goes out or, in rule sets
where bets are not about going out first, when all but one player are out.
"""

from dataclasses import replace

from engine.errors import Refused
from engine.rounds.state import RoundState
from engine.rulebook import Clause
from engine.rulesets.terms import BetsClose


def may_bet(state: RoundState, seat: int) -> bool:
    """Return whether this seat may still bet or declare no bet."""
    return state.bets[seat] is None and not (_has_played(state, seat) or _closed_for_all(state))


def bets_open(state: RoundState, seat: int) -> tuple[int, ...]:
    """Return the amounts this seat may bet now, including 0 for no bet."""
    return (0, *state.rules.bet_amounts) if may_bet(state, seat) else ()


def place_bet(state: RoundState, seat: int, amount: int) -> RoundState:
    """Return the round with this bet added; raise `Refused` if the bet is not allowed."""
    _check_open(state, seat)
    if state.bets[seat] is not None:
        raise Refused("bet_exists", "You have already bet, and a bet is final.", rule=Clause.BET_STANDS)
    if amount not in {0, *state.rules.bet_amounts}:
        amounts = ", ".join(str(each) for each in state.rules.bet_amounts)
        detail = "A bet is one of {amounts}, or 0 to declare none."
        raise Refused("bet_invalid", detail, rule=Clause.BET_AMOUNTS, amounts=amounts)
    bets = (*state.bets[:seat], amount, *state.bets[seat + 1 :])
    return replace(state, bets=bets)


def _check_open(state: RoundState, seat: int) -> None:
    if not _has_played(state, seat) and _closes_at_first_out(state) and state.position.out:
        detail = "Bets are closed: a bet is on going out first, and a player is already out."
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
