"""Results of benchmarks, printed and appended to results.jsonl."""

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
    """A figure with its target, which is a minimum or a maximum."""

    name: str
    value: float
    target: float
    at_most: bool = False

    @property
    def meets_target(self) -> bool:
        """Whether the figure is as good as it has to be."""
        return self.value <= self.target if self.at_most else self.value >= self.target

    def __str__(self) -> str:
        """Return one line of output."""
        bound = "at most" if self.at_most else "at least"
        return (
            f"{self.name}: {self.value:.3g} ({bound} {self.target:g}: {'yes' if self.meets_target else 'NO'})"
        )


def record_results(
    options: argparse.Namespace, measure: str, figures: Mapping[str, Any], ratios: Sequence[Ratio]
) -> None:
    """Append one line to the results file and print the ratios."""
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
    """Add the options of every benchmark: the date and the results file."""
    parser.add_argument("--date", default=datetime.now(UTC).strftime("%Y-%m-%d"), help="the date of the run")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file to append to")


def machine_name() -> str:
    """Return the processor and the number of cores."""
    return f"{_processor()}, {os.cpu_count()} cores"


def _processor() -> str:
    """Return the name of the processor."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def package_versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that are compared."""
    return {"python": platform.python_version()} | {name: _version(name) for name in _PACKAGES}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def _round_figures(value: Any) -> Any:  # noqa: ANN401 -- nested figures
    """Round every float to four significant digits."""
    if isinstance(value, Mapping):
        return {name: _round_figures(each) for name, each in value.items()}
    return float(f"{value:.4g}") if isinstance(value, float) else value
