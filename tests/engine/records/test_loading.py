"""Records are read from bytes in either format."""

import json

import pytest

from engine.errors import Malformed
from engine.matches.ending import Length
from engine.records.loading import LARGEST_RECORD, load_record, parse_json
from engine.records.notation import to_text
from engine.records.writing import write_record
from tests.engine.records.recorded_matches import play_match
from tests.engine.scoring.finished_rounds import TABLES

MATCH = play_match(TABLES[0], Length(rounds=1))
JSON = json.dumps(write_record(MATCH))


@pytest.mark.parametrize(
    "text", (JSON, f"\n {JSON}\n", json.dumps(write_record(MATCH), indent=1), to_text(MATCH))
)
@pytest.mark.parametrize("encoding", ("utf-8", "utf-8-sig"))
def test_json_and_text_are_distinguished(text: str, encoding: str) -> None:
    assert load_record(text.encode(encoding)) == MATCH


@pytest.mark.parametrize(
    ("data", "code"),
    (
        (b"", "unknown_format"),
        (b"\xff", "malformed_text"),
        (b"{", "malformed_json"),
        (b'{"format": 1, "format": 1}', "malformed_json"),
        (b'{"a":' * 100_000, "malformed_json"),
        (b'{"players": ' + b"9" * 5000 + b"}", "malformed_json"),
        (b'{"players": NaN}', "unknown_field"),
        (b"[]", "unknown_format"),
        (b" " * (LARGEST_RECORD + 1), "too_large"),
    ),
)
def test_other_content_is_malformed(data: bytes, code: str) -> None:
    if code == "unknown_field":
        data = data.replace(b"players", b"gamblers")
    with pytest.raises(Malformed) as refusal:
        load_record(data)
    assert refusal.value.code == code


def test_json_with_duplicate_names_is_malformed() -> None:
    assert parse_json('{"a": [1, {"a": 2}]}') == {"a": [1, {"a": 2}]}
    with pytest.raises(Malformed):
        parse_json('{"b": {"a": 1, "a": 1}}')
