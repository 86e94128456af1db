"""Memory of processes and their children, sampled while they work.

Progress is measured in CPU time, because an hour on a busy machine may be little work.
"""

import os
import re
import threading
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Final, Self

from tests.support.processes import children_of

ProcessIds = Callable[[], Mapping[str, int]]

# The size of glibc's arenas for threads, which are aligned to it.
_ARENA_BYTES: Final = 64 * 1024 * 1024
_ANONYMOUS_MAPPING: Final = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ 0\s*")


def memory_megabytes(process_id: int) -> float:
    """Return the memory of a process and its children in megabytes, with shared pages counted once."""
    try:
        lines = Path(f"/proc/{process_id}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    own = next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
    return own / 1024 + sum(memory_megabytes(child) for child in children_of(process_id))


def cpu_seconds(process_id: int) -> float:
    """Return the CPU seconds of a process and its children."""
    try:
        fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(cpu_seconds(child) for child in children_of(process_id))


def count_thread_arenas(process_id: int) -> int:
    """Count the malloc arenas of threads: mappings of used memory followed by reserved memory."""
    lines = Path(f"/proc/{process_id}/maps").read_text().splitlines()
    anonymous = [found.groups() for line in lines if (found := _ANONYMOUS_MAPPING.fullmatch(line))]
    mappings = [(int(begin, 16), int(end, 16), may) for begin, end, may in anonymous]
    return sum(
        used[0] % _ARENA_BYTES == 0
        and used[2] == "rw-p"
        and rest == (used[1], used[0] + _ARENA_BYTES, "---p")
        for used, rest in pairwise(mappings)
    )


class Sampler:
    """Samples the memory of processes at an interval until it is stopped.

    `cpu_used` has their total CPU seconds at each sample.
    """

    def __init__(self, programs: ProcessIds, interval: float) -> None:
        self.programs, self.interval = programs, interval
        self.samples: list[dict[str, float]] = []
        self.cpu_used: list[float] = []
        self._stop_requested = threading.Event()

    def __enter__(self) -> Self:
        """Start sampling."""
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop sampling."""
        self._stop_requested.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._stop_requested.wait(self.interval):
            process_ids = self.programs()
            self.samples.append({name: memory_megabytes(each) for name, each in process_ids.items()})
            self.cpu_used.append(sum(cpu_seconds(each) for each in process_ids.values()))

    def early_and_late(self, warm_up: float = 0.0) -> dict[str, tuple[float, float]]:
        """Return the medians of the first and the last tenth after the warm-up, by process and in total."""
        warm = [
            each for each, cpu_used in zip(self.samples, self.cpu_used, strict=True) if cpu_used >= warm_up
        ]
        warm = warm or self.samples[-1:]
        tenth = max(1, len(warm) // 10)
        early, late = warm[:tenth], warm[-tenth:]
        result = {name: (_median(early, name), _median(late, name)) for name in late[-1]}
        result["all"] = (sum(first for first, _ in result.values()), sum(last for _, last in result.values()))
        return result


def _median(samples: list[dict[str, float]], name: str) -> float:
    return round(median(each.get(name, 0.0) for each in samples), 1)
