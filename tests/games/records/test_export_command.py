"""The command that exports records: every line replays, and private matches need an option."""

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


def played_match(**options: Any) -> Match:
    match = start_match("random", "random", rounds=1, **options)
    while take_turn(match_id=match.pk, version=match.version):
        match.refresh_from_db()
    return match


def ids(records: list[dict[str, Any]]) -> list[str]:
    return [record["match"] for record in records]


def test_every_line_equals_the_record_of_the_api_and_replays(database: str) -> None:
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


def test_matches_that_have_not_begun_are_not_exported(database: str) -> None:
    make_match(make_player(), make_player())
    assert export() == []


def test_finished_exports_only_finished_matches(database: str) -> None:
    finished, _running = played_match(), start_match("easy", "easy")
    assert ids(export("--finished")) == [finished.pk]


def test_selected_matches_are_exported_in_the_given_order(database: str) -> None:
    first, second, _other = played_match(), start_match("easy", "easy"), played_match()
    assert ids(export("--match", second.pk, "--match", first.pk)) == [second.pk, first.pk]
    assert ids(export("--match", second.pk, "--match", first.pk, "--finished")) == [first.pk]


def test_private_matches_are_exported_only_with_the_option(database: str) -> None:
    private, public = played_match(visibility="private"), played_match(visibility="unlisted")
    assert ids(export()) == [public.pk]
    assert ids(export("--private")) == sorted([private.pk, public.pk])
    assert ids(export("--private", "--match", private.pk)) == [private.pk]


def test_a_private_match_is_reported_like_an_unknown_one(database: str) -> None:
    private = played_match(visibility="private")
    with pytest.raises(CommandError, match=f"no match {private.pk} to export"):
        export("--match", private.pk)
    with pytest.raises(CommandError, match="no match m_none to export"):
        export("--match", "m_none")


def test_all_matches_are_exported_when_there_are_several_batches(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records_queries, "BATCH_SIZE", 2)
    matches = [start_match("easy", "easy") for _ in range(5)]
    assert ids(export()) == sorted(match.pk for match in matches)


def test_records_are_built_one_by_one(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counting_find_match(match_id: str) -> MatchRow | None:
        read.append(match_id)
        return find_match(match_id)

    monkeypatch.setattr(records_queries, "find_match", counting_find_match)
    for _ in range(3):
        start_match("easy", "easy")
    next(records_queries.iter_records(finished=False, private=False))
    assert len(read) == 1


def test_the_output_file_appears_only_when_it_is_complete(database: str, tmp_path: Path) -> None:
    match, file = played_match(), tmp_path / "records.jsonl"
    with pytest.raises(CommandError):
        export("--to", str(file), "--match", match.pk, "--match", "m_none")
    assert list(tmp_path.iterdir()) == []
    assert export("--to", str(file)) == []
    assert [json.loads(line)["match"] for line in file.read_text().splitlines()] == [match.pk]
    assert list(tmp_path.iterdir()) == [file]


def test_an_existing_file_is_not_overwritten(database: str, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text("mine")
    with pytest.raises(CommandError, match="already"):
        export("--to", str(file))
    assert file.read_text() == "mine"


def test_an_unwritable_path_is_reported(database: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be written"):
        export("--to", str(tmp_path / "nowhere" / "records.jsonl"))
