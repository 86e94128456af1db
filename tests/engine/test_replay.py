"""The command that replays records: one line per record, and an exit status."""

import io
import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from engine import replay
from engine.matches.ending import Length
from engine.records.loading import LARGEST_RECORD
from engine.records.notation import to_text
from engine.records.writing import write_record
from tests.engine.records.editing import edited
from tests.engine.records.recorded_matches import play_match
from tests.engine.scoring.finished_rounds import TABLES

MATCH = play_match(TABLES[0], Length(rounds=1))
RIGHT = write_record(MATCH)
UNPROVEN = edited(RIGHT, {"/anchor": None})
WRONG = edited(RIGHT, {"/rounds/0/number": 2})


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    """Return the exit status and the lines of the command."""
    status = replay.main(arguments)
    return status, capsys.readouterr().out.splitlines()


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Put these bytes on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def write_file(folder: Path, text: str) -> str:
    path = folder / "match"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("text", (json.dumps(RIGHT), to_text(MATCH)))
def test_a_valid_record_is_accepted_in_both_formats(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert run(capsys, write_file(tmp_path, text)) == (0, ["valid"])


@pytest.mark.parametrize(("record", "deals"), ((RIGHT, "proven"), (UNPROVEN, "unproven")))
def test_proven_deals_are_reported_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], record: object, deals: str
) -> None:
    path = write_file(tmp_path, json.dumps(record))
    assert run(capsys, "--deals", path) == (0, [f"valid, deals {deals}"])
    assert run(capsys, path) == (0, ["valid"])


def test_a_wrong_record_is_reported_with_location_and_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, write_file(tmp_path, json.dumps(WRONG))) == (
        1,
        ["wrong at /rounds/0/number: wrong_number: This is round 1."],
    )


def test_an_unreadable_record_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, write_file(tmp_path, "{")) == (
        1,
        ["wrong as a whole: malformed_json: This is not JSON that can be read."],
    )
    text = to_text(MATCH).replace("players 2", "players two")
    line = text.split("\n").index("players two") + 1
    status, (said,) = run(capsys, write_file(tmp_path, text))
    assert status == 1
    assert said.startswith(f"wrong at line {line}: unreadable_line: ")


@pytest.mark.parametrize("path", ("no such\nfile", ".", "\0"))
def test_an_unreadable_file_is_reported_on_one_line(capsys: pytest.CaptureFixture[str], path: str) -> None:
    status, lines = run(capsys, path, path)
    assert status == 1
    assert len(lines) == 2
    assert all(line.startswith("wrong as a whole: unreadable_file: ") for line in lines)


def test_several_records_are_reported_with_their_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_file(tmp_path, json.dumps(RIGHT))
    assert run(capsys, path, path) == (0, ["valid"] * 2)


def test_standard_input_has_one_record_per_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.dumps(RIGHT), "", json.dumps(WRONG), json.dumps(UNPROVEN)]
    feed(monkeypatch, "\r\n".join(lines).encode())
    status, said = run(capsys, "-")
    assert status == 1
    assert [line.partition(" ")[0] for line in said] == ["valid", "wrong", "valid"]
    assert said[1].endswith("[line 3]")


def test_reading_stops_after_a_line_that_is_too_large(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monkeypatch, b"x" * (LARGEST_RECORD + 5) + b"\n" + json.dumps(RIGHT).encode())
    status, said = run(capsys, "-")
    assert status == 1
    assert said == [f"wrong as a whole: too_large: A record has at most {LARGEST_RECORD} bytes. [line 1]"]


def test_empty_standard_input_is_valid(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monkeypatch, b"\n")
    assert run(capsys, "-") == (0, [])


def test_without_arguments_the_usage_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        replay.main([])
    assert stop.value.code == 2
    assert "usage: python -m engine.replay" in capsys.readouterr().err


def test_the_exit_status_is_that_of_main(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for record, status in ((RIGHT, 0), (WRONG, 1)):
        monkeypatch.setattr(sys, "argv", ["replay", write_file(tmp_path, json.dumps(record))])
        with pytest.raises(SystemExit) as stop:
            runpy.run_path(replay.__file__, run_name="__main__")
        assert stop.value.code == status
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_the_module_is_a_command(tmp_path: Path) -> None:
    path = write_file(tmp_path, json.dumps(WRONG))
    command = [sys.executable, "-m", "engine.replay", path]
    root = Path(replay.__file__).parent.parent
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert ran.stdout.startswith("wrong at /rounds/0/number")
