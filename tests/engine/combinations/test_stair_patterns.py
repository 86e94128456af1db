"""The suit cards that form a stair across a whole window of ranks."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from engine.cards.hand import SUIT_MASK, cards_of
from engine.combinations.plays import cards_in
from engine.combinations.stair_patterns import WINDOW, add_stairs_in_window, covering_subsets
from tests.engine.combinations.naming import cards, plays


def found(codes: str, low: int, high: int, *, suits: int = 5, touched: int = 0) -> list[str]:
    stairs: list[int] = []
    add_stairs_in_window(stairs, cards(codes), low, high, suits, touched)
    return plays(stairs)


def test_a_window_contains_the_suit_cards_of_its_ranks() -> None:
    assert WINDOW[4][5] == cards("4r 4o 4y 4g 4b 5r 5o 5y 5g 5b")
    assert {card.rank for card in cards_of(WINDOW[2][10])} == set(range(2, 11))


def test_stairs_span_the_whole_window_with_wild_cards_in_the_gaps() -> None:
    assert "4r 5r 4g J: stair of pairs, four to five" in found("4r 4g 5r J", 4, 5)
    assert found("4r 4g 5r", 4, 5) == []
    assert found("4r 4g J Q", 4, 5) == ["4r 4g J Q: stair of pairs, four to five"]


def test_only_a_window_that_ends_at_ten_extends_to_jacks() -> None:
    assert found("Tr Tg J Q", 10, 10) == ["Tr Tg J Q: stair of pairs, ten to jack"]
    assert found("Tr Tg J Q", 9, 10) == ["Tr Tg J Q: stair of pairs, nine to ten"]
    assert found("9r 9g J Q", 9, 9) == []


def test_stairs_are_as_wide_as_their_suits_or_one_wider_within_the_deck() -> None:
    wide = "4r 4o 4y 4g 5r 5o 5y 5g J Q"
    assert any("quintuples" in text for text in found(wide, 4, 5))
    assert not any("quintuples" in text for text in found(wide, 4, 5, suits=4))


def test_the_number_of_touched_suits_can_be_given() -> None:
    three_suits = "4r 4o 4y 5r 5o 5y J"
    assert all("pairs" in text for text in found(three_suits, 4, 5, touched=2))
    assert all("triples" in text for text in found(three_suits, 4, 5, touched=3))
    assert len(found(three_suits, 4, 5)) == sum(
        len(found(three_suits, 4, 5, touched=touched)) for touched in (1, 2, 3)
    )


@given(st.sets(st.sampled_from(range(12)), max_size=8), st.integers(0, 8))
def test_covering_subsets_have_enough_cards_and_some_in_each_column(places: set[int], fewest: int) -> None:
    whole = sum(1 << 9 * (place % 3) + place // 3 for place in places)
    columns = tuple(whole & mask for mask in SUIT_MASK if whole & mask)
    bits = [1 << at for at in range(45) if whole >> at & 1]
    expected = [
        sum(some)
        for size in range(max(fewest, 1), len(bits) + 1)
        for some in combinations(bits, size)
        if all(sum(some) & column for column in columns)
    ]
    assert sorted(covering_subsets(columns, fewest)) == sorted(expected)


def test_stairs_use_only_cards_of_the_window_and_face_cards() -> None:
    stairs: list[int] = []
    hand = cards("4r 4g 5r 5g J Q")
    add_stairs_in_window(stairs, hand, 4, 5, 4)
    assert stairs
    assert all(cards_in(stair) & ~hand == 0 for stair in stairs)
