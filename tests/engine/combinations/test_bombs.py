"""Bombs: 3-5-7-9 in four suits or in one, and face cards without a suit card."""

import pytest

from engine.combinations.bombs import bombs_in, bombs_of
from engine.combinations.readings import numbers_of
from engine.combinations.rules import FIVE_SUITS
from tests.engine.combinations.naming import cards, plays, texts


@pytest.mark.parametrize(
    ("codes", "name"),
    (
        ("3r 5o 7y 9g", "3-5-7-9 in four suits"),
        ("J Q", "J-Q"),
        ("J K", "J-K"),
        ("Q K", "Q-K"),
        ("J Q K", "J-Q-K"),
        ("3b 5b 7b 9b", "3-5-7-9 in one suit"),
    ),
)
@pytest.mark.clause(
    "common.bombs.order",
    "common.bombs.one-suit",
    "common.bombs.four-suits",
    "common.wilds.several-alone-are-a-bomb",
)
def test_the_cards_of_the_six_bombs_have_no_other_reading(codes: str, name: str) -> None:
    assert texts(bombs_of(cards(codes))) == [f"bomb {name}"]
    assert numbers_of(cards(codes), FIVE_SUITS) == bombs_of(cards(codes))


@pytest.mark.clause("common.bombs.order")
def test_bombs_are_numbered_from_lowest_to_highest() -> None:
    in_order = ["3g 5r 7o 9y", "J Q", "J K", "Q K", "J Q K", "3y 5y 7y 9y"]
    numbers = [bombs_of(cards(codes))[0] for codes in in_order]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("codes", ("3r 5r 7o 9y", "3r 5r 7r 9y", "3r 5r 7o 9o", "3r 5o 7r 9o"))
@pytest.mark.clause("common.bombs.four-suits", "common.bombs.one-suit")
def test_3579_in_two_or_three_suits_is_not_a_bomb(codes: str) -> None:
    assert bombs_of(cards(codes)) == ()


@pytest.mark.parametrize(
    "codes",
    ("", "3r", "J", "3r 5o 7y", "3r 5o 7y 8g", "3r 5o 7y 9g 9b", "3r 3o 5y 7g", "3r 5o 7y 9g J", "9r J Q"),
)
def test_other_cards_are_not_bombs(codes: str) -> None:
    assert bombs_of(cards(codes)) == ()


@pytest.mark.parametrize("codes", ("3r 5o 7y J", "3r 5r 7r J", "J 5o 7y 9g", "3r 5r J Q", "3r 5r 7r K"))
@pytest.mark.clause("common.bombs.no-wilds")
def test_wild_cards_do_not_replace_cards_of_a_bomb(codes: str) -> None:
    assert bombs_of(cards(codes)) == ()


def test_every_bomb_in_a_hand_is_found_low_to_high() -> None:
    assert plays(bombs_in(cards("3r 5r 7r 9r 5o 7y 9g J K"))) == [
        "3r 5o 7y 9g: bomb 3-5-7-9 in four suits",
        "J K: bomb J-K",
        "3r 5r 7r 9r: bomb 3-5-7-9 in one suit",
    ]


def test_only_face_card_bombs_remain_without_matching_point_cards() -> None:
    for suit_cards in ("3r 5r 7r 3o 5y 7g", "3r 5r 7o 9o", ""):
        assert plays(bombs_in(cards(f"{suit_cards} J Q K"))) == [
            "J Q: bomb J-Q",
            "J K: bomb J-K",
            "Q K: bomb Q-K",
            "J Q K: bomb J-Q-K",
        ]
        assert bombs_in(cards(suit_cards)) == ()


def test_all_point_cards_of_five_suits_form_120_bombs_of_four_suits_and_five_of_one() -> None:
    all_point_cards = " ".join(rank + suit for rank in "3579" for suit in "roygb")
    found = [play.partition(": ")[2] for play in plays(bombs_in(cards(all_point_cards)))]
    assert found == ["bomb 3-5-7-9 in four suits"] * 120 + ["bomb 3-5-7-9 in one suit"] * 5
