"""Actions as records write them."""

import pytest

from engine.cards.card import parse_cards
from engine.combinations.ambiguity import UNNAMED, Named
from engine.combinations.kinds import Kind
from engine.records.reading_actions import read_action
from engine.records.record import By, RecordedAction
from engine.rounds.actions import Award, Bet, Pass, Play
from tests.engine.records.test_fields import error_of

SEATS = range(3)
THREES = {"kind": "set", "top": 3, "width": 3, "length": 1}
PLAY = {"seat": 0, "type": "play", "cards": ["3r", "J", "Q"], "as": THREES}


def test_each_type_of_action_is_read() -> None:
    cards = parse_cards("3r J Q")
    assert read_action(PLAY, "/a", SEATS) == RecordedAction(0, Play(cards, Named(Kind.SET, 3, 3, 1)))
    assert read_action({"seat": 1, "type": "pass"}, "/a", SEATS) == RecordedAction(1, Pass())
    assert read_action({"seat": 2, "type": "bet", "amount": 0}, "/a", SEATS) == RecordedAction(2, Bet(0))
    assert read_action({"seat": 2, "type": "award", "to": 1}, "/a", SEATS) == RecordedAction(2, Award(1))


def test_by_and_at_may_be_given() -> None:
    noted = {"seat": 1, "type": "pass", "by": "clock", "at": "2026-01-02T03:04:05Z"}
    assert read_action(noted, "/a", SEATS) == RecordedAction(1, Pass(), By.CLOCK, "2026-01-02T03:04:05Z")


@pytest.mark.parametrize("name", (None, {}, {"kind": None}))
def test_a_combination_may_be_omitted(name: object) -> None:
    assert read_action(PLAY | {"as": name}, "/a", SEATS).action == Play(parse_cards("3r J Q"), UNNAMED)


def test_a_combination_may_be_partially_named() -> None:
    action = read_action(PLAY | {"as": {"kind": "run"}}, "/a", SEATS).action
    assert action == Play(parse_cards("3r J Q"), Named(Kind.RUN))


@pytest.mark.parametrize(
    ("action", "code", "where"),
    (
        ([], "wrong_type", ""),
        ({"seat": 0}, "missing_field", "/type"),
        ({"seat": 0, "type": []}, "wrong_type", "/type"),
        ({"seat": 0, "type": "resigned"}, "invalid_value", "/type"),
        ({"type": "pass"}, "missing_field", "/seat"),
        ({"seat": 3, "type": "pass"}, "out_of_range", "/seat"),
        ({"seat": True, "type": "pass"}, "wrong_type", "/seat"),
        ({"seat": 0, "type": "pass", "cards": []}, "unknown_field", "/cards"),
        ({"seat": 0, "type": "pass", "by": "robot"}, "invalid_value", "/by"),
        ({"seat": 0, "type": "pass", "at": "now"}, "invalid_time", "/at"),
        ({"seat": 0, "type": "bet"}, "missing_field", "/amount"),
        ({"seat": 0, "type": "bet", "amount": 15.0}, "wrong_type", "/amount"),
        ({"seat": 0, "type": "bet", "amount": -1}, "out_of_range", "/amount"),
        ({"seat": 0, "type": "award", "to": None}, "wrong_type", "/to"),
        ({"seat": 0, "type": "play", "cards": []}, "wrong_length", "/cards"),
        ({"seat": 0, "type": "play", "cards": ["2r"] * 18}, "wrong_length", "/cards"),
        ({"seat": 0, "type": "play", "cards": ["2r", "2r"]}, "card_twice", "/cards/1"),
        ({"seat": 0, "type": "play", "cards": "2r"}, "wrong_type", "/cards"),
        (PLAY | {"as": "set"}, "wrong_type", "/as"),
        (PLAY | {"as": {"kind": "pair"}}, "invalid_value", "/as/kind"),
        (PLAY | {"as": {"top": 101}}, "out_of_range", "/as/top"),
        (PLAY | {"as": {"suit": "r"}}, "unknown_field", "/as/suit"),
    ),
)
def test_invalid_values_are_located(action: object, code: str, where: str) -> None:
    assert error_of(lambda: read_action(action, "/a", SEATS)) == (code, f"/a{where}")
