"""The 243 combinations, their numbers and their names."""

from itertools import combinations

import pytest

from engine.combinations.kinds import (
    COMBINATIONS,
    FIRST_BOMB,
    KIND,
    LAST_OF_SHAPE,
    LENGTH,
    NUMBER_OF,
    TOP,
    WIDTH,
    Combination,
    Kind,
    combination_of,
    number_of,
)
from tests.engine.brute_force import can_fill, ladders

NUMBERS = range(1, len(COMBINATIONS) + 1)


def some_hand_can_hold(ranks: list[int]) -> bool:
    """Return whether some suit cards, at least one, and three face cards can fill places of these ranks."""
    above_ten = tuple(rank for rank in ranks if rank > 10)
    return len(above_ten) < len(ranks) and any(
        can_fill(above_ten, faces, "lower") for faces in combinations("JQK", len(above_ten))
    )


def test_the_combinations_are_those_that_a_hand_of_seventeen_cards_can_form() -> None:
    sets = {("set", top, width, 1) for top in range(2, 11) for width in range(1, 9)}
    singles = {("set", top, 1, 1) for top in (11, 12, 13)}
    runs_and_stairs = {
        tuple(ladder.combination)
        for ladder in ladders("roygb")
        if some_hand_can_hold([r for r, _ in ladder.places])
    }
    bombs = {("bomb", level, 0, 0) for level in range(1, 7)}
    named = [(c.kind.value, c.top, c.width, c.length) for c in COMBINATIONS]
    assert set(named) == sets | singles | runs_and_stairs | bombs
    assert len(named) == len(set(named)) == 243


def test_numbers_and_combinations_map_to_each_other() -> None:
    for number in NUMBERS:
        combination = combination_of(number)
        assert combination.number == NUMBER_OF[combination] == number
        assert number_of(combination.kind, combination.top, combination.width, combination.length) == number
        assert (KIND[number], TOP[number]) == (combination.kind, combination.top)
        assert (WIDTH[number], LENGTH[number]) == (combination.width, combination.length)


@pytest.mark.parametrize(
    ("kind", "top", "width", "length"),
    (
        (Kind.SET, 11, 2, 1),
        (Kind.SET, 7, 9, 1),
        (Kind.RUN, 3, 1, 2),
        (Kind.RUN, 13, 1, 3),
        (Kind.STAIR, 12, 2, 3),
        (Kind.STAIR, 11, 4, 2),
        (Kind.STAIR, 5, 2, 1),
        (Kind.STAIR, 9, 6, 2),
        (Kind.BOMB, 7, 0, 0),
        (Kind.BOMB, 1, 4, 1),
    ),
)
def test_an_impossible_combination_has_no_number(kind: Kind, top: int, width: int, length: int) -> None:
    assert number_of(kind, top, width, length) == 0


def test_combinations_are_ordered_by_shape_then_top_with_bombs_last() -> None:
    shapes = list(dict.fromkeys(combination.shape for combination in COMBINATIONS))
    in_order = sorted(
        COMBINATIONS, key=lambda combination: (shapes.index(combination.shape), combination.top)
    )
    assert list(COMBINATIONS) == in_order
    assert shapes[-1] == (Kind.BOMB, 0, 0)
    assert combination_of(FIRST_BOMB) == Combination(Kind.BOMB, 1, 0, 0)


def test_the_last_of_a_shape_has_the_highest_top() -> None:
    for number in NUMBERS:
        same = [other for other in NUMBERS if combination_of(other).shape == combination_of(number).shape]
        assert LAST_OF_SHAPE[number] == max(same)


@pytest.mark.parametrize(
    ("kind", "top", "width", "length", "text"),
    (
        (Kind.SET, 6, 1, 1, "single six"),
        (Kind.SET, 13, 1, 1, "single king"),
        (Kind.SET, 6, 2, 1, "pair of sixes"),
        (Kind.SET, 2, 2, 1, "pair of twos"),
        (Kind.SET, 6, 3, 1, "three sixes"),
        (Kind.SET, 10, 8, 1, "eight tens"),
        (Kind.RUN, 13, 1, 12, "run of twelve, two to king"),
        (Kind.RUN, 12, 1, 3, "run of three, ten to queen"),
        (Kind.STAIR, 11, 2, 2, "stair of pairs, ten to jack"),
        (Kind.STAIR, 11, 3, 5, "stair of triples, seven to jack"),
        (Kind.STAIR, 10, 4, 4, "stair of quadruples, seven to ten"),
        (Kind.STAIR, 4, 5, 3, "stair of quintuples, two to four"),
        (Kind.BOMB, 1, 0, 0, "bomb 3-5-7-9 in four suits"),
        (Kind.BOMB, 5, 0, 0, "bomb J-Q-K"),
        (Kind.BOMB, 6, 0, 0, "bomb 3-5-7-9 in one suit"),
    ),
)
def test_a_combination_is_described_in_words(
    kind: Kind, top: int, width: int, length: int, text: str
) -> None:
    assert str(Combination(kind, top, width, length)) == text


def test_descriptions_of_combinations_are_unique() -> None:
    assert len({str(combination) for combination in COMBINATIONS}) == len(COMBINATIONS)
