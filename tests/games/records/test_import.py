"""Imported matches: readable like any other match, and never continued."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games.gateway.records import ImportRefused, parse_record
from games.matches.models.log import Move, Round, SeedChain
from games.matches.models.match import Match, MatchStatus
from games.matches.store import find_match
from games.records.models import ImportedRecord
from games.records.queries import build_match_record
from games.records.services import ImportOptions, import_record
from games.records.verification import Difference, verify_matches
from tests.support.clients import HttpPlayer
from tests.support.factories import make_player, start_match
from tests.support.table import Table

RECORDS = Path(__file__).parents[2] / "records"
FINISHED = sorted(path.stem for path in RECORDS.glob("*.json"))


def load_record(name: str) -> Any:
    return parse_record((RECORDS / f"{name}.json").read_bytes())


def import_match(record: Any, **options: Any) -> Match:
    match_id, _ = import_record(record=record, options=ImportOptions(maker=make_player(), **options))
    return Match.objects.get(pk=match_id)


def get(match: Match, path: str = "") -> Any:
    response = Client().get(f"/api/v1/matches/{match.pk}{path}")
    assert response.status_code == 200, response.content
    return response.json()


@pytest.mark.parametrize("name", FINISHED)
def test_an_imported_match_can_be_read(database: str, name: str) -> None:
    record = load_record(name)
    match = import_match(record)
    assert get(match, "/record") == record
    table = get(match)
    assert (table["status"], table["round"], table["visibility"]) == ("finished", None, "unlisted")
    assert table["result"]["scores"] == [seat["score"] for seat in table["seats"]]
    rounds = get(match, "/rounds?limit=100")["results"]
    assert [each["scores"] for each in rounds] == [each["scores"] for each in record["rounds"]]
    assert [each["link"] for each in rounds] == [each["link"] for each in record["rounds"]]


@pytest.mark.parametrize("name", FINISHED)
def test_the_log_contains_every_action_and_ends_with_the_match(database: str, name: str) -> None:
    record = load_record(name)
    match = import_match(record)
    entries = [move.entry for move in Move.objects.filter(match=match).order_by("version")]
    assert [entry["version"] for entry in entries] == list(range(1, match.version + 1))
    acted = [(e["seat"], e["type"]) for e in entries if e["type"] in {"play", "pass", "bet", "award"}]
    assert acted == [(a["seat"], a["type"]) for played in record["rounds"] for a in played["actions"]]
    assert [each["type"] for each in entries[-1]["then"]][-2:] == ["round_end", "match_end"]
    assert entries[-1]["then"][-1]["result"] == match.result
    assert get(match, "/moves?limit=1")["results"] == entries[:1]


@pytest.mark.parametrize("name", FINISHED)
def test_verify_matches_accepts_an_imported_match(database: str, name: str) -> None:
    match = import_match(load_record(name))
    assert verify_matches().events == match.version


def test_export_and_import_preserve_a_match_played_on_this_server(database: str) -> None:
    people = [make_player("heather"), make_player("angus")]
    played = start_match(*people, rounds=1)
    Table.of(played).finish()
    row = find_match(played.pk)
    assert row is not None
    record = parse_record(json.dumps(build_match_record(row)).encode())
    assert import_record(record=record, options=ImportOptions(maker=people[0])) == (played.pk, False)
    turns = Move.objects.filter(type="play").order_by("version").values_list("entry__cards", flat=True)
    match = import_match({**record, "match": "m_elsewhere"})
    assert list(turns.filter(match=match)) == list(turns.filter(match=played))
    assert (match.result, match.anchor) == (record["result"], played.anchor)
    assert verify_matches().matches == 2


def test_importing_a_record_twice_stores_it_once(database: str) -> None:
    record = load_record("classic-2")
    options = ImportOptions(maker=make_player())
    assert import_record(record=record, options=options)[1]
    assert not import_record(record=record, options=options)[1]
    assert Match.objects.count() == ImportedRecord.objects.count() == 1


def test_a_record_without_an_id_gets_the_same_id_every_time(database: str) -> None:
    record = load_record("classic-2-elsewhere") | {"match": None}
    options = ImportOptions(maker=make_player())
    first = import_record(record=record, options=options)
    assert first[1]
    assert import_record(record=record, options=options) == (first[0], False)


def test_a_record_with_the_id_of_another_match_is_refused(database: str) -> None:
    record = load_record("classic-2")
    import_match(record)
    with pytest.raises(ImportRefused, match="belongs to another match"):
        import_match({**record, "seats": ["somebody", "else"]})
    running = start_match("easy", "easy")
    with pytest.raises(ImportRefused, match="belongs to another match"):
        import_match({**record, "match": running.pk, "deal_id": record["match"]})


def with_score(record: Any) -> None:
    record["rounds"][0]["scores"][0]["captured"] += 1


def without_rounds(record: Any) -> None:
    record["rounds"], record["result"] = [], None


def not_finished(record: Any) -> None:
    record["rounds"], record["result"] = record["rounds"][:1], None


def with_invalid_id(record: Any) -> None:
    record["match"] = "m/../x"


INVALID: dict[str, Callable[[Any], None]] = {
    "/rounds/0/scores/0/captured": with_score,
    "has not begun": without_rounds,
    "not finished": not_finished,
    "/match": with_invalid_id,
}


@pytest.mark.parametrize("reason", INVALID)
def test_an_invalid_or_unfinished_record_is_refused_and_nothing_is_stored(database: str, reason: str) -> None:
    record = load_record("classic-2")
    INVALID[reason](record)
    with pytest.raises(ImportRefused, match=reason):
        import_match(record)
    assert not Match.objects.exists()


def test_a_name_is_linked_to_an_account_only_if_it_is_mapped(database: str) -> None:
    record = load_record("classic-2")
    name = record["seats"][0]
    namesake = make_player(name)
    seat = get(import_match(record))["seats"][0]
    assert (seat["player"], seat["imported_name"]) == (None, name)
    theirs = Client().get(f"/api/v1/players/{name}/matches").json()["results"]
    assert theirs == []
    other = {**record, "match": "m_other"}
    seat = get(import_match(other, players={name: namesake}))["seats"][0]
    assert seat["player"]["username"] == name


def test_mapping_two_seats_to_one_player_is_refused(database: str) -> None:
    record = load_record("classic-2")
    player = make_player()
    with pytest.raises(ImportRefused, match="two seats"):
        import_match(record, players=dict.fromkeys(record["seats"], player))
    assert not Match.objects.exists()


def test_an_imported_match_cannot_be_continued(database: str) -> None:
    record = load_record("classic-2")
    player = make_player()
    match = import_match(record, players={record["seats"][0]: player})
    me = HttpPlayer.log_in(match, player)
    path = f"matches/{match.pk}"
    assert me.act({"version": match.version, "type": "pass"}).json()["code"] == "match_not_active"
    assert me.request("POST", f"{path}/rematch", {}).json()["code"] == "not_allowed"
    assert me.request("POST", f"{path}/resign", {}).json()["code"] == "match_not_active"
    assert not SeedChain.objects.exists()


CHANGES: dict[str, Callable[[Match], Any]] = {
    "status|result": lambda match: Match.objects.filter(pk=match.pk).update(
        result={"winners": [1], "scores": [0, 0], "reason": "target"}
    ),
    "captured|scores": lambda match: Round.objects.filter(match=match, number=1).update(scores=[]),
    "the record: ": lambda match: ImportedRecord.objects.filter(match=match).update(record={"format": "x"}),
    "the record is missing": lambda match: ImportedRecord.objects.filter(match=match).delete(),
    "leader": lambda match: Round.objects.filter(match=match, number=1).update(leader=7),
}


@pytest.mark.parametrize("where", CHANGES)
def test_verify_matches_detects_changes_of_an_imported_match(database: str, where: str) -> None:
    match = import_match(load_record("classic-2"))
    CHANGES[where](match)
    with pytest.raises(Difference, match=where):
        verify_matches(match_id=match.pk)
    assert match.status == MatchStatus.FINISHED
