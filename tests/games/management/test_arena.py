import json
import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from engine.ai.network.weights import FOLDER


def run_arena(*arguments: str) -> str:
    out = StringIO()
    single_process = () if "--processes" in arguments else ("--processes", "1")
    call_command("arena", *arguments, *single_process, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_a_contest_reports_the_margin_with_its_interval_and_cpu_time() -> None:
    output = run_arena("easy", "random", "--deals", "20")
    assert output.startswith("easy over random: +")
    assert "±" in output
    assert "CPU a decision easy" in output


def test_results_are_stored_once_per_contest_and_rendered_as_table_and_plot(tmp_path: Path) -> None:
    results, plot = str(tmp_path / "results.json"), tmp_path / "plot.svg"
    for _ in range(2):
        run_arena("easy", "random", "--deals", "3", "--players", "3", "--json", results)
    run_arena("easy", "easy", "--deals", "2", "--bets", "challenger", "--json", results)
    assert len(json.loads(Path(results).read_text(encoding="utf-8"))) == 2
    output = run_arena("--json", results, "--table", "--plot", str(plot))
    assert "`manage.py arena easy random --players 3 --deals 3`" in output
    assert plot.read_text(encoding="utf-8").startswith("<svg ")


def test_the_notes_of_the_packaged_weights_match_the_published_ladder(tmp_path: Path) -> None:
    for players in (2, 3):
        shutil.copy(FOLDER / f"players-{players}.json", tmp_path)
    run_arena("--json", str(FOLDER.parents[2] / "docs" / "ladder.json"), "--note", str(tmp_path))
    for players in (2, 3):
        note = (tmp_path / f"players-{players}.json").read_text(encoding="utf-8")
        assert note == (FOLDER / f"players-{players}.json").read_text(encoding="utf-8")
        assert any("hard medium" in command for command in json.loads(note)["results"])


def test_the_number_of_processes_does_not_change_the_margin() -> None:
    margins = {
        run_arena("random", "easy", "--deals", "6", "--processes", str(each)).split("(")[0] for each in (1, 3)
    }
    assert len(margins) == 1


def test_contests_to_a_target_report_the_share_of_matches_won() -> None:
    assert "% of matches" in run_arena("easy", "random", "--deals", "2", "--target", "40")


@pytest.mark.parametrize("arguments", ((), ("easy",), ("easy", "random", "--deals", "0")))
def test_incomplete_arguments_are_an_error(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        run_arena(*arguments)


def test_a_contest_uses_the_options_of_the_rule_set() -> None:
    table = "--ruleset revised --players 3 --option bet_split=thirds".split()
    assert "revised" in run_arena("easy", "random", "--deals", "2", *table)
