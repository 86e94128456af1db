"""Estimate how many leads it takes to shed the suit cards of a hand: the fewer, the sooner it is out.

Each rank is one lead, a set; a run of three or more cards is one lead too. The longest runs are removed one
after the other if that saves leads, the best suit first. Stairs, wild cards and bombs are left to the
network.
"""

from typing import Final

from engine.ai.network.arrays import Bools, Floats, Ints, np
from engine.cards.hand import COLUMN, FACES_AT

TURNS_WIDTH: Final = 5
_SHORTEST: Final = 3


def _longest_run(column: int) -> int:
    """Return the cards of the longest run of a suit (the lowest of equals), or 0 if none has three cards."""
    for length in range(9, _SHORTEST - 1, -1):
        for low in range(10 - length):
            run = (1 << length) - 1 << low
            if column & run == run:
                return run
    return 0


def _span(column: int) -> int:
    return column.bit_length() - (column & -column).bit_length() + 1 if column else 0


# The number of ranks missing between the lowest and the highest of a column.
_GAPS: Final[Ints] = np.array(
    [max(0, _span(column) - column.bit_count()) for column in range(COLUMN + 1)], dtype=np.int64
)
_LONGEST: Final[Ints] = np.array([_longest_run(column) for column in range(COLUMN + 1)], dtype=np.int64)


def turns(hand: Ints, suits: int, into: Floats) -> None:
    """Write the leads by sets alone, after one run, after two, the saving, and whether one lead sheds all."""
    original_columns = columns = np.stack([hand >> 9 * suit & COLUMN for suit in range(suits)])
    runs = _LONGEST[columns]
    by_sets = _ranks(columns)
    one, columns, runs = _take_best(columns, runs)
    two, columns, runs = _take_best(columns, runs)
    after_one = np.minimum(by_sets, 1 + one)
    into[:, 0] = by_sets / 4
    into[:, 1] = after_one / 4
    into[:, 2] = np.minimum(after_one, 2 + two) / 4
    into[:, 3] = (by_sets - after_one) / 2
    into[:, 4] = _out_with_one(hand, original_columns, by_sets)


def _out_with_one(hand: Ints, columns: Ints, ranks: Ints) -> Bools:
    """Return whether one lead sheds all: a set, a run with wild cards in its gaps, or face cards alone."""
    faces = np.bitwise_count(hand >> FACES_AT)
    one_suit = (columns > 0).sum(axis=0) == 1
    gaps = _GAPS[columns].max(axis=0)
    run = one_suit & (gaps <= faces) & (np.bitwise_count(hand) >= _SHORTEST)
    found: Bools = (ranks <= 1) | run
    return found


def _take_best(columns: Ints, runs: Ints) -> tuple[Ints, Ints, Ints]:
    """Remove the run that leaves the fewest ranks; return their number and the remaining columns and runs."""
    without = columns ^ runs
    left = np.stack([_ranks_without(columns, without, suit) for suit in range(len(columns))])
    best = left.argmin(axis=0)
    each = np.arange(columns.shape[1])
    columns = columns.copy()
    columns[best, each] = without[best, each]
    return left[best, each], columns, _LONGEST[columns]


def _ranks(columns: Ints) -> Ints:
    """Return the number of different ranks."""
    counted: Ints = np.bitwise_count(np.bitwise_or.reduce(columns, axis=0)).astype(np.int64)
    return counted


def _ranks_without(columns: Ints, without: Ints, suit: int) -> Ints:
    """Return the number of different ranks without the run of one suit."""
    others = without[suit]
    for other in range(len(columns)):
        if other != suit:
            others = others | columns[other]
    counted: Ints = np.bitwise_count(others).astype(np.int64)
    return counted
