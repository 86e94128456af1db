"""The engine and brute force agree on leads, follows and readings.

`HAGGIS_BRUTE_POSITIONS` sets the number of hands, 1,600 by default; 40,000 take a quarter of an hour. Each
hand leads, and follows every existing combination.
"""

import os
from collections import defaultdict
from math import ceil

import pytest

from engine.combinations.kinds import COMBINATIONS
from engine.combinations.plays import play_of
from engine.combinations.readings import numbers_of
from engine.combinations.rules import CombinationRules
from engine.plays.following import follows
from engine.plays.leading import leads
from tests.engine.brute_force import beats, combinations_of, plays_of
from tests.engine.plays.positions import DEALS, DECKS, combination_at, hand_of, hands, play_at
from tests.engine.randomness import seeded

HANDS = int(os.environ.get("HAGGIS_BRUTE_POSITIONS", "1600"))
HANDS_OF_EACH = ceil(HANDS / (len(DEALS) * len(DECKS)))
LARGE_HANDS_OF_EACH = ceil(HANDS_OF_EACH / 25)
NUMBERS = range(1, len(COMBINATIONS) + 1)
WHAT_BEATS = {
    current: frozenset(other for other in NUMBERS if beats(combination_at(other), combination_at(current)))
    for current in NUMBERS
}

each_deal = pytest.mark.parametrize("deal", DEALS)
each_deck = pytest.mark.parametrize("suits", DECKS)


def compare(cards: list[str], suits: str, *, above_ten: bool = True) -> None:
    """Lead from a hand and follow every combination with it; assert equal results without duplicates."""
    hand, rules = hand_of(cards), CombinationRules(len(suits), above_ten=above_ten)
    found = {play_at(play): play for play in leads(hand, rules)}
    assert found.keys() == plays_of(cards, suits, "lower" if above_ten else "suit card")
    assert len(leads(hand, rules)) == len(found)
    by_number: dict[int, list[int]] = defaultdict(list)
    for play in found.values():
        by_number[play >> 48].append(play)
    for current in NUMBERS:
        expected = [play for number in by_number.keys() & WHAT_BEATS[current] for play in by_number[number]]
        assert sorted(follows(hand, play_of(current, 0), rules)) == sorted(expected), (cards, current)


@each_deal
@each_deck
def test_every_play_of_a_hand_of_up_to_twelve_cards_is_found_once(deal: str, suits: str) -> None:
    for cards in hands(deal, suits, HANDS_OF_EACH):
        compare(cards, suits)
        compare(cards, suits, above_ten=False)


@each_deal
@each_deck
def test_every_play_of_a_larger_hand_is_found_once(deal: str, suits: str) -> None:
    for cards in hands(deal, suits, LARGE_HANDS_OF_EACH, sizes=range(13, 18)):
        compare(cards, suits)
        compare(cards, suits, above_ten=False)


@each_deal
@each_deck
def test_the_readings_of_cards_match_brute_force(deal: str, suits: str) -> None:
    for cards in hands(deal, suits, HANDS_OF_EACH):
        rng = seeded(" ".join(cards))
        for _ in range(20):
            group = rng.sample(cards, rng.randint(1, len(cards)))
            numbers = numbers_of(hand_of(group), CombinationRules(len(suits)))
            assert numbers == tuple(sorted(set(numbers)))
            assert {combination_at(number) for number in numbers} == combinations_of(group, suits)
            only_wild = numbers_of(hand_of(group), CombinationRules(len(suits), above_ten=False))
            assert {combination_at(each) for each in only_wild} == combinations_of(group, suits, "suit card")


@each_deal
@each_deck
@pytest.mark.clause("common.wilds.lower", "revised.wilds.any-card")
def test_any_card_and_any_lower_card_as_wild_rule_allow_the_same_plays(deal: str, suits: str) -> None:
    for cards in hands(deal, suits, HANDS_OF_EACH // 4):
        assert plays_of(cards, suits, "any") == plays_of(cards, suits, "lower")
