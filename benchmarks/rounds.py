"""Decisions and rounds per CPU second in random rounds, compared with RLCard and OpenSpiel.

    python -m benchmarks.rounds

The contenders alternate, each in a process of its own, and the medians are compared. So other load on the
machine affects all of them.
"""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.builds import builds, run_in
from benchmarks.contenders import RIVALS, is_installed
from benchmarks.results import Ratio, add_arguments, record_results


def main(arguments: list[str] | None = None) -> None:
    """Run every contender that is installed."""
    options = parse_arguments(arguments)
    absent = [rival for rival in RIVALS if not is_installed(rival)]
    with builds(compiled=options.compiled) as trees:
        turns = _turns(options, trees, absent)
        runs: dict[str, list[dict[str, Any]]] = {name: [] for name in turns}
        for _ in range(options.repetitions):
            for name, (tree, command) in turns.items():
                runs[name].append(json.loads(run_in(tree, "benchmarks.contenders", *command)))
    figures = {name: _figures(tallies) for name, tallies in runs.items()}
    for name, figure in figures.items():
        print(f"{name:36}{figure['decisions']:>12,.0f} decisions/s {figure['rounds']:>10,.0f} rounds/s")
    for rival in absent:
        print(f"{rival:36}      absent")
    record_results(options, "rounds", figures, _ratios(figures))


def _turns(
    options: argparse.Namespace, trees: Mapping[str, Path], absent: list[str]
) -> dict[str, tuple[Path, list[str]]]:
    """Return the contenders of one repetition, each with its folder and its command line."""
    long = ["--seconds", str(options.seconds)]
    warm = [*long, "--warm-up", str(options.warm_up)]
    turns: dict[str, tuple[Path, list[str]]] = {}
    for build, tree in trees.items():
        turns[build] = (tree, ["haggis", *warm])
        turns[f"{build}, three players"] = (tree, ["haggis", *warm, "--players", "3"])
        turns[f"{build}, from cold"] = (tree, ["haggis", *long])
    return turns | {rival: (trees["plain"], [rival, *long]) for rival in RIVALS if rival not in absent}


def _figures(tallies: list[dict[str, Any]]) -> dict[str, float]:
    """Return the medians per CPU second."""
    return {
        "decisions": median(tally["decisions"] / tally["seconds"] for tally in tallies),
        "rounds": median(tally["rounds"] / tally["seconds"] for tally in tallies),
    }


def _ratios(figures: Mapping[str, Mapping[str, float]]) -> list[Ratio]:
    """Return the targets of the contenders that are installed."""
    targets = (
        ("plain", "rlcard", 10.0),
        ("plain", "open_spiel", 0.33),
        ("compiled", "plain", 2.9),
        ("compiled", "open_spiel", 1.0),
    )
    return [
        Ratio(
            f"{numerator} / {denominator}",
            figures[numerator]["decisions"] / figures[denominator]["decisions"],
            target,
        )
        for numerator, denominator, target in targets
        if numerator in figures and denominator in figures
    ]


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Random rounds, compared with RLCard and OpenSpiel.")
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds of each run")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--warm-up", type=int, default=12_000, help="rounds of Haggis before the measurement")
    parser.add_argument("--no-compiled", dest="compiled", action="store_false")
    add_arguments(parser)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
