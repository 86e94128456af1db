"""Going out scores five points for each card in the largest opposing hand then, face cards included.

With three players the first and the second to go out each score so, each at their own moment.
"""

from engine.rulesets.terms import POINTS_PER_CARD_LEFT
from engine.scoring.finished import FinishedRound


def going_out(finished: FinishedRound, seat: int) -> int:
    """What a seat scores for going out; the one that never did scores nothing."""
    if seat not in finished.out:
        return 0
    return POINTS_PER_CARD_LEFT * finished.opposing[finished.out.index(seat)]
