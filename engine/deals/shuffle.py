"""Shuffle the deck with the Fisher-Yates algorithm, where each order has exactly one sequence of swaps."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from engine.deals.stream import below

T = TypeVar("T")


def shuffled(deck: Sequence[T], numbers: Iterator[int]) -> tuple[T, ...]:
    """Return the deck shuffled: swap each place, from the last to the second, with one at or before it.

    >>> shuffled("abc", iter([0, 1]))
    ('c', 'b', 'a')
    """
    cards = list(deck)
    for place in range(len(cards) - 1, 0, -1):
        other = below(numbers, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards)
