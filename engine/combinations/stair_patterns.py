"""Find the suit cards that form a stair over a whole window of ranks, and the wild cards it then needs."""

from itertools import combinations
from operator import itemgetter
from typing import Final

from engine.cards.hand import FACES_AT, RANK_MASK, SUIT_CARD_BITS, SUIT_MASK
from engine.combinations.ladders import HIGHEST_SUIT_RANK, LADDER_NUMBER
from engine.combinations.plays import COMBINATION_AT, FACE_CHOICES

WIDEST_STAIR: Final = 5
MOST_WILDS: Final = 3

# WINDOW[low][high]: the suit cards of these ranks.
WINDOW: Final = tuple(
    tuple(sum(RANK_MASK[low : high + 1]) for high in range(HIGHEST_SUIT_RANK + 1))
    for low in range(HIGHEST_SUIT_RANK + 1)
)

# Suit cards of a possible stair, and the wild cards it then needs: (width, cards, wild cards).
_Pattern = tuple[int, int, int]
_PATTERNS: Final[dict[tuple[int, int, int], list[_Pattern]]] = {}


def add_stairs_in_window(
    stairs: list[int], key: int, low: int, high: int, suits: int, touched: int = 0
) -> None:
    """Append the stairs from rank `low` to `high`, or on to jacks, in exactly `touched` suits (0: any)."""
    faces = key >> FACES_AT
    choices = FACE_CHOICES[faces]
    shift = low - 2
    ranks = high - low + 1
    own = (key & SUIT_CARD_BITS) >> shift
    for width, cards, wilds in _patterns(own, ranks, touched):
        if width > suits:
            continue
        number = LADDER_NUMBER[width][ranks][high]
        if number and choices[wilds]:
            play = number << COMBINATION_AT | cards << shift
            stairs.extend([play | chosen for chosen in choices[wilds]])
        if high == HIGHEST_SUIT_RANK and wilds + width <= MOST_WILDS:
            play = LADDER_NUMBER[width][ranks + 1][high + 1] << COMBINATION_AT | cards << shift
            stairs.extend([play | chosen for chosen in choices[wilds + width]])


def _patterns(own: int, ranks: int, touched: int) -> list[_Pattern]:
    """Return the patterns among the cards of a window that starts at rank 2, narrow ones first.

    There are a few thousand such windows, so this table stays small and does not count towards the memory
    limit.
    """
    key = (own, ranks, touched)
    cached = _PATTERNS.get(key)
    if cached is None:
        cached = _PATTERNS[key] = sorted(_make_patterns(own, ranks, touched), key=itemgetter(0))
    return cached


def _make_patterns(own: int, ranks: int, touched: int) -> list[_Pattern]:
    """Return stairs as wide as the suits they touch, or one wider if wild cards can fill a whole suit."""
    columns = [own & mask for mask in SUIT_MASK if own & mask]
    sizes = [touched] if touched else range(1, len(columns) + 1)
    return [
        (width, cards, width * ranks - cards.bit_count())
        for size in sizes
        for chosen in combinations(columns, size)
        for width in (size, size + 1)
        if 2 <= width <= WIDEST_STAIR
        for cards in covering_subsets(chosen, width * ranks - MOST_WILDS)
    ]


def covering_subsets(columns: tuple[int, ...], fewest: int) -> list[int]:
    """Return the subsets of the columns that have at least `fewest` cards, with a card in every column."""
    whole = sum(columns)
    spare = whole.bit_count() - max(fewest, 1)
    if spare < 0:
        return []
    parts = [whole]
    bits = _bits(whole)
    for left_out in range(1, spare + 1):
        for unused in combinations(bits, left_out):
            part = whole ^ sum(unused)
            if all(part & column for column in columns):
                parts.append(part)
    return parts


def _bits(mask: int) -> list[int]:
    bits = []
    while mask:
        lowest = mask & -mask
        bits.append(lowest)
        mask ^= lowest
    return bits
