"""The order of the deck: Fisher and Yates' shuffle, in which every order has one way to come about."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from engine.deals.stream import below

T = TypeVar("T")


def shuffled(deck: Sequence[T], numbers: Iterator[int]) -> tuple[T, ...]:
    """From the last place down to the second, swap the card there with one at or before it.

    >>> shuffled("abc", iter([0, 1]))
    ('c', 'b', 'a')
    """
    cards = list(deck)
    for place in range(len(cards) - 1, 0, -1):
        other = below(numbers, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards)
