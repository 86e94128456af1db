"""Score bets: a successful bet pays its bettor, a failed one pays in full everyone entitled to collect it.

Those are the first player out and every player without a bet, each once, but never the bettor. 0 means no
bet. Example: seats 0 and 1 bet 15, seat 2 did not, and seat 0 went out first.

>>> pay_in_full((15, 15, 0), succeeded=(True, False, False), first_out=0)
(30, 0, 15)
>>> pay_in_thirds((15, 15, 0), out=(0, 1))
(25, 5, 0)
"""

from collections.abc import Sequence
from typing import assert_never

from engine.rulesets.model import TableRules
from engine.rulesets.terms import BetSplit, BetSucceeds
from engine.scoring.finished import FinishedRound


def bets(rules: TableRules, finished: FinishedRound, points: Sequence[int]) -> tuple[int, ...]:
    """Return what each seat scores for bets; `points` is what each scored in this round without them."""
    placed = tuple(amount or 0 for amount in finished.bets)
    match rules.bet_split:
        case BetSplit.FULL:
            succeeded = [
                bet_succeeds(rules, finished, seat, points[seat]) for seat in range(finished.players)
            ]
            return pay_in_full(placed, succeeded=succeeded, first_out=finished.first_out)
        case BetSplit.THIRDS:
            return pay_in_thirds(placed, out=finished.out)
        case _:
            assert_never(rules.bet_split)


def bet_succeeds(rules: TableRules, finished: FinishedRound, seat: int, points: int) -> bool:
    """Return whether this seat's bet succeeds: by going out first or by scoring at least the bet."""
    match rules.bet_succeeds:
        case BetSucceeds.GOES_OUT_FIRST:
            return seat == finished.first_out
        case BetSucceeds.SCORES_THE_BET:
            return points >= (finished.bets[seat] or 0)
        case _:
            assert_never(rules.bet_succeeds)


def pay_in_full(placed: Sequence[int], *, succeeded: Sequence[bool], first_out: int) -> tuple[int, ...]:
    """Return the payments when each bet is paid in full, to its bettor or to each player who collects it."""
    paid = [0] * len(placed)
    for bettor, amount in enumerate(placed):
        payees = [bettor] if succeeded[bettor] else collectors(placed, bettor=bettor, first_out=first_out)
        for payee in payees:
            paid[payee] += amount
    return tuple(paid)


def collectors(placed: Sequence[int], *, bettor: int, first_out: int) -> list[int]:
    """Return who collects a failed bet: the first out and each player without a bet, but never the bettor.

    If the bettor went out first but failed on points, only the players without a bet collect:

    >>> collectors((30, 0, 15), bettor=0, first_out=0)
    [1]
    """
    return [
        seat for seat, amount in enumerate(placed) if seat != bettor and (seat == first_out or not amount)
    ]


def pay_in_thirds(placed: Sequence[int], *, out: Sequence[int]) -> tuple[int, ...]:
    """Return the payments if the first out gets their own bet and two thirds of others, the second a third.

    Both other bets count, including the second player's own. All amounts are multiples of 15, so nothing is
    rounded.
    """
    first, second = out
    others = sum(placed) - placed[first]
    paid = [0] * len(placed)
    paid[first] = placed[first] + others * 2 // 3
    paid[second] = others // 3
    return tuple(paid)
