"""Reading accepts any JSON with the structure of a record; its content is judged elsewhere."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Malformed
from engine.matches.ending import Length
from engine.records.reading import read_record
from engine.records.writing import write_record
from engine.rulesets.catalogue import rule_set
from tests.engine.records.editing import GONE, edited, error_of, leaves
from tests.engine.records.recorded_matches import play_match

MATCH = play_match(rule_set("revised").at_table(players=3), Length(rounds=1))
JSON = write_record(MATCH)
NEEDED = ("format", "ruleset", "players", "seats", "rounds")
OPTIONAL = tuple(name for name in JSON if name not in NEEDED)


@pytest.mark.parametrize("name", NEEDED)
def test_required_fields_must_be_present(name: str) -> None:
    assert error_of(edited(JSON, {f"/{name}": GONE})) == ("missing_field", f"/{name}")


def test_a_value_that_is_not_an_object_is_malformed() -> None:
    assert error_of({"format": "x"}) == error_of({"format": "x", "y": 1}) == ("unknown_format", "/format")


@pytest.mark.parametrize("name", OPTIONAL)
def test_nullable_fields_may_be_missing(name: str) -> None:
    missing = read_record(edited(JSON, {f"/{name}": GONE}))
    assert missing == read_record(edited(JSON, {f"/{name}": None}))
    assert write_record(missing)[name] == ({} if name == "options" else None)


@pytest.mark.parametrize("pointer", ("/x", "/rounds/0/x", "/rounds/0/actions/0/x", "/result/x"))
def test_an_unknown_field_is_rejected_anywhere(pointer: str) -> None:
    assert error_of(edited(JSON, {pointer: 1})) == ("unknown_field", pointer)


@pytest.mark.parametrize(
    ("pointer", "value", "code"),
    (
        ("", [], "wrong_type"),
        ("/format", "haggis-record/2", "unknown_format"),
        ("/format", 1, "unknown_format"),
        ("/format", None, "unknown_format"),
        ("/match", 7, "wrong_type"),
        ("/match", "m" * 256, "wrong_length"),
        ("/deal_id", "\ud800", "invalid_text"),
        ("/ruleset", None, "wrong_type"),
        ("/ruleset_version", 1, "wrong_type"),
        ("/options", [], "wrong_type"),
        ("/options", {str(number): "x" for number in range(33)}, "wrong_length"),
        ("/options/bet_split", True, "wrong_type"),
        ("/players", "3", "wrong_type"),
        ("/players", 3.0, "wrong_type"),
        ("/players", 4, "out_of_range"),
        ("/target_score", True, "wrong_type"),
        ("/rounds_limit", "6", "wrong_type"),
        ("/seats", ["a", "b"], "wrong_length"),
        ("/seats/2", 2, "wrong_type"),
        ("/anchor", "00", "invalid_hash"),
        ("/client_seeds", ["", ""], "wrong_length"),
        ("/client_seeds/0", "x" * 65, "wrong_length"),
        ("/client_seeds/0", "\0", "invalid_text"),
        ("/client_seeds/0", None, "wrong_type"),
        ("/rounds", None, "wrong_type"),
        ("/rounds", [{}] * 513, "wrong_length"),
        ("/result", "won", "wrong_type"),
        ("/result/winners", [3], "out_of_range"),
        ("/result/winners", [0, 0], "seat_twice"),
        ("/result/scores", [1, 2], "wrong_length"),
        ("/result/reason", "boredom", "invalid_value"),
    ),
)
def test_invalid_values_are_located(pointer: str, value: object, code: str) -> None:
    record = edited(JSON, {pointer: value}) if pointer else value
    with pytest.raises(Malformed) as refusal:
        read_record(record)
    assert refusal.value.code == code
    assert refusal.value.where.startswith(pointer)


def test_an_option_name_that_cannot_be_encoded_is_located() -> None:
    assert error_of(edited(JSON, {"/options": {"\ud800": "x"}})) == ("invalid_text", "/options")


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)
PLACES = [pointer for pointer, _ in leaves(JSON)]


@settings(max_examples=300)
@given(place=st.sampled_from(PLACES), up=st.integers(0, 4), odd=ODD)
def test_any_value_anywhere_is_read_or_malformed(place: str, up: int, odd: object) -> None:
    pointer = "/".join(place.split("/")[: max(2, place.count("/") + 1 - up)])
    error_of(edited(JSON, {pointer: odd}))


@given(ODD)
def test_any_other_json_value_is_malformed(odd: object) -> None:
    with pytest.raises(Malformed):
        read_record(odd)
