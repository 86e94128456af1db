"""Hands and piles as bits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards.card import FACE_CARDS, SUIT_CARDS, Card, parse_cards
from engine.cards.deck import deck_for
from engine.cards.hand import (
    ALL_JACKS,
    ALL_KINGS,
    ALL_QUEENS,
    FACES,
    HAND_BITS,
    RANK_MASK,
    SUIT_CARD_BITS,
    SUIT_MASK,
    cards_of,
    deck_mask,
    mask_of,
    pile_of,
)
from engine.errors import Malformed

groups_of_cards = st.sets(st.sampled_from(SUIT_CARDS + FACE_CARDS))


@given(groups_of_cards)
def test_cards_survive_the_mask_in_deck_order(cards: set[Card]) -> None:
    expected = tuple(card for card in SUIT_CARDS + FACE_CARDS if card in cards)
    assert cards_of(mask_of(cards)) == expected
    assert mask_of(cards).bit_count() == len(cards)


@given(groups_of_cards, groups_of_cards)
def test_hands_are_joined_and_split_by_bit_operations(some: set[Card], others: set[Card]) -> None:
    assert cards_of(mask_of(some) | mask_of(others)) == cards_of(mask_of(some | others))
    assert cards_of(mask_of(some) & mask_of(others)) == cards_of(mask_of(some & others))


def test_an_empty_hand_has_no_bits() -> None:
    assert mask_of([]) == 0
    assert cards_of(0) == ()


def test_a_repeated_card_is_malformed() -> None:
    with pytest.raises(Malformed, match="7g is named twice") as error:
        mask_of(parse_cards("7g J 7g"))
    assert error.value.code == "card_twice"


@pytest.mark.parametrize(
    ("code", "bit"),
    (("2r", 0), ("Tr", 8), ("2o", 9), ("7y", 23), ("2g", 27), ("Tb", 44), ("J", 45), ("Q", 46), ("K", 47)),
)
def test_each_card_has_its_bit(code: str, bit: int) -> None:
    assert mask_of([Card.parse(code)]) == 1 << bit


def test_masks_contain_the_cards_of_a_rank_a_suit_and_the_face_cards() -> None:
    assert cards_of(RANK_MASK[7]) == parse_cards("7r 7o 7y 7g 7b")
    assert cards_of(SUIT_MASK[3]) == parse_cards("2g 3g 4g 5g 6g 7g 8g 9g Tg")
    assert cards_of(FACES) == parse_cards("J Q K")
    assert cards_of(SUIT_CARD_BITS) == SUIT_CARDS
    assert cards_of(HAND_BITS) == SUIT_CARDS + FACE_CARDS


@pytest.mark.parametrize("players", (2, 3))
def test_the_deck_mask_contains_exactly_the_deck(players: int) -> None:
    assert cards_of(deck_mask(players)) == deck_for(players)


@given(groups_of_cards, st.integers(0, 2))
def test_a_hand_moved_to_a_pile_has_the_same_cards(cards: set[Card], seat: int) -> None:
    assert cards_of(pile_of(mask_of(cards), seat)) == cards_of(mask_of(cards))


def test_a_pile_separates_the_face_cards_of_three_players() -> None:
    pile = pile_of(FACES, 0) | pile_of(FACES, 1) | pile_of(FACES | 1, 2)
    assert [str(card) for card in cards_of(pile)] == "2r J Q K J Q K J Q K".split()
    assert pile == ALL_JACKS | ALL_QUEENS | ALL_KINGS | 1
    assert {card.rank for card in cards_of(ALL_QUEENS)} == {12}
