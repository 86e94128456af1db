"""Records taken away: every line replays, and nothing private is among them unless that is said."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.ai.services import take_turn
from games.matches.models.match import Match
from games.matches.store import MatchRow, find_match
from games.records import queries as records_queries
from games.records.queries import build_match_record
from tests.support.factories import make_match, make_player, start_match


def export(*arguments: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("export_records", *arguments, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def played_match(**asked: Any) -> Match:
    match = start_match("random", "random", rounds=1, **asked)
    while take_turn(match_id=match.pk, version=match.version):
        match.refresh_from_db()
    return match


def ids(records: list[dict[str, Any]]) -> list[str]:
    return [record["match"] for record in records]


def test_every_line_is_the_record_that_the_api_gives_and_replays(database: str) -> None:
    matches = [played_match(), played_match(ruleset="deluxe"), start_match(make_player(), "easy", "easy")]
    exported_records = export()
    assert ids(exported_records) == sorted(match.pk for match in matches)
    for record in exported_records:
        row = find_match(record["match"])
        assert row is not None
        assert record == build_match_record(row)
    lines = "".join(json.dumps(record) + "\n" for record in exported_records)
    replayed = subprocess.run(
        [sys.executable, "-m", "engine.replay", "-"], input=lines, capture_output=True, text=True, check=True
    )
    assert replayed.stdout.split() == ["valid"] * 3


def test_matches_that_have_not_begun_have_no_record_to_export(database: str) -> None:
    make_match(make_player(), make_player())
    assert export() == []


def test_finished_matches_only(database: str) -> None:
    finished, _running = played_match(), start_match("easy", "easy")
    assert ids(export("--finished")) == [finished.pk]


def test_named_matches_come_in_the_order_named(database: str) -> None:
    first, second, _other = played_match(), start_match("easy", "easy"), played_match()
    assert ids(export("--match", second.pk, "--match", first.pk)) == [second.pk, first.pk]
    assert ids(export("--match", second.pk, "--match", first.pk, "--finished")) == [first.pk]


def test_private_matches_are_left_out_unless_asked_for(database: str) -> None:
    private, public = played_match(visibility="private"), played_match(visibility="unlisted")
    assert ids(export()) == [public.pk]
    assert ids(export("--private")) == sorted([private.pk, public.pk])
    assert ids(export("--private", "--match", private.pk)) == [private.pk]


def test_a_private_match_is_named_as_one_that_is_not_there(database: str) -> None:
    private = played_match(visibility="private")
    with pytest.raises(CommandError, match=f"no match {private.pk} to export"):
        export("--match", private.pk)
    with pytest.raises(CommandError, match="no match m_none to export"):
        export("--match", "m_none")


def test_more_matches_than_are_looked_up_at_once(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_queries, "AT_ONCE", 2)
    matches = [start_match("easy", "easy") for _ in range(5)]
    assert ids(export()) == sorted(match.pk for match in matches)


def test_records_are_written_one_by_one(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def watched(match_id: str) -> MatchRow | None:
        read.append(match_id)
        return find_match(match_id)

    monkeypatch.setattr(records_queries, "find_match", watched)
    for _ in range(3):
        start_match("easy", "easy")
    next(records_queries.records(finished=False, private=False))
    assert len(read) == 1


def test_a_file_is_there_when_it_is_whole(database: str, tmp_path: Path) -> None:
    match, file = played_match(), tmp_path / "records.jsonl"
    with pytest.raises(CommandError):
        export("--to", str(file), "--match", match.pk, "--match", "m_none")
    assert list(tmp_path.iterdir()) == []
    assert export("--to", str(file)) == []
    assert [json.loads(line)["match"] for line in file.read_text().splitlines()] == [match.pk]
    assert list(tmp_path.iterdir()) == [file]


def test_no_file_is_overwritten(database: str, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text("mine")
    with pytest.raises(CommandError, match="already"):
        export("--to", str(file))
    assert file.read_text() == "mine"


def test_a_place_where_nothing_can_be_written_is_named(database: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be written"):
        export("--to", str(tmp_path / "nowhere" / "records.jsonl"))
