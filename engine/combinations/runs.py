"""Find runs: three or more consecutive ranks in one suit, including wild cards.

A run includes a suit card. Its face cards stand for a lower rank of the suit, or for their own rank at the
end.
"""

from itertools import combinations
from typing import Final

from engine.cards.card import KING
from engine.cards.hand import COLUMN, FACES, FACES_AT, SUIT_MASK
from engine.combinations.ladders import HIGHEST_SUIT_RANK, LADDER_NUMBER, ladders_of
from engine.combinations.memo import MemoTable, new_table, store
from engine.combinations.plays import COMBINATION_AT, FACE_CHOICES

LONGEST_RUN: Final = 12


def runs_of(cards: int) -> tuple[int, ...]:
    """Return the runs that these cards form, as combination numbers, lowest top first.

    >>> from engine.cards.hand import mask_of, parse_cards
    >>> from engine.combinations.kinds import combination_of
    >>> [str(combination_of(number)) for number in runs_of(mask_of(parse_cards("9r Tr J")))]
    ['run of three, eight to ten', 'run of three, nine to jack']
    """
    return ladders_of(cards, width=1, suits=5)


_BY_SUIT: Final[list[MemoTable]] = [new_table() for _ in range(5)]


def runs_in(suit: int, hand: int) -> tuple[int, ...]:
    """Return every run of this suit in the hand, in combination order."""
    key = hand & (SUIT_MASK[suit] | FACES)
    table = _BY_SUIT[suit]
    cached = table.get(key)
    if cached is not None:
        return cached
    return store(table, key, _make_runs(suit, key))


def _make_runs(suit: int, key: int) -> tuple[int, ...]:
    runs: list[int] = []
    faces = (key >> FACES_AT).bit_count()
    choices = FACE_CHOICES[key >> FACES_AT]
    for number, cards, wilds in _patterns(key >> 9 * suit & COLUMN):
        if wilds <= faces:
            play = number << COMBINATION_AT | cards << 9 * suit
            runs.extend([play | chosen for chosen in choices[wilds]])
    return tuple(runs)


_PATTERNS: Final[dict[int, list[tuple[int, int, int]]]] = {}


def _patterns(column: int) -> list[tuple[int, int, int]]:
    """Return (number, cards, wild cards) for each run in one suit's nine bits with up to three wild cards.

    There are 512 columns, so this table stays small and does not count towards the memory limit.
    """
    cached = _PATTERNS.get(column)
    if cached is None:
        cached = [
            (LADDER_NUMBER[1][length][top], cards, length - cards.bit_count())
            for length in range(3, LONGEST_RUN + 1)
            for top in range(length + 1, min(KING, length + 9) + 1)
            for cards in _suit_cards_of_run(column, length, top)
        ]
        _PATTERNS[column] = cached
    return cached


def _suit_cards_of_run(column: int, length: int, top: int) -> list[int]:
    """Return the subsets of a column that fit a run of this length and top with at most three gaps."""
    low = top - length - 1
    window = column & (COLUMN >> max(0, HIGHEST_SUIT_RANK - top)) & (COLUMN << low)
    bits = [1 << rank for rank in range(9) if window >> rank & 1]
    fewest = max(1, length - 3)
    return [sum(chosen) for size in range(fewest, len(bits) + 1) for chosen in combinations(bits, size)]
