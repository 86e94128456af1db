"""The command that imports records, and its round trip with the export."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.matches.models.match import Match, Seat
from tests.support.factories import make_player

RECORDS = Path(__file__).parents[2] / "records"


def run_import(*arguments: str) -> list[str]:
    out = io.StringIO()
    call_command("import_records", *arguments, "--maker", "importer", stdout=out, stderr=out)
    return out.getvalue().splitlines()


def run_export(*arguments: str) -> list[Any]:
    out = io.StringIO()
    call_command("export_records", *arguments, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.fixture(autouse=True)
def importer(database: str) -> None:
    make_player("importer")


def copy_with_unique_id(name: str, folder: Path) -> str:
    """Copy a record file, giving its match another ID but the same deals; return the path of the copy."""
    copy = folder / name
    text = (RECORDS / name).read_text("utf-8")
    copy.write_text(re.sub(r'("?match"?:? )"m_example"', rf'\1"m_{copy.stem}"', text, count=1), "utf-8")
    return str(copy)


def test_a_file_holds_one_json_or_text_record(tmp_path: Path) -> None:
    output = run_import(str(RECORDS / "classic-2.json"), copy_with_unique_id("classic-3.txt", tmp_path))
    assert [line.partition(": ")[2] for line in output] == ["imported", "imported"]
    assert Match.objects.count() == 2


def test_exported_records_can_be_imported_one_per_line(tmp_path: Path) -> None:
    run_import(str(RECORDS / "classic-2.json"), copy_with_unique_id("deluxe-3.json", tmp_path))
    records = run_export()
    file = tmp_path / "records.jsonl"
    file.write_text("\n\n".join(json.dumps(record) for record in records) + "\n")
    assert [line.partition(": ")[2] for line in run_import(str(file))] == ["already imported"] * 2
    Match.objects.update(visibility="private")
    assert run_export() == []
    assert run_export("--private") == records


def test_a_json_record_may_span_several_lines() -> None:
    file = RECORDS / "classic-2.json"
    assert len(run_import(str(file))) == 1


def test_records_are_read_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    line = json.dumps(json.loads((RECORDS / "haggish-2.json").read_text()))

    class Input:
        buffer = io.BytesIO(line.encode() + b"\n")

    monkeypatch.setattr("sys.stdin", Input)
    assert run_import("-")[0].endswith(": imported")


def test_refused_records_are_reported_and_the_others_imported(tmp_path: Path) -> None:
    good = json.loads((RECORDS / "classic-2.json").read_text())
    bad = {**good, "match": "m_bad", "anchor": "0" * 64}
    file = tmp_path / "records.jsonl"
    file.write_text(f"{json.dumps(bad)}\nnonsense\n{json.dumps(good)}\n")
    out = io.StringIO()
    with pytest.raises(CommandError, match=r"Records refused: 2\."):
        call_command("import_records", str(file), "--maker", "importer", stdout=out, stderr=out)
    lines = out.getvalue().splitlines()
    assert [line.split(": ")[0] for line in lines[:2]] == [f"{file}, line {number}" for number in (1, 2)]
    assert lines[2].endswith(": imported")
    assert Match.objects.count() == 1


def test_the_player_option_maps_a_name_to_an_account() -> None:
    name = json.loads((RECORDS / "classic-2.json").read_text())["seats"][0]
    make_player("angus")
    run_import(str(RECORDS / "classic-2.json"), "--player", f"{name}=angus", "--visibility", "public")
    assert Seat.objects.get(player__username="angus").imported_name == name


@pytest.mark.parametrize(
    ("arguments", "message"),
    (
        (("nowhere.json",), "cannot be read"),
        ((str(RECORDS / "classic-2.json"), "--player", "angus"), "NAME=USERNAME"),
        ((str(RECORDS / "classic-2.json"), "--player", "a=nobody"), "no player nobody"),
    ),
)
def test_invalid_arguments_are_reported(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        run_import(*arguments)
    assert not Match.objects.exists()
