"""Every play that beats the current one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards.card import FACE_CARDS, SUIT_CARDS
from engine.cards.hand import mask_of
from engine.combinations.beating import beats
from engine.combinations.kinds import COMBINATIONS
from engine.combinations.plays import number_in, play_of
from engine.combinations.rules import FIVE_SUITS, CombinationRules
from engine.plays.following import follows
from engine.plays.leading import leads
from tests.engine.combinations.naming import a_bomb, a_run, a_set, a_stair, cards, plays

hands = st.sets(st.sampled_from(SUIT_CARDS + FACE_CARDS), max_size=17).map(mask_of)


def following(codes: str, current: int, suits: int = 4) -> list[str]:
    return plays(follows(cards(codes), play_of(current, 0), CombinationRules(suits)))


@pytest.mark.clause("common.wilds.jack-beats-ten", "common.tricks.higher-ranks")
def test_a_single_is_beaten_by_higher_singles_up_to_face_cards() -> None:
    assert following("9r Tr J K", a_set(9, 1)) == [
        "Tr: single ten",
        "J: single jack",
        "K: single king",
        "J K: bomb J-K",
    ]
    assert following("9r Tr J K", a_set(10, 1)) == ["J: single jack", "K: single king", "J K: bomb J-K"]
    assert following("9r Tr J", a_set(12, 1)) == []


@pytest.mark.clause("common.tricks.same-size")
def test_a_set_is_beaten_by_as_many_cards_of_a_higher_rank() -> None:
    assert following("5r 5o 5y 6r 7r J", a_set(5, 2)) == ["6r J: pair of sixes", "7r J: pair of sevens"]
    assert following("5r 5o 5y 6r 7r J", a_set(4, 4)) == ["5r 5o 5y J: four fives"]


@pytest.mark.clause("common.wilds.run-to-the-jack")
def test_a_run_is_beaten_by_one_of_the_same_length_with_a_higher_top_in_any_suit() -> None:
    assert following("9r Tr 4g 5g 6g 7g J", a_run(10, 3)) == ["9r Tr J: run of three, nine to jack"]
    assert following("9r 4g 5g 6g 7g", a_run(5, 3)) == [
        "4g 5g 6g: run of three, four to six",
        "5g 6g 7g: run of three, five to seven",
    ]


@pytest.mark.clause("common.wilds.stair-to-the-jack")
def test_a_stair_is_beaten_by_one_of_the_same_width_and_length_with_a_higher_top() -> None:
    assert following("Tr Tg J Q", a_stair(10, 2, 2)) == [
        "Tr Tg J Q: stair of pairs, ten to jack",
        "J Q: bomb J-Q",
    ]
    assert following("4r 4g 5r 5g 6r 6g", a_stair(4, 2, 2)) == [
        "4r 5r 4g 5g: stair of pairs, four to five",
        "5r 6r 5g 6g: stair of pairs, five to six",
    ]
    assert following("4r 4g 5r 5g 6r 6g", a_stair(5, 2, 3)) == [
        "4r 5r 6r 4g 5g 6g: stair of pairs, four to six"
    ]


@pytest.mark.clause("common.bombs.only-by-higher", "booklet.bombs.in-any-trick")
def test_a_bomb_is_beaten_only_by_higher_bombs() -> None:
    hand = "3r 5r 7r 9r Tr J Q K"
    assert following(hand, a_bomb(2)) == [
        "J K: bomb J-K",
        "Q K: bomb Q-K",
        "J Q K: bomb J-Q-K",
        "3r 5r 7r 9r: bomb 3-5-7-9 in one suit",
    ]
    assert following(hand, a_bomb(6)) == []


def test_an_empty_hand_has_no_follows() -> None:
    assert all(follows(0, play_of(number, 0), FIVE_SUITS) == [] for number in range(1, len(COMBINATIONS) + 1))


@given(hands, st.integers(1, len(COMBINATIONS)))
def test_follows_are_the_leads_that_beat_the_current_play(hand: int, current: int) -> None:
    expected = {play for play in leads(hand, FIVE_SUITS) if beats(number_in(play), current)}
    found = follows(hand, play_of(current, 0), FIVE_SUITS)
    assert set(found) == expected
    assert len(found) == len(expected)


@given(hands, st.integers(1, len(COMBINATIONS)))
def test_bombs_come_last(hand: int, current: int) -> None:
    are_bombs = [number_in(play) >= a_bomb(1) for play in follows(hand, play_of(current, 0), FIVE_SUITS)]
    assert are_bombs == sorted(are_bombs)
