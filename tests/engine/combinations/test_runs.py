"""Runs: three or more consecutive ranks in one suit."""

import pytest

from engine.combinations.plays import number_in
from engine.combinations.runs import runs_in, runs_of
from tests.engine.combinations.naming import cards, plays, texts


@pytest.mark.parametrize(
    ("codes", "text"),
    (
        ("2g 3g 4g", "run of three, two to four"),
        ("8b 9b Tb", "run of three, eight to ten"),
        ("4y 5y 6y 7y", "run of four, four to seven"),
        ("2r 3r 4r 5r 6r 7r 8r 9r Tr", "run of nine, two to ten"),
    ),
)
@pytest.mark.clause("common.sequences.run", "haggish.sequences.three-cards-at-least")
def test_three_or_more_consecutive_cards_of_one_suit_are_a_run(codes: str, text: str) -> None:
    assert texts(runs_of(cards(codes))) == [text]


@pytest.mark.parametrize(
    "codes", ("2g", "2g 3g", "7g J", "2g 3g 4r", "2g 3g 5g", "2g 3g 5r J", "2g 6g J Q", "2g 2r J")
)
@pytest.mark.clause("common.sequences.run")
def test_too_few_cards_two_suits_or_an_open_gap_are_not_a_run(codes: str) -> None:
    assert runs_of(cards(codes)) == ()


@pytest.mark.parametrize("codes", ("", "J", "J Q", "J Q K"))
@pytest.mark.clause("common.wilds.need-a-suit-card")
def test_face_cards_without_a_suit_card_are_not_a_run(codes: str) -> None:
    assert runs_of(cards(codes)) == ()


@pytest.mark.parametrize(
    ("codes", "expected"),
    (
        ("3r J Q", ["run of three, two to four", "run of three, three to five"]),
        ("3r 5r J", ["run of three, three to five"]),
        ("3r 6r J K", ["run of four, three to six"]),
        ("2r J K", ["run of three, two to four"]),
        (
            "5r J Q K",
            [
                "run of four, two to five",
                "run of four, three to six",
                "run of four, four to seven",
                "run of four, five to eight",
            ],
        ),
        ("2r 3r 4r 5r 6r 7r 8r 9r Tr J", ["run of ten, two to jack"]),
    ),
)
@pytest.mark.clause("common.wilds.lower", "common.wilds.any-suit")
def test_wild_cards_fill_gaps_and_extend_a_run_at_both_ends(codes: str, expected: list[str]) -> None:
    assert texts(runs_of(cards(codes))) == expected


@pytest.mark.parametrize(
    ("codes", "highest"),
    (
        ("9r Tr J", "run of three, nine to jack"),
        ("9r Tr Q", "run of three, nine to jack"),
        ("9r Tr K", "run of three, nine to jack"),
        ("Tr J Q", "run of three, ten to queen"),
        ("Tr J K", "run of three, ten to queen"),
        ("Tr Q K", "run of three, ten to queen"),
        ("9r J Q", "run of three, nine to jack"),
        ("Tr J Q K", "run of four, ten to king"),
        ("9r J Q K", "run of four, nine to queen"),
        ("8r J Q K", "run of four, eight to jack"),
        ("7r J Q K", "run of four, seven to ten"),
    ),
)
@pytest.mark.clause("common.wilds.not-only-wild", "common.wilds.run-to-the-jack")
def test_above_ten_face_cards_stand_for_their_own_rank_or_a_lower_one(codes: str, highest: str) -> None:
    assert texts(runs_of(cards(codes)))[-1] == highest


@pytest.mark.parametrize("codes", ("Tr J", "9r Tr J Q", "9r Tr Q K", "Tr J Q", "Tr Q K"))
@pytest.mark.clause("classic.wilds.not-higher")
def test_a_run_reaches_the_king_only_with_three_face_cards(codes: str) -> None:
    assert not any(text.endswith("king") for text in texts(runs_of(cards(codes))))


def test_the_longest_run_has_twelve_cards() -> None:
    assert texts(runs_of(cards("2r 3r 4r 5r 6r 7r 8r 9r Tr J Q K"))) == ["run of twelve, two to king"]


def test_the_runs_of_a_suit_use_no_card_of_another_suit() -> None:
    hand = cards("2r 3r 4r 5g J")
    assert plays(runs_in(0, hand)) == [
        "2r 3r J: run of three, two to four",
        "2r 4r J: run of three, two to four",
        "3r 4r J: run of three, two to four",
        "2r 3r 4r: run of three, two to four",
        "3r 4r J: run of three, three to five",
        "2r 3r 4r J: run of four, two to five",
    ]
    assert runs_in(3, hand) == ()


def test_the_runs_of_a_suit_are_in_combination_order() -> None:
    found = runs_in(3, cards("5g 7g 8g 9g J Q K"))
    numbers = [number_in(play) for play in found]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) > 3
