"""The shuffle, swap by swap."""

import itertools
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from engine.deals.shuffle import shuffled


def test_swaps_go_from_the_last_place_down_to_the_second() -> None:
    # d with b, then b's new place's card d with a, then nothing to itself
    assert shuffled("abcd", iter([1, 0, 1])) == ("c", "d", "a", "b")


def test_swapping_each_card_with_itself_does_not_change_the_order() -> None:
    assert shuffled("abcd", iter([3, 2, 1])) == tuple("abcd")


def test_every_order_results_from_exactly_one_sequence() -> None:
    choices = itertools.product(range(4), range(3), range(2))
    orders = Counter(shuffled("abcd", iter(choice)) for choice in choices)
    assert set(orders) == set(itertools.permutations("abcd"))
    assert set(orders.values()) == {1}


def test_a_deck_of_at_most_one_card_needs_no_number() -> None:
    assert shuffled("a", iter([])) == ("a",)
    assert shuffled("", iter([])) == ()


def test_the_given_deck_is_not_modified() -> None:
    deck = ["a", "b", "c"]
    shuffled(deck, iter([0, 0]))
    assert deck == ["a", "b", "c"]


@given(st.lists(st.integers(), max_size=60), st.integers(0, 2**31))
def test_no_card_is_lost_or_duplicated(deck: list[int], number: int) -> None:
    assert sorted(shuffled(deck, itertools.repeat(number))) == sorted(deck)
