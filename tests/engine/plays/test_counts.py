"""The number of plays of fixed hands, as once counted by both the engine and brute force."""

from collections import Counter
from statistics import mean

import pytest

from engine.cards.hand import FACES
from engine.combinations.kinds import KIND, Kind
from engine.combinations.plays import number_in, play_of
from engine.combinations.rules import FOUR_SUITS, CombinationRules
from engine.plays.following import follows
from engine.plays.leading import leads
from tests.engine.brute_force import beats, plays_of
from tests.engine.combinations.naming import a_bomb, a_run, a_set, a_stair, cards
from tests.engine.plays.positions import combination_at
from tests.engine.randomness import seeded

A_DEAL_FOR_TWO = "6r 5y 2g 3r 8r 7y 7g 6o 4g Tg 4o 5o 3g 6y J Q K"
A_DEAL_FOR_THREE = "9b 6b 4b 8o 2b 9g 8y 7y 4g 3g 2r 7r 5y 3b J Q K"
ONE_SUIT = "2r 3r 4r 5r 6r 7r 8r 9r Tr J Q K"
TWO_SUITS = "4r 5r 6r 7r 8r 9r Tr 4o 5o 6o 7o 8o 9o To J Q K"
THREE_SUITS = "3r 4r 5r 6r 7r 3o 4o 5o 6o 7o 4y 5y 6y 7y J Q K"
NINES_AND_TENS = "9r 9o 9y 9g 9b Tr To Ty Tg Tb J Q K"
POINT_CARDS = "3r 5r 7r 9r 3o 5o 7o 9o 3y 5y 7y 9y 3g 5g J Q K"
EIGHTS_TO_TENS = "8r 9r Tr 8o 9o To 8y 9y Ty 8g 9g Tg 2r 3r J Q K"
SEVENS_TO_NINES = "7r 8r 9r 7o 8o 9o 7y 8y 9y 7g 8g 9g 7b 8b J Q K"
PAIRS_APART = "2r 2o 4y 4g 6b 6r 8o 8y Tg Tb"


@pytest.mark.parametrize(
    ("hand", "suits", "of_each_kind", "total"),
    (
        (A_DEAL_FOR_TWO, "royg", (179, 375, 389, 4), 947),
        (A_DEAL_FOR_TWO[:-6], "royg", (22, 3, 1, 0), 26),
        (A_DEAL_FOR_THREE, "roygb", (163, 302, 232, 6), 703),
        ("7g", "royg", (1, 0, 0, 0), 1),
        ("J Q K", "royg", (3, 0, 0, 4), 7),
        ("5r J Q K", "royg", (11, 13, 2, 4), 30),
        ("5r J Q K", "roygb", (11, 13, 2, 4), 30),
        (PAIRS_APART, "roygb", (15, 0, 0, 0), 15),
        (ONE_SUIT, "royg", (75, 2224, 48, 5), 2352),
        (TWO_SUITS, "royg", (171, 2228, 3939, 4), 6342),
        (THREE_SUITS, "royg", (251, 962, 3780, 4), 4997),
        (NINES_AND_TENS, "roygb", (499, 225, 2246, 4), 2974),
        (POINT_CARDS, "royg", (355, 317, 249, 19), 940),
        (EIGHTS_TO_TENS, "royg", (379, 455, 3349, 4), 4187),
        (SEVENS_TO_NINES, "roygb", (619, 481, 6062, 4), 7166),
    ),
)
def test_number_of_leads_is_that_of_brute_force(
    hand: str, suits: str, of_each_kind: tuple[int, ...], total: int
) -> None:
    found = leads(cards(hand), CombinationRules(len(suits)))
    counts = Counter(KIND[number_in(play)] for play in found)
    assert tuple(counts[kind] for kind in Kind) == of_each_kind
    assert len(found) == len(plays_of(hand.split(), suits)) == total


@pytest.mark.parametrize(
    ("hand", "suits", "current", "count"),
    (
        (A_DEAL_FOR_TWO, "royg", a_set(2, 1), 20),
        (A_DEAL_FOR_TWO, "royg", a_set(10, 1), 7),
        (A_DEAL_FOR_TWO, "royg", a_set(5, 2), 29),
        (A_DEAL_FOR_TWO, "royg", a_run(5, 3), 117),
        (A_DEAL_FOR_TWO, "royg", a_run(11, 3), 7),
        (A_DEAL_FOR_TWO, "royg", a_stair(4, 2, 2), 145),
        (A_DEAL_FOR_THREE, "roygb", a_run(5, 4), 85),
        (A_DEAL_FOR_THREE, "roygb", a_set(4, 3), 39),
        (A_DEAL_FOR_THREE, "roygb", a_bomb(3), 2),
        (TWO_SUITS, "royg", a_stair(5, 2, 3), 431),
        (TWO_SUITS, "royg", a_stair(8, 2, 7), 714),
        (TWO_SUITS, "royg", a_run(8, 7), 406),
        (POINT_CARDS, "royg", a_bomb(1), 7),
        (POINT_CARDS, "royg", a_set(3, 4), 84),
        (SEVENS_TO_NINES, "roygb", a_stair(3, 2, 2), 543),
        (SEVENS_TO_NINES, "roygb", a_stair(8, 3, 3), 1206),
        (SEVENS_TO_NINES, "roygb", a_stair(4, 5, 3), 140),
        (SEVENS_TO_NINES, "roygb", a_set(8, 8), 4),
        (SEVENS_TO_NINES, "roygb", a_bomb(6), 0),
    ),
)
def test_number_of_follows_is_that_of_brute_force(hand: str, suits: str, current: int, count: int) -> None:
    beating = [
        play for play in plays_of(hand.split(), suits) if beats(play.combination, combination_at(current))
    ]
    assert (
        len(follows(cards(hand), play_of(current, 0), CombinationRules(len(suits)))) == len(beating) == count
    )


def test_a_dealt_hand_has_about_900_plays_to_lead() -> None:
    hands = [FACES | sum(1 << bit for bit in seeded(f"hand {n}").sample(range(36), 14)) for n in range(400)]
    assert 850 < mean(len(leads(hand, FOUR_SUITS)) for hand in hands) < 950
