import json
import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from engine.ai.network.weights import FOLDER


def told(*arguments: str) -> str:
    out = StringIO()
    alone = () if "--processes" in arguments else ("--processes", "1")
    call_command("arena", *arguments, *alone, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_two_levels_meet_and_the_margin_is_told_with_its_interval_and_cost() -> None:
    said = told("easy", "random", "--deals", "20")
    assert said.startswith("easy over random: +")
    assert "±" in said
    assert "CPU a decision easy" in said


def test_results_are_kept_once_each_and_shown_as_a_table_and_a_plot(tmp_path: Path) -> None:
    kept, plot = str(tmp_path / "results.json"), tmp_path / "plot.svg"
    for _ in range(2):
        told("easy", "random", "--deals", "3", "--players", "3", "--json", kept)
    told("easy", "easy", "--deals", "2", "--bets", "challenger", "--json", kept)
    assert len(json.loads(Path(kept).read_text(encoding="utf-8"))) == 2
    said = told("--json", kept, "--table", "--plot", str(plot))
    assert "`manage.py arena easy random --players 3 --deals 3`" in said
    assert plot.read_text(encoding="utf-8").startswith("<svg ")


def test_beside_the_packaged_weights_stands_what_the_ladder_came_to(tmp_path: Path) -> None:
    for players in (2, 3):
        shutil.copy(FOLDER / f"players-{players}.json", tmp_path)
    told("--json", str(FOLDER.parents[2] / "docs" / "ladder.json"), "--note", str(tmp_path))
    for players in (2, 3):
        note = (tmp_path / f"players-{players}.json").read_text(encoding="utf-8")
        assert note == (FOLDER / f"players-{players}.json").read_text(encoding="utf-8")
        assert any("hard medium" in command for command in json.loads(note)["results"])


def test_a_contest_comes_to_the_same_in_any_number_of_processes() -> None:
    margins = {
        told("random", "easy", "--deals", "6", "--processes", str(each)).split("(")[0] for each in (1, 3)
    }
    assert len(margins) == 1


def test_matches_to_a_target_are_counted_in_matches_won() -> None:
    assert "% of matches" in told("easy", "random", "--deals", "2", "--target", "40")


@pytest.mark.parametrize("arguments", ((), ("easy",), ("easy", "random", "--deals", "0")))
def test_what_names_no_contest_is_refused(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        told(*arguments)


def test_options_of_a_rule_set_are_played_by() -> None:
    table = "--ruleset revised --players 3 --option bet_split=thirds".split()
    assert "revised" in told("easy", "random", "--deals", "2", *table)
