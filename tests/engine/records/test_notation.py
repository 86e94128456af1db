"""The text notation preserves all of a record: every record converts both ways without loss."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Malformed
from engine.matches.ending import Length
from engine.records.notation import from_text, to_text
from engine.records.record import Record
from engine.rulesets.model import TableRules
from tests.engine.records.any_record import ANY_RECORD
from tests.engine.records.recorded_matches import play_match
from tests.engine.scoring.finished_rounds import TABLES


@settings(max_examples=300)
@given(ANY_RECORD)
def test_every_record_round_trips(record: Record) -> None:
    assert from_text(to_text(record)) == record


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.key}-{rules.players}")
def test_matches_of_every_table_round_trip(rules: TableRules) -> None:
    record = play_match(rules, Length(rounds=2))
    assert from_text(to_text(record)) == record


def test_text_that_was_read_is_written_unchanged() -> None:
    text = to_text(play_match(TABLES[0], Length(rounds=1)))
    assert to_text(from_text(text)) == text


def where_malformed(text: str) -> str:
    """Return the line of the error, or "line -" if there is none."""
    try:
        from_text(text)
    except Malformed as fault:
        return fault.where
    return "line -"


TEXT = to_text(play_match(TABLES[0], Length(rounds=1)))


@settings(max_examples=300)
@given(place=st.integers(0, len(TEXT)), cut=st.integers(0, 40), put=st.text(max_size=5))
def test_modified_text_is_read_or_reported_with_its_line(place: int, cut: int, put: str) -> None:
    assert where_malformed(TEXT[:place] + put + TEXT[place + cut :]).startswith("line ")
