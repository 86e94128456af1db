"""Combinations are named in the notation only if the cards are ambiguous, and then as players would."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards.card import Card, parse_cards
from engine.combinations.ambiguity import UNNAMED, Named
from engine.combinations.kinds import Kind
from engine.errors import Malformed
from engine.records.notation_names import name_text, read_name
from tests.engine.records.any_record import NAMES, cards


@pytest.mark.parametrize(
    ("codes", "named"),
    (
        ("7r", Named(Kind.SET, 7, 1, 1)),
        ("K", Named(Kind.SET, 13, 1, 1)),
        ("7r 7g K", Named(Kind.SET, 7, 3, 1)),
        ("4y 5y 6y", Named(Kind.RUN, 6, 1, 3)),
        ("4y 5y 4g 5g", Named(Kind.STAIR, 5, 2, 2)),
        ("J Q K", Named(Kind.BOMB, 5, 0, 0)),
    ),
)
def test_cards_with_one_reading_need_no_name(codes: str, named: Named) -> None:
    assert name_text(parse_cards(codes), named, players=2) == ""
    assert read_name("", parse_cards(codes), players=2) == named


@pytest.mark.parametrize(
    ("codes", "named", "name"),
    (
        ("3r J Q", Named(Kind.SET, 3, 3, 1), "set 3"),
        ("3r J Q", Named(Kind.RUN, 5, 1, 3), "run 3-5"),
        ("Tr Tg J Q", Named(Kind.STAIR, 11, 2, 2), "stair T-J"),
        ("7r", UNNAMED, "?"),
        # Partially, and wrongly
        ("7r 7g", Named(Kind.SET), "set ?x?"),
        ("7r 7g", Named(top=7), "7 ?x?"),
        ("7r 7g", Named(top=10), "T ?x?"),
        ("7r 7g", Named(width=2), "2x?"),
        ("7r 7g", Named(length=1), "?x1"),
        ("7r 7g", Named(Kind.SET, 7), "set 7 ?x?"),
        ("7r 7g", Named(Kind.RUN, 7), "run 7 ?x?"),
        ("7r 7g", Named(Kind.SET, 8, 2, 1), "set 8"),
        ("7r 7g", Named(Kind.SET, 7, 3, 1), "set 7 3x1"),
        ("7r 7g", Named(Kind.SET, 14, 2, 1), "set 14 2x1"),
        ("7r 7g", Named(Kind.RUN, 2, 1, 9), "run 2 1x9"),
        ("7r 7g", Named(Kind.BOMB, 6, 0, 0), "bomb 6"),
        ("7r 7g", Named(Kind.BOMB, 60, 0, 0), "bomb 60 0x0"),
    ),
)
def test_any_other_name_is_written_after_the_cards(codes: str, named: Named, name: str) -> None:
    assert name_text(parse_cards(codes), named, players=2) == name
    assert read_name(name, parse_cards(codes), players=2) == named


@settings(max_examples=500)
@given(cards=cards(1, 17) | cards(1, 4), named=NAMES, players=st.sampled_from((2, 3)))
def test_every_name_round_trips(cards: tuple[Card, ...], named: Named, players: int) -> None:
    assert read_name(name_text(cards, named, players), cards, players) == named


def test_the_maximum_width_of_a_stair_depends_on_the_deck() -> None:
    pairs = parse_cards("4r 4o 4y 4g 5r 5o 5y J Q K")
    five_wide = Named(Kind.STAIR, 5, 5, 2)
    assert name_text(pairs, five_wide, players=3) == ""
    assert name_text(pairs, five_wide, players=2) == "stair 4-5"


@pytest.mark.parametrize("codes", ("3r J Q", "7r 8g"))
def test_ambiguous_or_invalid_cards_need_a_name(codes: str) -> None:
    with pytest.raises(Malformed) as refusal:
        read_name("", parse_cards(codes), players=2)
    assert refusal.value.code == "unreadable_line"


@pytest.mark.parametrize(
    "name", ("pair", "set", "set 3-5", "run 5-3", "stair 3-4", "run", "set 1x", "xx", "set 3 3x1 3x1", "??")
)
def test_an_invalid_name_is_malformed(name: str) -> None:
    with pytest.raises(Malformed):
        read_name(name, parse_cards("3r J Q"), players=2)
