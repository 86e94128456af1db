"""Decide what beats what: the same kind, width and length with a higher top, or a bomb.

A bomb beats everything that is not a bomb, and every lower bomb.
"""

from engine.combinations.kinds import FIRST_BOMB, LAST_OF_SHAPE, Combination, Kind
from engine.rulebook import Clause


def beats(number: int, current: int) -> bool:
    """Return whether one combination number beats another; everything beats 0, the empty trick.

    >>> from engine.combinations.kinds import number_of
    >>> beats(number_of(Kind.SET, 9, 1, 1), number_of(Kind.SET, 8, 1, 1))
    True
    >>> beats(number_of(Kind.SET, 9, 2, 1), number_of(Kind.SET, 8, 1, 1))
    False
    """
    return number > current and (number <= LAST_OF_SHAPE[current] or number >= FIRST_BOMB or not current)


def judge(combination: Combination, current: Combination | None) -> tuple[bool, Clause]:
    """Return whether a combination may be played on the current one, and the clause that decides."""
    if current is None:
        return True, Clause.LEAD_ANYTHING
    if combination.kind is Kind.BOMB:
        return _judge_bomb(combination, current)
    if current.kind is Kind.BOMB:
        return False, Clause.BOMB_ONLY_BY_BOMB
    if combination.kind is not current.kind:
        return False, Clause.BEAT_SAME_KIND
    if combination.shape != current.shape:
        return False, Clause.BEAT_SAME_SIZE
    return combination.top > current.top, Clause.BEAT_HIGHER_TOP


def _judge_bomb(bomb: Combination, current: Combination) -> tuple[bool, Clause]:
    if current.kind is Kind.BOMB:
        return bomb.top > current.top, Clause.BOMB_BEATS_LOWER
    return True, Clause.BOMB_BEATS_ALL
