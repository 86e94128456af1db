"""What bets are worth, from the chance of going out first and the points that a seat may expect.

A bet won is scored by its bettor. One that is lost is paid in full to each who collects it: what that costs
is the mean of what the opponents are paid.
"""

from math import exp
from typing import Final

from engine.ai.network.arrays import Floats, np
from engine.rulesets.terms import BetSplit, BetSucceeds
from engine.views.round_view import RoundView

# How far a round's points lie from what the network expects of them, as the width of a logistic curve.
SPREAD: Final = 9.0
# Of a bet split in thirds the bettor who is second is paid one third: on the mean a quarter is lost.
LOST_IN_THIRDS: Final = 0.25


def lost_part(view: RoundView, seat: int) -> float:
    """Which part of a failed bet this seat falls behind by."""
    if view.rules.bet_split is BetSplit.THIRDS:
        return LOST_IN_THIRDS
    others = [view.bets[other] for other in range(view.rules.players) if other != seat]
    collecting = max(1, sum(1 for amount in others if not amount))
    return collecting / len(others)


def best_bet(view: RoundView, *, chance: float, points: float) -> int:
    """The amount with the most to gain, 0 where each would rather be lost."""
    seat = view.seat or 0
    lost = lost_part(view, seat)

    def worth(amount: int) -> float:
        wins = wins_on_points(points, amount) if _on_points(view) else chance
        return amount * (wins - (1 - wins) * lost)

    return max((0, *view.rules.bet_amounts), key=worth)


def at_stake(view: RoundView, chance: Floats, points: Floats) -> Floats:
    """For each play what the standing bets are worth to the seat, but for what is the same for all."""
    seat = view.seat or 0
    found = np.zeros_like(chance)
    own = view.bets[seat] or 0
    if _on_points(view):
        if own:
            found += own * (1 + lost_part(view, seat)) / (1 + np.exp((own - points) / SPREAD))
        return found
    others = sum(view.bets[other] or 0 for other in range(view.rules.players) if other != seat)
    found += chance * (own * (1 + lost_part(view, seat)) + others * 2 / (view.rules.players - 1))
    return found


def wins_on_points(points: float, amount: int) -> float:
    """The chance to score at least the bet."""
    return 1 / (1 + exp((amount - points) / SPREAD))


def _on_points(view: RoundView) -> bool:
    return view.rules.bet_succeeds is BetSucceeds.SCORES_THE_BET
