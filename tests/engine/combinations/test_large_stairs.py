"""Large stairs: five ranks or more in two suits, three or more in three suits or more."""

import pytest

from engine.combinations.kinds import LENGTH, WIDTH
from engine.combinations.large_stairs import add_large_stairs
from engine.combinations.plays import cards_in, number_in
from tests.engine.brute_force import plays_of
from tests.engine.combinations.naming import cards, plays
from tests.engine.plays.positions import DEALS, DECKS, hand_of, hands, play_at


def large_stairs(codes: str, suits: int = 5) -> list[int]:
    stairs: list[int] = []
    add_large_stairs(stairs, cards(codes), suits)
    return stairs


@pytest.mark.parametrize(
    ("codes", "text"),
    (
        ("2r 2o 3r 3o 4r 4o 5r 5o 6r 6o", "stair of pairs, two to six"),
        ("2r 2o 3r 3o 4r 4o 5r J Q K", "stair of pairs, two to six"),
        ("6r 6o 7r 7o 8r 8o 9r 9o Tr To J K", "stair of pairs, six to jack"),
        ("2r 2o 2y 3r 3o 3y 4r 4o 4y", "stair of triples, two to four"),
        ("8r 8o 8b 9r 9o 9b Tr To Tb J Q K", "stair of triples, eight to jack"),
        ("8r 8o 8y 8g 9r 9o 9y 9g Tr To Ty Tg", "stair of quadruples, eight to ten"),
        ("8o 8y 8g 8b 9o 9y 9g 9b To Ty Tg Tb J Q K", "stair of quintuples, eight to ten"),
        ("2r 2o 2y 2g 2b 3r 3o 3y 3g 4r 4o 4y J Q K", "stair of quintuples, two to four"),
    ),
)
def test_a_large_stair_is_found_anywhere_in_the_deck(codes: str, text: str) -> None:
    whole = cards(codes)
    assert text in [
        words.partition(": ")[2]
        for words in plays([play for play in large_stairs(codes) if cards_in(play) == whole])
    ]


@pytest.mark.parametrize(
    "codes",
    (
        "",
        "J Q K",
        "2r 2o 3r 3o 4r 4o 5r 5o",  # four ranks of two suits are covered elsewhere
        "2r 2o 3r 3o 4r 4o 5r 5o 6r",  # one card missing
        "2r 2o 2y 3r 3o 3y J Q",  # two ranks, and one wild card missing for a third
        "2r 2o 2y 3r 3o 3y 5r 5o 5y",  # a gap
        "2r 2o 2y 3r 3o 3y 4r 4o",
        "2r 3r 4r 5r 6r 7r J Q K",  # one suit
    ),
)
def test_too_few_cards_or_ranks_form_no_large_stair(codes: str) -> None:
    assert large_stairs(codes) == []


@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize("suits", DECKS)
def test_large_stairs_match_brute_force(deal: str, suits: str) -> None:
    for hand in hands(deal, suits, 12):
        stairs: list[int] = []
        add_large_stairs(stairs, hand_of(hand), len(suits))
        expected = set()
        for play in plays_of(hand, suits):
            touched = len({card[1] for card in play.cards if card not in "JQK"})
            ranks = play.combination.length - (play.combination.top == 11)
            if play.combination.kind == "stair" and ranks >= {1: 99, 2: 5}.get(touched, 3):
                expected.add(play)
        assert {play_at(stair) for stair in stairs} == expected
        assert len(stairs) == len(expected)


def test_large_stairs_are_long_or_wide() -> None:
    for stair in large_stairs("2r 2o 3r 3o 4r 4o 5r 5o 6r 6o J Q K"):
        assert WIDTH[number_in(stair)] * LENGTH[number_in(stair)] >= 9
