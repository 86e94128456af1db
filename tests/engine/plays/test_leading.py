"""Every play that may be led."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards.card import FACE_CARDS, SUIT_CARDS, Card
from engine.cards.hand import mask_of
from engine.combinations.plays import cards_in, number_in
from engine.combinations.readings import numbers_of
from engine.combinations.rules import FIVE_SUITS, FOUR_SUITS, CombinationRules
from engine.plays.leading import leads
from tests.engine.combinations.naming import cards, plays

hands = st.sets(st.sampled_from(SUIT_CARDS + FACE_CARDS), max_size=17).map(mask_of)


@pytest.mark.clause("common.lead.any-combination")
def test_leads_are_ordered_sets_runs_stairs_bombs() -> None:
    assert plays(leads(cards("3r 3o 4r J Q"), FOUR_SUITS)) == [
        "3r 3o: pair of threes",
        "3r 3o J: three threes",
        "3r 3o Q: three threes",
        "3r 3o J Q: four threes",
        "3o: single three",
        "3o J: pair of threes",
        "3o Q: pair of threes",
        "3o J Q: three threes",
        "3r: single three",
        "3r J: pair of threes",
        "3r Q: pair of threes",
        "3r J Q: three threes",
        "4r: single four",
        "4r J: pair of fours",
        "4r Q: pair of fours",
        "4r J Q: three fours",
        "J: single jack",
        "Q: single queen",
        "3r J Q: run of three, two to four",
        "4r J Q: run of three, two to four",
        "3r 4r J: run of three, two to four",
        "3r 4r Q: run of three, two to four",
        "3r J Q: run of three, three to five",
        "4r J Q: run of three, three to five",
        "3r 4r J: run of three, three to five",
        "3r 4r Q: run of three, three to five",
        "4r J Q: run of three, four to six",
        "3r 4r J Q: run of four, two to five",
        "3r 4r J Q: run of four, three to six",
        "3o J Q: run of three, two to four",
        "3o J Q: run of three, three to five",
        "3r 3o J Q: stair of pairs, two to three",
        "3r 4r J Q: stair of pairs, three to four",
        "3r 4r 3o J: stair of pairs, three to four",
        "3r 4r 3o Q: stair of pairs, three to four",
        "4r 3o J Q: stair of pairs, three to four",
        "3r 3o J Q: stair of pairs, three to four",
        "J Q: bomb J-Q",
    ]


def test_an_empty_hand_has_no_leads() -> None:
    assert leads(0, FOUR_SUITS) == []


@given(hands, st.sampled_from((4, 5)))
def test_every_play_uses_cards_of_the_hand_and_is_a_valid_reading(hand: int, suits: int) -> None:
    for play in leads(hand & ~(mask_of(SUIT_CARDS[9 * suits :])), CombinationRules(suits)):
        assert cards_in(play) & hand == cards_in(play)
        assert number_in(play) in numbers_of(cards_in(play), CombinationRules(suits))


@given(hands, st.sampled_from(SUIT_CARDS + FACE_CARDS))
def test_adding_a_card_to_the_hand_removes_no_play(hand: int, card: Card) -> None:
    assert set(leads(hand, FIVE_SUITS)) <= set(leads(hand | mask_of([card]), FIVE_SUITS))


@given(hands)
def test_every_card_can_be_led_as_a_single(hand: int) -> None:
    alone = {cards_in(play) for play in leads(hand, FIVE_SUITS) if cards_in(play).bit_count() == 1}
    assert sum(alone) == hand


@given(hands)
def test_a_deck_of_five_suits_only_adds_stairs_of_width_five(hand: int) -> None:
    in_four_suits = hand & ~mask_of(SUIT_CARDS[36:])
    more = set(leads(in_four_suits, FIVE_SUITS)) - set(leads(in_four_suits, FOUR_SUITS))
    assert all("quintuples" in text for text in plays(list(more)))
