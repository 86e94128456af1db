"""Plays as single numbers."""

from hypothesis import given
from hypothesis import strategies as st

from engine.cards.hand import FACES, FACES_AT, HAND_BITS
from engine.combinations.kinds import COMBINATIONS
from engine.combinations.plays import FACE_CHOICES, NO_PLAY, between, cards_in, number_in, play_of
from tests.engine.combinations.naming import a_run, a_set, cards

numbers = st.integers(1, len(COMBINATIONS))
groups = st.integers(1, HAND_BITS)


@given(numbers, groups)
def test_a_play_contains_its_cards_and_its_combination(number: int, group: int) -> None:
    play = play_of(number, group)
    assert (number_in(play), cards_in(play)) == (number, group)
    assert play != NO_PLAY


@given(numbers, groups, numbers, groups)
def test_plays_sort_by_combination(number: int, group: int, other: int, others: int) -> None:
    if number < other:
        assert play_of(number, group) < play_of(other, others)


def test_the_same_cards_as_another_combination_are_a_different_play() -> None:
    group = cards("3r J Q")
    assert len({play_of(number, group) for number in (a_set(3, 3), a_run(4, 3), a_run(5, 3))}) == 3


def test_face_choices_are_the_subsets_of_the_face_cards_by_size() -> None:
    jack_and_king = 0b101
    assert FACE_CHOICES[jack_and_king] == ((0,), (cards("J"), cards("K")), (cards("J K"),), ())
    assert [len(choices) for choices in FACE_CHOICES[FACES >> FACES_AT]] == [1, 3, 3, 1]


@given(st.lists(st.tuples(st.integers(1, 9), groups)), st.integers(1, 9), st.integers(1, 9))
def test_between_returns_the_plays_of_a_range_of_combinations(
    made: list[tuple[int, int]], first: int, last: int
) -> None:
    plays = tuple(sorted(play_of(number, group) for number, group in made))
    wanted = tuple(play for play in plays if first <= number_in(play) <= last)
    assert between(first, last, plays) == wanted
