"""A play as one int: the number of its combination above the 48 bits of its cards.

Plays so compare as their combinations do, and sort by shape. Play 0 is no play: a pass, or an empty trick.
"""

from bisect import bisect_left
from typing import Final

from engine.cards.hand import FACES_AT, HAND_BITS

COMBINATION_AT: Final = 48

NO_PLAY: Final = 0

# The ways to take so many of the owner's face cards: FACE_CHOICES[faces held][how many] -> masks.
FACE_CHOICES: Final = tuple(
    tuple(
        tuple(
            chosen << FACES_AT
            for chosen in range(8)
            if chosen & held == chosen and chosen.bit_count() == count
        )
        for count in range(4)
    )
    for held in range(8)
)


def play_of(number: int, cards: int) -> int:
    """These cards played as the combination of this number."""
    return number << COMBINATION_AT | cards


def cards_in(play: int) -> int:
    """The cards of a play."""
    return play & HAND_BITS


def number_in(play: int) -> int:
    """The number of a play's combination."""
    return play >> COMBINATION_AT


def between(first: int, last: int, plays: tuple[int, ...]) -> tuple[int, ...]:
    """Those of some plays, in the order of combinations, that are one of those from `first` to `last`."""
    if not plays:
        return plays
    start = bisect_left(plays, first << COMBINATION_AT)
    return plays[start : bisect_left(plays, last + 1 << COMBINATION_AT, start)]
