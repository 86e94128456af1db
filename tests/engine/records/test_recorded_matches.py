"""Matches recorded once and stored as files stay valid, in both formats and for both verifiers."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import tests.records
from engine.records.loading import load_record, parse_json
from engine.records.notation import to_text
from engine.records.reading import read_record
from engine.records.replay import replay
from engine.records.verdict import Deals, Valid
from engine.records.writing import JsonObject, write_record
from tests.engine.records.editing import edited, error_of, found
from tools import verify_record

FOLDER = Path(tests.records.__file__).parent
FILES = sorted(FOLDER.glob("*.json"))
IMPORTED = FOLDER / "classic-2-elsewhere.json"
PROVEN, WRONG, UNPROVEN = 0, 1, 2

every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def json_of(path: Path) -> JsonObject:
    record = parse_json(path.read_text(encoding="utf-8"))
    assert isinstance(record, dict)
    return record


def test_every_rule_set_and_number_of_players_has_a_recorded_match() -> None:
    tables = {(record["ruleset"], record["players"]) for record in map(json_of, FILES)}
    assert tables == {
        ("haggish", 2),
        *((key, players) for key in ("classic", "revised", "booklet", "deluxe") for players in (2, 3)),
    }


@every_file
def test_a_recorded_match_is_valid_and_its_deals_are_proven_if_possible(path: Path) -> None:
    deals = Deals.UNPROVEN if path == IMPORTED else Deals.PROVEN
    assert replay(load_record(path.read_bytes())) == Valid(deals)


@every_file
def test_both_formats_are_written_unchanged(path: Path) -> None:
    record = json_of(path)
    text = path.with_suffix(".txt").read_text(encoding="utf-8")
    assert write_record(load_record(text.encode())) == record
    assert to_text(read_record(record)) == text


@every_file
def test_the_standalone_verifier_agrees_on_the_deals(path: Path) -> None:
    status = verify_record.verify(path.name, path.read_bytes())
    assert status == (UNPROVEN if path == IMPORTED else PROVEN)


def broken_deals(record: JsonObject) -> Iterator[JsonObject]:
    """Yield the record with one value changed that its deals depend on."""
    zeros = "0" * 64
    yield edited(record, {"/anchor": zeros})
    yield edited(record, {"/deal_id": "m_other"})
    for seat in range(record["players"]):
        yield edited(record, {f"/client_seeds/{seat}": "pepper"})
    for number in range(len(record["rounds"])):
        yield edited(record, {f"/rounds/{number}/link": zeros})
        hand, haggis = f"/rounds/{number}/hands/1/5", f"/rounds/{number}/haggis/1"
        yield edited(record, {hand: found(record, haggis), haggis: found(record, hand)})
        yield edited(record, {hand: found(record, haggis)})
    leader = "/rounds/0/leader"
    yield edited(record, {leader: (found(record, leader) + 1) % record["players"]})


@pytest.mark.parametrize("path", [path for path in FILES if path != IMPORTED], ids=lambda path: path.stem)
def test_both_verifiers_detect_any_change_to_a_deal(path: Path) -> None:
    for record in broken_deals(json_of(path)):
        assert error_of(record) is not None
        assert verify_record.verify(path.name, json.dumps(record).encode()) == WRONG


@every_file
@pytest.mark.parametrize("missing", ("/anchor", "/deal_id", "/client_seeds", "/rounds/0/link"))
def test_both_verifiers_leave_incomplete_records_unproven(path: Path, missing: str) -> None:
    record = edited(json_of(path), {missing: None})
    assert replay(read_record(record)) == Valid(Deals.UNPROVEN)
    assert verify_record.verify(path.name, json.dumps(record).encode()) == UNPROVEN
