"""Records come in as they went out."""

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


def take_in(*arguments: str) -> list[str]:
    out = io.StringIO()
    call_command("import_records", *arguments, "--maker", "keeper", stdout=out, stderr=out)
    return out.getvalue().splitlines()


def exported(*arguments: str) -> list[Any]:
    out = io.StringIO()
    call_command("export_records", *arguments, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.fixture(autouse=True)
def keeper(database: str) -> None:
    make_player("keeper")


def renamed(name: str, folder: Path) -> str:
    """A copy of a record whose match has a name of its own; its deals are the same."""
    copy = folder / name
    text = (RECORDS / name).read_text("utf-8")
    copy.write_text(re.sub(r'("?match"?:? )"m_example"', rf'\1"m_{copy.stem}"', text, count=1), "utf-8")
    return str(copy)


def test_one_record_a_file_in_either_form(tmp_path: Path) -> None:
    said = take_in(str(RECORDS / "classic-2.json"), renamed("classic-3.txt", tmp_path))
    assert [line.partition(": ")[2] for line in said] == ["imported", "imported"]
    assert Match.objects.count() == 2


def test_one_record_a_line_as_they_are_exported(tmp_path: Path) -> None:
    take_in(str(RECORDS / "classic-2.json"), renamed("deluxe-3.json", tmp_path))
    records = exported()
    file = tmp_path / "records.jsonl"
    file.write_text("\n\n".join(json.dumps(record) for record in records) + "\n")
    assert [line.partition(": ")[2] for line in take_in(str(file))] == ["is here already"] * 2
    Match.objects.update(visibility="private")
    assert exported() == []
    assert exported("--private") == records


def test_a_record_on_many_lines_is_one() -> None:
    file = RECORDS / "classic-2.json"
    assert len(take_in(str(file))) == 1


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    line = json.dumps(json.loads((RECORDS / "haggish-2.json").read_text()))

    class Input:
        buffer = io.BytesIO(line.encode() + b"\n")

    monkeypatch.setattr("sys.stdin", Input)
    assert take_in("-")[0].endswith(": imported")


def test_what_is_refused_is_named_and_the_rest_comes_in(tmp_path: Path) -> None:
    good = json.loads((RECORDS / "classic-2.json").read_text())
    bad = {**good, "match": "m_bad", "anchor": "0" * 64}
    file = tmp_path / "records.jsonl"
    file.write_text(f"{json.dumps(bad)}\nnonsense\n{json.dumps(good)}\n")
    out = io.StringIO()
    with pytest.raises(CommandError, match=r"2 refused\."):
        call_command("import_records", str(file), "--maker", "keeper", stdout=out, stderr=out)
    lines = out.getvalue().splitlines()
    assert [line.split(": ")[0] for line in lines[:2]] == [f"{file}, line {number}" for number in (1, 2)]
    assert lines[2].endswith(": imported")
    assert Match.objects.count() == 1


def test_a_name_may_stand_for_an_account() -> None:
    name = json.loads((RECORDS / "classic-2.json").read_text())["seats"][0]
    make_player("angus")
    take_in(str(RECORDS / "classic-2.json"), "--player", f"{name}=angus", "--visibility", "public")
    assert Seat.objects.get(player__username="angus").imported_name == name


@pytest.mark.parametrize(
    ("arguments", "why"),
    (
        (("nowhere.json",), "cannot be read"),
        ((str(RECORDS / "classic-2.json"), "--player", "angus"), "NAME=USERNAME"),
        ((str(RECORDS / "classic-2.json"), "--player", "a=nobody"), "no player nobody"),
    ),
)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], why: str) -> None:
    with pytest.raises(CommandError, match=why):
        take_in(*arguments)
    assert not Match.objects.exists()
