"""Every benchmark runs at the smallest size, without a compiler and without the other libraries."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as main_module
from benchmarks import apply, contenders, foresight, legal_plays, memory, ratings, results, rounds
from benchmarks.results import Ratio


@pytest.fixture
def results_file(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


@pytest.fixture
def common_options(results_file: Path) -> list[str]:
    return ["--date", "2026-01-02", "--results", str(results_file)]


def lines(results_file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in results_file.read_text(encoding="utf-8").splitlines()]


def test_rounds_lists_libraries_that_are_not_installed(
    common_options: list[str],
    results_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(rounds, "is_installed", lambda _: False)
    rounds.main(
        [*common_options, "--no-compiled", "--seconds", "0.01", "--repetitions", "1", "--warm-up", "1"]
    )
    (line,) = lines(results_file)
    assert (line["measure"], line["date"], line["ratios"]) == ("rounds", "2026-01-02", {})
    assert set(line["figures"]) == {"plain", "plain, three players", "plain, from cold"}
    assert all(figure["decisions"] > figure["rounds"] > 0 for figure in line["figures"].values())
    assert capsys.readouterr().out.count("absent") == len(contenders.RIVALS)


def test_rounds_compares_installed_libraries_only(
    monkeypatch: pytest.MonkeyPatch, common_options: list[str]
) -> None:
    monkeypatch.setattr(rounds, "is_installed", lambda rival: rival == "rlcard")
    monkeypatch.setattr(rounds, "run_in", lambda *_: '{"rounds": 1, "decisions": 30, "seconds": 2}')
    recorded: list[Ratio] = []
    monkeypatch.setattr(rounds, "record_results", lambda *given: recorded.extend(given[-1]))
    rounds.main([*common_options, "--no-compiled", "--repetitions", "1"])
    assert [(ratio.name, ratio.value) for ratio in recorded] == [("plain / rlcard", 1.0)]


def test_legal_plays_measures_warm_cold_and_brute_force(
    common_options: list[str], results_file: Path
) -> None:
    sizes = ["--warm-up", "5", "--hands", "5", "--small", "1", "--repetitions", "1"]
    legal_plays.main([*common_options, "--no-compiled", *sizes])
    (line,) = lines(results_file)
    assert set(line["ratios"]) == {"2 players, warm µs", "2 players, cold µs", "brute force / cold"}
    assert set(line["figures"]) == {"plain"}


def test_memory_measures_growth_from_the_first_round(common_options: list[str], results_file: Path) -> None:
    memory.main([*common_options, "--no-compiled", "--rounds", "20"])
    (line,) = lines(results_file)
    assert line["figures"]["rounds"] == 20
    assert line["figures"]["build"] == "plain"
    assert 0 <= line["ratios"]["MB at the peak"] < memory.TARGET


def test_apply_measures_actions_per_match(common_options: list[str], results_file: Path) -> None:
    apply.main([*common_options, "--matches", "1", "--repetitions", "1"])
    (line,) = lines(results_file)
    assert set(line["ratios"]) == {"2 players, µs", "3 players, µs"}
    assert line["figures"]["plain, 2 players"]["actions a match"] > 1


def test_main_runs_all_benchmarks_in_order(
    common_options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[list[str]] = []
    monkeypatch.setattr(main_module, "_MEASURES", (("First", calls.append, "--tiny"),))
    main_module.main([*common_options, "--no-compiled", "--quick"])
    assert calls == [[*common_options, "--no-compiled", "--tiny"]]
    assert "First" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("ratio", "meets_target"),
    (
        (Ratio("a / b", 2.0, 1.5), True),
        (Ratio("a / b", 1.0, 1.5), False),
        (Ratio("µs", 1.0, 1.5, at_most=True), True),
        (Ratio("µs", 2.0, 1.5, at_most=True), False),
    ),
)
def test_ratio_says_whether_it_meets_its_target(ratio: Ratio, *, meets_target: bool) -> None:
    assert ratio.meets_target is meets_target
    assert ("NO" in str(ratio)) is not meets_target


def test_results_name_the_machine_and_package_versions() -> None:
    assert results.machine_name()
    assert set(results.package_versions()) == {"python", "mypy", "rlcard", "open_spiel"}


def test_foresight_reports_correlation_and_gain(common_options: list[str], results_file: Path) -> None:
    foresight.main([*common_options, "--decisions", "3", "--depths", "1", "2", "--worlds", "4", "8"])
    (line,) = lines(results_file)
    assert -1 <= line["figures"]["depth 1, 4 worlds: correlation"] <= 1
    assert "depth 2, 8 worlds: gain" in line["figures"]


def test_ratings_simulates_draws_and_records(
    tmp_path: Path, common_options: list[str], results_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = ["--players", "20", "--matches", "60", "--drift-players", "20", "--drift-matches", "400"]
    ratings.main([*common_options, *sizes, "--plot", str(tmp_path / "plot.svg")])
    (line,) = lines(results_file)
    assert [each["matches"] for each in line["figures"]["snapshots"]] == [10, 20, 30, 40, 50, 60]
    assert "Spearman after 60 matches" in line["ratios"]
    assert capsys.readouterr().out.count("turnover after every") == 2
    assert (tmp_path / "plot.svg").read_text(encoding="utf-8").count("<polyline") == 4
