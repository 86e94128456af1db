"""One round of a record: the structure of its cards, actions and scores."""

import pytest

from engine.cards.card import parse_cards
from engine.records.reading_rounds import read_round
from tests.engine.records.editing import GONE, edited
from tests.engine.records.test_fields import error_of
from tests.engine.records.test_reading import JSON

ROUND = JSON["rounds"][0]


@pytest.mark.parametrize("name", ("number", "leader", "hands", "haggis", "actions", "out"))
def test_required_fields_must_be_present(name: str) -> None:
    without = edited(ROUND, {f"/{name}": GONE})
    assert error_of(lambda: read_round(without, "/r", 3)) == ("missing_field", f"/r/{name}")


@pytest.mark.parametrize("name", ("dealer", "link", "scores", "totals"))
def test_nullable_fields_may_be_missing(name: str) -> None:
    missing = read_round(edited(ROUND, {f"/{name}": GONE}), "/r", 3)
    assert missing == read_round(edited(ROUND, {f"/{name}": None}), "/r", 3)
    assert getattr(missing, name) is None


def test_cards_are_read_in_their_order() -> None:
    hand = ROUND["hands"][0][::-1]
    turned = read_round(edited(ROUND, {"/hands/0": hand}), "/r", 3)
    assert turned.hands[0] == parse_cards(" ".join(hand))


@pytest.mark.parametrize(
    ("pointer", "value", "code"),
    (
        ("/number", 0, "out_of_range"),
        ("/number", 513, "out_of_range"),
        ("/number", 1.0, "wrong_type"),
        ("/dealer", 3, "out_of_range"),
        ("/leader", None, "wrong_type"),
        ("/link", "xyz", "invalid_hash"),
        ("/hands", [], "wrong_length"),
        ("/hands/1", ["2r"], "wrong_length"),
        ("/hands/1/3", "Xx", "unknown_card"),
        ("/hands/1/16", ROUND["hands"][1][0], "card_twice"),
        ("/haggis", [], "wrong_length"),
        ("/actions", {}, "wrong_type"),
        ("/actions", [{}] * 1001, "wrong_length"),
        ("/out", [0, 0], "seat_twice"),
        ("/scores", [], "wrong_length"),
        ("/scores/0/seat", 3, "out_of_range"),
        ("/scores/0/total", "12", "wrong_type"),
        ("/scores/0/total", GONE, "missing_field"),
        ("/totals", [1], "wrong_length"),
        ("/totals/0", True, "wrong_type"),
    ),
)
def test_invalid_values_are_located(pointer: str, value: object, code: str) -> None:
    changed = edited(ROUND, {pointer: value})
    assert error_of(lambda: read_round(changed, "/r", 3)) == (code, f"/r{pointer}")
