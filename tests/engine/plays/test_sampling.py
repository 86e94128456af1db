"""Random legal plays without listing all: every legal play can be drawn, and nothing else."""

from collections import Counter
from random import Random

import pytest

from engine.combinations.plays import NO_PLAY, play_of
from engine.combinations.readings import numbers_of
from engine.combinations.rules import FOUR_SUITS, CombinationRules
from engine.plays.following import follows
from engine.plays.leading import leads
from engine.plays.sampling import random_follow, random_lead
from tests.engine.combinations.naming import cards

DRAWS = 6000


@pytest.mark.parametrize(
    ("codes", "suits"),
    (
        ("7r", 4),
        ("J Q K", 4),
        ("3r 5o 7y 9g", 4),
        ("9r 9g Tr Tg J", 4),
        ("4r 5r 6r J Q K", 5),
        ("2r 2g 3r 3g 4r 4g", 5),
        ("2r 2o 2y 3r 3o 3y 4r 4o 4y", 4),
    ),
)
def test_every_lead_is_drawn_eventually_and_nothing_else(codes: str, suits: int) -> None:
    hand, rng = cards(codes), Random(1)
    assert {random_lead(hand, CombinationRules(suits), rng) for _ in range(DRAWS)} == set(
        leads(hand, CombinationRules(suits))
    )


@pytest.mark.parametrize(
    ("codes", "on"),
    (
        ("4r 5o 9g J Q", "3r"),
        ("J Q K", "Q"),
        ("4r 4g 8r 8g J", "6r 6g"),
        ("4r 5r 6r 7r 9r J", "3g 4g 5g"),
        ("3r 5r 7r 9r J Q", "J K"),
        ("5r 5g 6r 6g 7r J", "4o 4y 5o 5y"),
        ("5r 5g 6r 6g 7r 7g J", "4o 4y 5o 5y 6o 6y"),
        ("2r 3o", "T"),
    ),
)
def test_every_follow_is_as_likely_as_a_pass(codes: str, on: str) -> None:
    hand, group, rng = cards(codes), cards(on.replace("T", "Tr")), Random(1)
    current = play_of(numbers_of(group, FOUR_SUITS)[0], group)
    choices = [*follows(hand, current, FOUR_SUITS), NO_PLAY]
    drawn = Counter(random_follow(hand, current, FOUR_SUITS, rng) for _ in range(DRAWS))
    assert set(drawn) == set(choices)
    even = DRAWS / len(choices)
    assert all(abs(count - even) < 5 * even**0.5 for count in drawn.values())
