"""Uniformity of the shuffle: chi-squared over 20,000 deals, and biased shuffles that the test detects.

With n places, the sum of squared deviations divided by the expectation over the table of cards by places,
multiplied by (n - 1) / n, is chi-squared with (n - 1) squared degrees of freedom: the factor is needed
because a shuffle puts every card into one place and one card into every place. The links are fixed, so the
result is the same in every run.
"""

import hashlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from statistics import NormalDist

import pytest

from engine.cards.deck import deck_for
from engine.deals.deal import deal
from engine.deals.first_seat import first_seat
from engine.deals.stream import below, numbers_of

DEALS = 20_000
ONE_IN_A_THOUSAND = NormalDist().inv_cdf(0.999)
LINKS = [hashlib.sha256(b"uniformity %d" % index).digest() for index in range(DEALS)]

Table = list[list[int]]
Shuffle = Callable[[list[int], Iterator[int]], None]


@cache
def fair_decks(players: int) -> Sequence[bytes]:
    """Return the decks as dealt, by seat and then the haggis; a card is its index in the unshuffled deck."""
    index_of = {id(card): index for index, card in enumerate(deck_for(players))}
    decks = []
    for link in LINKS:
        dealt = deal(deal_id="m", number=1, link=link, players=players, seeds=("",) * players)
        order = itertools.chain(*dealt.hands, dealt.haggis)
        decks.append(bytes(index_of[id(card)] for card in order))
    return decks


def biased_decks(shuffle: Shuffle) -> Sequence[bytes]:
    """Return as many decks of two players, shuffled in another way from the same links."""
    decks = []
    for link in LINKS:
        cards = list(range(36))
        shuffle(cards, numbers_of(link))
        decks.append(bytes(cards))
    return decks


def card_by_place(decks: Sequence[bytes]) -> Table:
    """Return how often each card was in each place."""
    size = len(decks[0])
    joined = b"".join(decks)
    places = [joined[place::size] for place in range(size)]
    return [[place.count(card) for place in places] for card in range(size)]


def card_by_seat(table: Table) -> Table:
    """Return how often each card was in each hand and in the haggis."""
    return [[sum(row[at : at + 14]) for at in range(0, len(row), 14)] for row in table]


def is_even(table: Table, sizes: Sequence[int]) -> bool:
    """Return whether a table of cards by places of these sizes is even enough, at the 99.9 % level."""
    expected = [DEALS * size / len(table) for size in sizes]
    deviation = sum(
        (count - mean) ** 2 / mean for row in table for count, mean in zip(row, expected, strict=True)
    )
    others = len(table) - 1
    return deviation * others / len(table) < critical(others * (len(sizes) - 1))


def critical(freedom: int) -> float:
    """Return the 99.9 % quantile of chi-squared (by the Wilson-Hilferty approximation)."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + ONE_IN_A_THOUSAND * part**0.5) ** 3)


@pytest.mark.parametrize(("freedom", "known"), ((35, 66.619), (100, 149.449), (1000, 1143.917)))
def test_the_critical_values_match_published_tables(freedom: int, known: float) -> None:
    assert critical(freedom) == pytest.approx(known, rel=2e-3)


@pytest.mark.parametrize(("players", "sizes"), ((2, [14, 14, 8]), (3, [14, 14, 14, 3])))
def test_every_card_is_equally_likely_in_every_place(players: int, sizes: list[int]) -> None:
    table = card_by_place(fair_decks(players))
    assert is_even(table, [1] * len(table))
    assert is_even(card_by_seat(table), sizes)


def swap_with_any_place(cards: list[int], numbers: Iterator[int]) -> None:
    """Shuffle by the well-known wrong algorithm: swap each place with any place of the deck."""
    for place in range(len(cards)):
        other = below(numbers, len(cards))
        cards[place], cards[other] = cards[other], cards[place]


def remainder_of_a_byte(cards: list[int], numbers: Iterator[int]) -> None:
    """Shuffle by the right swaps with a biased choice: the remainder of a small number, without rejection."""
    for place in range(len(cards) - 1, 0, -1):
        other = next(numbers) % 256 % (place + 1)
        cards[place], cards[other] = cards[other], cards[place]


def never_stay(cards: list[int], numbers: Iterator[int]) -> None:
    """Shuffle with an off-by-one error: no card may stay in its place."""
    for place in range(len(cards) - 1, 0, -1):
        other = below(numbers, place)
        cards[place], cards[other] = cards[other], cards[place]


def stop_early(cards: list[int], numbers: Iterator[int]) -> None:
    """Shuffle with an off-by-one error at the end: the last swap, of the first two places, is missing."""
    for place in range(len(cards) - 1, 1, -1):
        other = below(numbers, place + 1)
        cards[place], cards[other] = cards[other], cards[place]


@pytest.mark.parametrize("biased", (swap_with_any_place, remainder_of_a_byte, never_stay, stop_early))
def test_the_same_test_detects_a_biased_shuffle(biased: Shuffle) -> None:
    assert not is_even(card_by_place(biased_decks(biased)), [1] * 36)


@pytest.mark.parametrize("biased", (swap_with_any_place, remainder_of_a_byte))
def test_a_biased_shuffle_is_visible_in_the_hands(biased: Shuffle) -> None:
    assert not is_even(card_by_seat(card_by_place(biased_decks(biased))), [14, 14, 8])


@pytest.mark.parametrize("players", (2, 3))
def test_every_seat_is_equally_likely_to_be_drawn_first(players: int) -> None:
    drawn = [0] * players
    for link in LINKS:
        drawn[first_seat(deal_id="m", link=link, players=players, seeds=("",) * players)] += 1
    mean = DEALS / players
    assert sum((count - mean) ** 2 / mean for count in drawn) < critical(players - 1)


def test_neighbouring_cards_are_dealt_together_as_often_as_any_others() -> None:
    pairs = list(itertools.pairwise(range(36)))
    together = 0
    for deck in fair_decks(2):
        hand = frozenset(deck[:14])
        together += sum(one in hand and other in hand for one, other in pairs)
    mean = DEALS * 35 * (14 * 13) / (36 * 35)
    assert together == pytest.approx(mean, rel=0.01)
