"""Ladders, the common part of runs and stairs: consecutive ranks, each in the same suits."""

from itertools import combinations

import pytest

from engine.cards.card import KING
from engine.combinations.kinds import KIND, LENGTH, TOP, WIDTH
from engine.combinations.ladders import LADDER_NUMBER, ladders_of, ranks_between, ranks_in, suit_count
from tests.engine.brute_force import can_fill
from tests.engine.combinations.naming import cards, texts


def test_a_ladder_of_width_1_is_a_run_and_a_wider_one_a_stair() -> None:
    codes = cards("4r 5r J Q")
    assert texts(ladders_of(codes, 1, 4)) == [
        "run of four, two to five",
        "run of four, three to six",
        "run of four, four to seven",
    ]
    assert texts(ladders_of(codes, 2, 4)) == ["stair of pairs, four to five"]


@pytest.mark.parametrize(
    ("codes", "width", "suits"),
    (
        ("4r 4g 5r 5g J", 2, 4),  # five cards are not pairs
        ("J Q K", 1, 4),  # no suit card
        ("4r 4g 5r 5g", 1, 4),  # more suits than the width
        ("4r 4o 4y 4g 5r 5o 5y 5g J Q", 5, 4),  # wider than the deck
        ("4r 7r J", 1, 4),  # too far apart
    ),
)
def test_cards_that_do_not_fit_width_suits_or_ranks_form_no_ladder(
    codes: str, width: int, suits: int
) -> None:
    assert ladders_of(cards(codes), width, suits) == ()


def test_ladder_numbers_are_those_of_runs_and_stairs() -> None:
    for width, lengths in enumerate(LADDER_NUMBER):
        for length, tops in enumerate(lengths):
            for top, number in enumerate(tops):
                assert not number or (WIDTH[number], LENGTH[number], TOP[number]) == (width, length, top)
                assert not number or KIND[number] == ("run" if width == 1 else "stair")


@pytest.mark.parametrize("above_ten", ((), (11,), (11, 12), (11, 12, 13), (11, 11), (11, 11, 11)))
@pytest.mark.clause("revised.wilds.any-card", "common.wilds.lower")
def test_any_face_cards_fill_ranks_above_ten_if_there_are_enough(
    above_ten: tuple[int, ...],
) -> None:
    for count in range(len(above_ten), 4):
        for faces in combinations("JQK", count):
            ranks = (*[10] * (count - len(above_ten)), *above_ten)
            assert can_fill(ranks, faces, "lower")


@pytest.mark.clause("classic.wilds.not-higher")
def test_a_jack_does_not_fill_a_queen_nor_a_queen_a_king() -> None:
    assert not can_fill((12,), ("J",), "lower")
    assert not can_fill((KING,), ("Q",), "lower")
    assert can_fill((KING,), ("K",), "lower")


def test_suits_and_ranks_are_counted() -> None:
    some = cards("3r 3g 7g Tb")
    assert suit_count(some) == 3
    assert ranks_in(some) == 0b100100010
    assert ranks_between(ranks_in(some)) == (3, 10)
    assert (suit_count(0), ranks_in(0)) == (0, 0)
