"""Value bets from the chance of going out first and the points that a seat can expect.

A successful bet is scored by its bettor. A failed one is paid in full to each player who collects it: its
cost is the mean of what the opponents are paid.
"""

from math import exp
from typing import Final

from engine.ai.network.arrays import Floats, np
from engine.rulesets.terms import BetSplit, BetSucceeds
from engine.views.round_view import RoundView

# The scale of a logistic distribution of a round's points around the network's expectation.
SPREAD: Final = 9.0
# If bets are split in thirds, the bettor who is second out gets one third: on average a quarter is lost.
LOST_IN_THIRDS: Final = 0.25


def lost_part(view: RoundView, seat: int) -> float:
    """Return the fraction of a failed bet by which this seat falls behind."""
    if view.rules.bet_split is BetSplit.THIRDS:
        return LOST_IN_THIRDS
    others = [view.bets[other] for other in range(view.rules.players) if other != seat]
    collecting = max(1, sum(1 for amount in others if not amount))
    return collecting / len(others)


def best_bet(view: RoundView, *, chance: float, points: float) -> int:
    """Return the amount with the highest expected gain, or 0 if every bet has an expected loss."""
    seat = view.seat or 0
    lost = lost_part(view, seat)

    def worth(amount: int) -> float:
        wins = wins_on_points(points, amount) if _on_points(view) else chance
        return amount * (wins - (1 - wins) * lost)

    return max((0, *view.rules.bet_amounts), key=worth)


def at_stake(view: RoundView, chance: Floats, points: Floats) -> Floats:
    """Return the value of the current bets to the seat for each play, without what is equal for all plays."""
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
    """Return the chance to score at least the bet."""
    return 1 / (1 + exp((amount - points) / SPREAD))


def _on_points(view: RoundView) -> bool:
    return view.rules.bet_succeeds is BetSucceeds.SCORES_THE_BET
