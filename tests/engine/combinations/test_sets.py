"""Sets: one card or more of one rank."""

import pytest

from engine.combinations.sets import WIDEST_SET, sets_at, sets_of, sets_of_width_at
from tests.engine.combinations.naming import cards, plays, texts


@pytest.mark.parametrize(
    ("codes", "text"),
    (
        ("7g", "single seven"),
        ("7g 7r", "pair of sevens"),
        ("6g 6r", "pair of sixes"),
        ("2r 2o 2y", "three twos"),
        ("Tr To Ty Tg", "four tens"),
        ("Tr To Ty Tg Tb", "five tens"),
    ),
)
@pytest.mark.clause("common.sets.one-rank", "common.sets.any-size", "deluxe.combinations.single-or-set")
@pytest.mark.clause("booklet.combinations.single", "booklet.combinations.sets-lost")
def test_cards_of_one_rank_are_a_set_including_a_single_card(codes: str, text: str) -> None:
    assert texts(sets_of(cards(codes))) == [text]


@pytest.mark.parametrize("codes", ("7g 8g", "7g 7r 8r", "2r 3r J", "7g 8g 9g", "3r 5r J Q K"))
@pytest.mark.clause("common.sets.one-rank")
def test_cards_of_two_ranks_are_not_a_set(codes: str) -> None:
    assert sets_of(cards(codes)) == ()


@pytest.mark.parametrize(
    ("codes", "text"),
    (
        ("7g J", "pair of sevens"),
        ("7g Q K", "three sevens"),
        ("7g J Q K", "four sevens"),
        ("Tr Tg J", "three tens"),
        ("Tr Tg J Q", "four tens"),
    ),
)
@pytest.mark.clause("classic.wilds.in-sets-too", "common.wilds.lower")
def test_a_set_may_include_any_number_of_wild_cards(codes: str, text: str) -> None:
    assert texts(sets_of(cards(codes))) == [text]


@pytest.mark.clause("common.sets.up-to-seven-for-two")
def test_four_suits_and_three_wild_cards_are_a_set_of_seven() -> None:
    assert texts(sets_of(cards("7r 7o 7y 7g J Q K"))) == ["seven sevens"]


@pytest.mark.clause("common.sets.up-to-eight")
def test_five_suits_and_three_wild_cards_are_a_set_of_eight() -> None:
    assert texts(sets_of(cards("7r 7o 7y 7g 7b J Q K"))) == ["eight sevens"]
    assert WIDEST_SET == 8


@pytest.mark.parametrize(
    ("codes", "text"), (("J", "single jack"), ("Q", "single queen"), ("K", "single king"))
)
@pytest.mark.clause(
    "common.wilds.alone-is-a-single", "common.wilds.not-only-wild", "booklet.combinations.face-values"
)
def test_a_face_card_alone_is_a_single_of_its_own_rank(codes: str, text: str) -> None:
    assert texts(sets_of(cards(codes))) == [text]


@pytest.mark.parametrize("codes", ("", "J Q", "J K", "Q K", "J Q K"))
@pytest.mark.clause("common.wilds.need-a-suit-card")
def test_several_face_cards_without_a_suit_card_are_not_a_set(codes: str) -> None:
    assert sets_of(cards(codes)) == ()


def test_the_sets_of_a_rank_are_all_subsets_with_all_choices_of_face_cards() -> None:
    assert plays(sets_at(7, cards("2r 7r 7g J K"))) == [
        "7r 7g: pair of sevens",
        "7r 7g J: three sevens",
        "7r 7g K: three sevens",
        "7r 7g J K: four sevens",
        "7g: single seven",
        "7g J: pair of sevens",
        "7g K: pair of sevens",
        "7g J K: three sevens",
        "7r: single seven",
        "7r J: pair of sevens",
        "7r K: pair of sevens",
        "7r J K: three sevens",
    ]


def test_face_cards_alone_are_not_sets_of_another_rank() -> None:
    assert sets_at(7, cards("2r J Q K")) == ()


def test_sets_by_width_are_a_subset_of_the_sets_of_the_rank() -> None:
    hand = cards("2r 7r 7g J K")
    assert plays(sets_of_width_at(3, 7, hand)) == [
        "7r 7g J: three sevens",
        "7r 7g K: three sevens",
        "7g J K: three sevens",
        "7r J K: three sevens",
    ]
    assert sets_of_width_at(5, 7, hand) == ()
