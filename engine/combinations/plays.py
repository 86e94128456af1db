"""Encode a play as one int: the number of its combination above the 48 bits of its cards.

Plays therefore compare as their combinations do, and sort by shape. Play 0 is a pass or an empty trick.
"""

from bisect import bisect_left
from typing import Final

from engine.cards.hand import FACES_AT, HAND_BITS

COMBINATION_AT: Final = 48

NO_PLAY: Final = 0

# The ways to choose a number of face cards from a hand: FACE_CHOICES[faces in hand][how many] -> masks.
FACE_CHOICES: Final = tuple(
    tuple(
        tuple(
            chosen << FACES_AT
            for chosen in range(8)
            if chosen & owned == chosen and chosen.bit_count() == count
        )
        for count in range(4)
    )
    for owned in range(8)
)


def play_of(number: int, cards: int) -> int:
    """Return the play of these cards as the combination with this number."""
    return number << COMBINATION_AT | cards


def cards_in(play: int) -> int:
    """Return the cards of a play."""
    return play & HAND_BITS


def number_in(play: int) -> int:
    """Return the number of a play's combination."""
    return play >> COMBINATION_AT


def between(first: int, last: int, plays: tuple[int, ...]) -> tuple[int, ...]:
    """Return the plays whose combination number is between `first` and `last`; `plays` must be sorted."""
    if not plays:
        return plays
    start = bisect_left(plays, first << COMBINATION_AT)
    return plays[start : bisect_left(plays, last + 1 << COMBINATION_AT, start)]
