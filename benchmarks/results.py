"""Results of measures: printed for who waits, and kept as a line of results.jsonl for who compares later."""

import argparse
import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).with_name("results.jsonl")
_PACKAGES: Final = ("mypy", "rlcard", "open_spiel")


@dataclass(frozen=True, slots=True)
class Ratio:
    """A figure beside what it is held against: reached when it is at least, or at most, so much."""

    name: str
    value: float
    target: float
    at_most: bool = False

    @property
    def meets_target(self) -> bool:
        """Whether the figure is as good as it has to be."""
        return self.value <= self.target if self.at_most else self.value >= self.target

    def __str__(self) -> str:
        """One line for who waits."""
        bound = "at most" if self.at_most else "at least"
        return (
            f"{self.name}: {self.value:.3g} ({bound} {self.target:g}: {'yes' if self.meets_target else 'NO'})"
        )


def record_results(
    options: argparse.Namespace, measure: str, figures: Mapping[str, Any], ratios: Sequence[Ratio]
) -> None:
    """Append one line to the results, and print the ratios: they come last."""
    line = {
        "measure": measure,
        "date": options.date,
        "machine": machine_name(),
        "versions": package_versions(),
        "figures": _round_figures(figures),
        "ratios": {ratio.name: _round_figures(ratio.value) for ratio in ratios},
    }
    with options.results.open("a", encoding="utf-8") as results:
        results.write(json.dumps(line) + "\n")
    for ratio in ratios:
        print(ratio)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What every measure may be told: when it is run, and where its line goes."""
    parser.add_argument("--date", default=datetime.now(UTC).strftime("%Y-%m-%d"), help="of the run")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file to append to")


def machine_name() -> str:
    """The processor and how many of its cores there are."""
    return f"{_processor()}, {os.cpu_count()} cores"


def _processor() -> str:
    """As Linux names it; elsewhere what Python knows."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def package_versions() -> dict[str, str]:
    """Of Python, and of whatever is measured beside the engine."""
    return {"python": platform.python_version()} | {name: _version(name) for name in _PACKAGES}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def _round_figures(value: Any) -> Any:  # noqa: ANN401 - figures within figures
    """Four digits of every number that is not whole: more would say nothing."""
    if isinstance(value, Mapping):
        return {name: _round_figures(each) for name, each in value.items()}
    return float(f"{value:.4g}") if isinstance(value, float) else value
