"""Score going out: five points for each card in the largest opposing hand at that time, face cards included.

With three players, both the first and the second to go out score this way, each at their own time.
"""

from engine.rulesets.terms import POINTS_PER_CARD_LEFT
from engine.scoring.finished import FinishedRound


def going_out(finished: FinishedRound, seat: int) -> int:
    """Return what a seat scores for going out, or 0 if it never did."""
    if seat not in finished.out:
        return 0
    return POINTS_PER_CARD_LEFT * finished.opposing[finished.out.index(seat)]
