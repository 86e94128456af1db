"""Cards and their codes."""

from dataclasses import FrozenInstanceError
from itertools import product
from typing import Any

import pytest

from engine.cards.card import FACE_CARDS, SUIT_CARDS, Card, Suit, parse_cards
from engine.errors import Malformed

CODES = [rank + suit for rank, suit in product("23456789T", "roygb")] + ["J", "Q", "K"]


@pytest.mark.parametrize("code", CODES)
def test_a_card_code_round_trips(code: str) -> None:
    assert str(Card.parse(code)) == code


@pytest.mark.clause("common.setup.deck")
def test_there_are_45_suit_cards_of_ranks_2_to_10_in_five_suits_and_three_face_cards() -> None:
    assert {str(card) for card in SUIT_CARDS + FACE_CARDS} == set(CODES)
    assert len(SUIT_CARDS) == 45
    assert {card.rank for card in SUIT_CARDS} == set(range(2, 11))


@pytest.mark.clause("common.setup.rank-order")
def test_ranks_are_2_to_10_then_jack_queen_king() -> None:
    in_order = parse_cards("2r 3r 4r 5r 6r 7r 8r 9r Tr J Q K")
    assert [card.rank for card in in_order] == list(range(2, 14))


def test_suits_are_red_orange_yellow_green_blue() -> None:
    assert "".join(suit.code for suit in Suit) == "roygb"


@pytest.mark.parametrize(
    "code", ("", "7", "r", "1r", "10r", "11", "Jr", "7p", "7G", "tR", "j", "A", "7r ", " 7r", "7r8r", "Joker")
)
def test_an_unknown_card_code_is_malformed(code: str) -> None:
    with pytest.raises(Malformed, match="There is no card") as error:
        Card.parse(code)
    assert error.value.code == "unknown_card"


@pytest.mark.parametrize("code", (None, 7, ["7r"], {"rank": 7}, b"7r"))
def test_a_card_code_that_is_not_a_string_is_malformed(code: Any) -> None:
    with pytest.raises(Malformed, match="There is no card"):
        Card.parse(code)


def test_parsing_a_code_returns_the_same_card_object() -> None:
    assert Card.parse("7g") is Card.parse("7g")
    assert Card.parse("7g") == Card(7, Suit.GREEN)


@pytest.mark.parametrize(("code", "is_face"), (("Tb", False), ("J", True), ("Q", True), ("K", True)))
def test_only_jack_queen_and_king_are_face_cards_and_they_have_no_suit(code: str, *, is_face: bool) -> None:
    card = Card.parse(code)
    assert card.is_face is is_face
    assert (card.suit is None) is is_face


def test_a_card_is_immutable() -> None:
    card: Any = Card.parse("7g")
    with pytest.raises(FrozenInstanceError):
        card.rank = 8


def test_the_repr_of_a_card_shows_its_code() -> None:
    assert repr(Card.parse("Tb")) == "Card('Tb')"


def test_codes_may_be_separated_by_any_whitespace() -> None:
    assert parse_cards(" 7g\tJ  2r\n") == (Card(7, Suit.GREEN), Card(11), Card(2, Suit.RED))
    assert parse_cards("") == ()


def test_one_unknown_code_in_a_list_is_malformed() -> None:
    with pytest.raises(Malformed, match="'7x'"):
        parse_cards("7g 7x J")
