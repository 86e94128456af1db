"""Every combination that some cards can form, and the reason if there is none."""

from itertools import groupby

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.cards.card import FACE_CARDS, SUIT_CARDS, Card
from engine.cards.hand import mask_of
from engine.combinations.readings import numbers_of, readings_of, violated_clause
from engine.combinations.rules import FIVE_SUITS, FOUR_SUITS, CombinationRules
from engine.rulebook import Clause
from tests.engine.combinations.naming import a_run, a_set, a_stair, cards


def read(codes: str, suits: int = 5) -> list[str]:
    return [str(reading.combination) for reading in readings_of(cards(codes), CombinationRules(suits))]


@pytest.mark.parametrize(
    ("codes", "readings"),
    (
        ("Tr Tg J Q", ["four tens", "stair of pairs, nine to ten", "stair of pairs, ten to jack"]),
        ("9r Tr J", ["run of three, eight to ten", "run of three, nine to jack"]),
        ("3r J Q", ["three threes", "run of three, two to four", "run of three, three to five"]),
        (
            "5r J Q K",
            [
                "four fives",
                "run of four, two to five",
                "run of four, three to six",
                "run of four, four to seven",
                "run of four, five to eight",
                "stair of pairs, four to five",
                "stair of pairs, five to six",
            ],
        ),
        (
            "4r 5r J Q",
            [
                "run of four, two to five",
                "run of four, three to six",
                "run of four, four to seven",
                "stair of pairs, four to five",
            ],
        ),
        ("J", ["single jack"]),
        ("J Q", ["bomb J-Q"]),
        ("3r 5r 7r 9r", ["bomb 3-5-7-9 in one suit"]),
        ("3r 5r 7r 9r J", []),
        ("3r 5r 7r 9r J Q K", ["run of seven, three to nine"]),
    ),
)
def test_every_combination_that_cards_can_form_is_found(codes: str, readings: list[str]) -> None:
    assert read(codes) == readings


def test_a_reading_describes_its_wild_cards() -> None:
    lower, upper = readings_of(cards("9r Tr J"), FOUR_SUITS)
    assert [(str(wild.face), wild.stands_for) for wild in lower.wilds] == [("J", "8r")]
    assert upper.wilds == ()


def test_an_empty_set_of_cards_has_no_reading() -> None:
    assert numbers_of(0, FOUR_SUITS) == ()


def test_the_maximum_width_of_a_stair_depends_on_the_deck() -> None:
    wide = "4r 4o 4y 4g 5r 5o 5y J Q K"
    assert read(wide, suits=5) == ["stair of quintuples, four to five"]
    assert read(wide, suits=4) == []


def test_the_numbers_of_readings_are_ascending() -> None:
    assert numbers_of(cards("3r J Q"), FOUR_SUITS) == (a_set(3, 3), a_run(4, 3), a_run(5, 3))
    assert numbers_of(cards("Tr Tg J Q"), FOUR_SUITS) == (
        a_set(10, 4),
        a_stair(10, 2, 2),
        a_stair(11, 2, 2),
    )


@pytest.mark.parametrize(
    ("codes", "clause"),
    (
        ("7r 7g 8r 8o", Clause.STAIR_SAME_SUITS),
        ("7r 7g 8r", Clause.STAIR_SAME_SUITS),
        ("7r 7g 8r 8g 8b", Clause.STAIR_SAME_SUITS),
        ("7r 7g 9r 9g", Clause.STAIR_CONSECUTIVE),
        ("7r 7g 9r 9g J", Clause.STAIR_CONSECUTIVE),
        ("7r 7g 2r J Q K", Clause.STAIR_CONSECUTIVE),
        ("7r 8g", Clause.SET_ONE_RANK),
        ("7r 8r", Clause.RUN_THREE_CARDS),
        ("7r 9r", Clause.RUN_THREE_CARDS),
        ("2r 3r 5r", Clause.RUN_CONSECUTIVE),
        ("2r 9r J", Clause.RUN_CONSECUTIVE),
        ("2r 3r 4g", Clause.RUN_ONE_SUIT),
        ("2r 3g J", Clause.RUN_ONE_SUIT),
        ("3r 5g 7y 8b", Clause.RUN_ONE_SUIT),
        ("3r 5o 7y 9y", Clause.BOMB_ONE_SUIT_OR_FOUR),
        ("3r 5r 7o 9o", Clause.BOMB_ONE_SUIT_OR_FOUR),
        ("3r 5o 7y J", Clause.BOMB_NO_WILDS),
        ("3r 5r 9r K", Clause.BOMB_NO_WILDS),
    ),
)
def test_cards_without_a_reading_report_the_violated_clause(codes: str, clause: Clause) -> None:
    assert numbers_of(cards(codes), FIVE_SUITS) == ()
    assert violated_clause(cards(codes), FIVE_SUITS) is clause


def test_a_stair_of_five_suits_is_too_wide_if_four_are_in_play() -> None:
    wide = cards("4r 4o 4y 4g 5r 5o 5y 5g J Q")
    assert numbers_of(wide, FOUR_SUITS) == ()
    assert violated_clause(wide, FOUR_SUITS) is Clause.STAIR_SUITS_IN_PLAY


def is_violated(clause: Clause, group: set[Card]) -> bool:
    """Return whether the cards violate the clause, while being close to the combination it is about."""
    suit_cards = [card for card in group if not card.is_face]
    ranks = {card.rank for card in suit_cards}
    suits = {card.suit for card in suit_cards}
    per_rank = [len(list(of_rank)) for _, of_rank in groupby(sorted(card.rank for card in suit_cards))]
    gaps = max(ranks) - min(ranks) + 1 - len(ranks)
    return {
        Clause.SET_ONE_RANK: len(group) == 2 and len(ranks) > 1,
        Clause.RUN_THREE_CARDS: len(group) == 2 and len(suits) == 1,
        Clause.RUN_CONSECUTIVE: len(suits) == 1 and gaps > len(group) - len(suit_cards),
        Clause.RUN_ONE_SUIT: len(suits) > 1 and max(per_rank) == 1,
        Clause.STAIR_SUITS_IN_PLAY: len(group) % 5 == 0 and len(suits) > 2,
        Clause.STAIR_SAME_SUITS: len(suits) > 1 and max(per_rank) > 1,
        Clause.STAIR_CONSECUTIVE: len(suits) > 1 and 2 * gaps > len(group) - len(suit_cards),
        Clause.BOMB_NO_WILDS: len(group) == 4 and ranks < {3, 5, 7, 9},
        Clause.BOMB_ONE_SUIT_OR_FOUR: ranks == {3, 5, 7, 9} and len(group) == 4 and len(suits) in {2, 3},
    }[clause]


@given(
    st.sets(st.sampled_from(SUIT_CARDS), min_size=1, max_size=8),
    st.sets(st.sampled_from(FACE_CARDS)),
    st.sampled_from((4, 5)),
)
def test_the_reported_clause_is_really_violated(suit_cards: set[Card], faces: set[Card], suits: int) -> None:
    group = suit_cards | faces
    rules = CombinationRules(suits)
    assume(not numbers_of(mask_of(group), rules))
    assert is_violated(violated_clause(mask_of(group), rules), group)
