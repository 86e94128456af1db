"""Stairs: two or more consecutive ranks, each in the same two suits or more."""

import pytest

from engine.combinations.plays import play_of
from engine.combinations.stairs import stairs_above, stairs_in, stairs_of
from tests.engine.combinations.naming import a_stair, cards, plays, texts


@pytest.mark.parametrize(
    ("codes", "text"),
    (
        ("2r 2g 3r 3g", "stair of pairs, two to three"),
        ("9o 9y To Ty", "stair of pairs, nine to ten"),
        ("4r 4g 5r 5g 6r 6g", "stair of pairs, four to six"),
        ("4r 4g 4b 5r 5g 5b", "stair of triples, four to five"),
        ("4r 4o 4y 4g 5r 5o 5y 5g", "stair of quadruples, four to five"),
    ),
)
@pytest.mark.clause(
    "common.sequences.stair", "common.sequences.shared-suits", "revised.sequences.same-collection-of-suits"
)
def test_two_or_more_consecutive_ranks_in_the_same_suits_are_a_stair(codes: str, text: str) -> None:
    assert texts(stairs_of(cards(codes), 5)) == [text]


@pytest.mark.parametrize(
    "codes",
    (
        "7g",
        "4r 4g",
        "4r 5r",
        "4r 4g 5r",
        "4r 4g 6r 6g",
        "4r 4g 5r 5o",
        "4r 4g 5o 5y",
        "4r 4g 5r 5o 6r 6y",
        "4r 4g 4o 5r 5g",
        "4r 4g 7r 7g J",
    ),
)
@pytest.mark.clause("common.sequences.shared-suits", "revised.sequences.same-collection-of-suits")
def test_other_suits_too_few_cards_or_an_open_gap_are_not_a_stair(codes: str) -> None:
    assert stairs_of(cards(codes), 5) == ()


@pytest.mark.parametrize("codes", ("", "J", "J Q", "J Q K"))
@pytest.mark.clause("common.wilds.need-a-suit-card")
def test_face_cards_without_a_suit_card_are_not_a_stair(codes: str) -> None:
    assert stairs_of(cards(codes), 5) == ()


@pytest.mark.parametrize(
    ("codes", "expected"),
    (
        ("4r 4g 5r J", ["stair of pairs, four to five"]),
        ("4r 5g J Q", ["stair of pairs, four to five"]),
        ("4r 4g J Q", ["stair of pairs, three to four", "stair of pairs, four to five"]),
        ("2r 2g J Q", ["stair of pairs, two to three"]),
        ("5r J Q K", ["stair of pairs, four to five", "stair of pairs, five to six"]),
        ("4r 4g 6r 6g J Q", ["stair of pairs, four to six"]),
        ("4r 5r 6r J Q K", ["stair of pairs, four to six"]),
        ("4r 4g 5b J Q K", ["stair of triples, four to five"]),
    ),
)
@pytest.mark.clause("common.wilds.lower", "common.wilds.any-suit")
def test_wild_cards_fill_gaps_in_any_required_suit(codes: str, expected: list[str]) -> None:
    assert texts(stairs_of(cards(codes), 5)) == expected


@pytest.mark.parametrize(
    ("codes", "expected"),
    (
        ("Tr Tg J Q", ["stair of pairs, nine to ten", "stair of pairs, ten to jack"]),
        ("Tr Tg Q K", ["stair of pairs, nine to ten", "stair of pairs, ten to jack"]),
        ("Tr J Q K", ["stair of pairs, nine to ten", "stair of pairs, ten to jack"]),
        (
            "9r 9g Tr Tg J K",
            ["stair of pairs, eight to ten", "stair of pairs, nine to jack", "stair of triples, nine to ten"],
        ),
        (
            "9r 9g Tr J Q K",
            ["stair of pairs, eight to ten", "stair of pairs, nine to jack", "stair of triples, nine to ten"],
        ),
        ("Tr Tg Tb J Q K", ["stair of triples, nine to ten", "stair of triples, ten to jack"]),
    ),
)
@pytest.mark.clause("common.wilds.not-only-wild", "common.wilds.stair-to-the-jack")
def test_two_or_three_face_cards_reach_jacks_but_never_queens(codes: str, expected: list[str]) -> None:
    assert texts(stairs_of(cards(codes), 5)) == expected


def test_a_stair_is_no_wider_than_the_deck() -> None:
    wide = cards("4r 4o 4y 4g 5r 5o 5y 5g J Q")
    assert texts(stairs_of(wide, 5)) == ["stair of quintuples, four to five"]
    assert stairs_of(wide, 4) == ()
    assert stairs_in(wide, 4) == [
        play for play in stairs_in(wide, 5) if not plays([play])[0].count("quintuples")
    ]


@pytest.mark.parametrize(
    ("codes", "suits", "text"),
    (
        ("2r 2o 3r 3o 4r 4o 5r 5o 6r 6o 7r 7o 8r 8o J Q", 4, "stair of pairs, two to nine"),
        ("4r 4o 4y 5r 5o 5y 6r 6o 6y 7r 7o 7y J Q K", 4, "stair of triples, four to eight"),
        ("4r 4o 4y 4g 5r 5o 5y 5g 6r 6o 6y 6g 7r J Q K", 4, "stair of quadruples, four to seven"),
        ("4r 4o 4y 4g 4b 5r 5o 5y 5g 5b 6r 6o 6y J Q", 5, "stair of quintuples, four to six"),
        ("4r 4o 4y 4g 5r 5o 5y 5g 6r 6o 6y 6g J Q K", 5, "stair of quintuples, four to six"),
    ),
)
def test_the_longest_and_widest_stairs_of_a_hand(codes: str, suits: int, text: str) -> None:
    whole = cards(codes)
    assert texts(stairs_of(whole, suits))[-1:] == [text]
    assert play_of(stairs_of(whole, suits)[-1], whole) in stairs_in(whole, suits)


def test_the_stairs_of_a_hand_are_all_subsets_with_all_choices_of_face_cards() -> None:
    assert sorted(plays(stairs_in(cards("4r 4g 5r 5g J K"), 4))) == [
        "4g 5g J K: stair of pairs, four to five",
        "4r 4g 5g J: stair of pairs, four to five",
        "4r 4g 5g K: stair of pairs, four to five",
        "4r 4g J K: stair of pairs, four to five",
        "4r 4g J K: stair of pairs, three to four",
        "4r 5g J K: stair of pairs, four to five",
        "4r 5r 4g 5g J K: stair of pairs, four to six",
        "4r 5r 4g 5g J K: stair of pairs, three to five",
        "4r 5r 4g 5g J K: stair of triples, four to five",
        "4r 5r 4g 5g: stair of pairs, four to five",
        "4r 5r 4g J: stair of pairs, four to five",
        "4r 5r 4g K: stair of pairs, four to five",
        "4r 5r 5g J: stair of pairs, four to five",
        "4r 5r 5g K: stair of pairs, four to five",
        "4r 5r J K: stair of pairs, four to five",
        "5r 4g 5g J: stair of pairs, four to five",
        "5r 4g 5g K: stair of pairs, four to five",
        "5r 4g J K: stair of pairs, four to five",
        "5r 5g J K: stair of pairs, five to six",
        "5r 5g J K: stair of pairs, four to five",
    ]


def test_stairs_above_have_the_same_width_and_length_and_a_higher_top() -> None:
    hand = cards("4r 4g 5r 5g 6r 6g 7r")
    assert plays(stairs_above(a_stair(5, 2, 2), hand, 4)) == ["5r 6r 5g 6g: stair of pairs, five to six"]
    assert plays(stairs_above(a_stair(4, 2, 3), hand, 4)) == [
        "4r 5r 6r 4g 5g 6g: stair of pairs, four to six"
    ]
    assert stairs_above(a_stair(6, 2, 2), hand, 4) == []


def test_the_highest_stair_of_a_shape_and_small_hands_have_no_stairs_above() -> None:
    assert stairs_above(a_stair(11, 2, 2), cards("Tr Tg J Q"), 4) == []
    assert stairs_above(a_stair(4, 2, 3), cards("9r 9g Tr Tg Q"), 4) == []


@pytest.mark.parametrize(
    ("codes", "suits"),
    (
        ("7r 8r 9r 7o 8o 9o 7y 8y 9y J Q K", 4),
        ("7r 8r 9r 7o 8o 9o 7y 8y 9y J Q K", 5),
        ("7r 8r 9r 7o 8o 9o 7y 8y 9y 7g 8g 9g J Q K", 5),
    ),
)
def test_a_stair_in_all_suits_is_not_found_twice(codes: str, suits: int) -> None:
    stairs = stairs_in(cards(codes), suits)
    assert len(stairs) == len(set(stairs))
