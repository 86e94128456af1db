"""Compute features of what the suit cards of a hand can form, for many hands at once.

A suit is a column of nine bits. Its ranks and sequences of ranks are looked up in a table and summed over the
suits: the number of cards of each rank, the number of suits with both a rank and the next (two of them form a
stair), the number with three in sequence (each is a run), and so on.
"""

from typing import Final

from engine.ai.network.arrays import Floats, Ints, np
from engine.cards.hand import COLUMN

_RANKS: Final = 9


def _windows(column: int, length: int) -> list[int]:
    """Return for each place whether the column has `length` ranks in sequence from there."""
    window = (1 << length) - 1
    return [int(column >> low & window == window) for low in range(_RANKS - length + 1)]


def _one_short(column: int) -> list[int]:
    """Return for each place whether one card is missing for a run of three."""
    return [int((column >> low & 7).bit_count() == 2) for low in range(_RANKS - 2)]


def _column_features(column: int) -> list[int]:
    windows = [held for length in (1, 2, 3, 4, 5, 6) for held in _windows(column, length)]
    return windows + _one_short(column)


_COLUMN_FEATURES: Final[Floats] = np.array(
    [_column_features(column) for column in range(COLUMN + 1)], dtype=np.float32
)
SUMMED: Final = len(_column_features(0))

_PAIRS: Final = slice(0, 17)  # ranks, and ranks together with the next
_TRIPLES: Final = slice(0, 17)
_FOURS: Final = slice(0, 9)
_RUN_STAIRS: Final = slice(17, 24)
SUIT_WIDTH: Final = SUMMED + 17 + 17 + 9 + 7


def suit_sums(cards: Ints, suits: int) -> Floats:
    """Return the sums over the suits, for each set of suit cards."""
    columns = [cards >> 9 * suit & COLUMN for suit in range(suits)]
    total: Floats = _COLUMN_FEATURES[columns[0]]
    for column in columns[1:]:
        total += _COLUMN_FEATURES[column]
    return total


def write_suit_features(sums: Floats, into: Floats) -> None:
    """Write the sums, and where two, three or four suits coincide, to `into`."""
    into[:, :SUMMED] = sums
    at = SUMMED
    for part, least in ((_PAIRS, 2), (_TRIPLES, 3), (_FOURS, 4), (_RUN_STAIRS, 2)):
        width = part.stop - part.start
        into[:, at : at + width] = sums[:, part] >= least
        at += width
