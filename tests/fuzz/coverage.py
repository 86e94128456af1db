"""The coverage of a run: the responses of each operation."""

import atexit
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

Coverage = dict[str, Counter[str]]

# Names the file for the coverage of a run.
VARIABLE: Final = "HAGGIS_FUZZ_REACH"
_RECORDED: Final[Coverage] = {}


def record_status(operation: str, status: int) -> None:
    """Count one response."""
    if not _RECORDED:
        atexit.register(_write)
    _RECORDED.setdefault(operation, Counter())[str(status)] += 1


def _write() -> None:
    if path := os.environ.get(VARIABLE):
        Path(path).write_text(json.dumps(_RECORDED), encoding="utf-8")


def read(path: Path) -> Coverage:
    """Read the coverage of a run."""
    return {name: Counter(counts) for name, counts in json.loads(path.read_text(encoding="utf-8")).items()}


def never_succeeded(coverage: Mapping[str, Counter[str]], operations: list[str]) -> list[str]:
    """Return the operations that never succeeded."""
    return [name for name in operations if not any(status < "400" for status in coverage.get(name, ()))]


def summary_lines(coverage: Mapping[str, Counter[str]], operations: list[str]) -> Iterator[str]:
    """Yield a line per operation with its successes and statuses."""
    for name in operations:
        counts = coverage.get(name, Counter())
        good = sum(count for status, count in counts.items() if status < "400")
        statuses = " ".join(f"{status}:{count}" for status, count in sorted(counts.items()))
        yield f"{name:22} {good:6} of {counts.total():6}   {statuses}"
