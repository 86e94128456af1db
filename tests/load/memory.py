"""How much memory programs hold, with all that they have started: sampled while they work.

How long they have worked is told by their CPU time: an hour on a crowded machine may be little work.
"""

import os
import re
import threading
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Final, Self

from tests.chaos.servers import children_of

Programs = Callable[[], Mapping[str, int]]

# A heap of a thread, as the C library of Linux makes it: it begins at a multiple of its largest size.
_SIZE_OF_A_HEAP: Final = 64 * 1024 * 1024
_NAMELESS: Final = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ 0\s*")


def memory_of(process_id: int) -> float:
    """The megabytes of a process and of its children, what they share counted once."""
    try:
        lines = Path(f"/proc/{process_id}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    own = next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
    return own / 1024 + sum(memory_of(child) for child in children_of(process_id))


def cpu_of(process_id: int) -> float:
    """The seconds of CPU that a process has used, and its children."""
    try:
        fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(cpu_of(child) for child in children_of(process_id))


def heaps_of_threads(process_id: int) -> int:
    """How many heaps a process has beside its one: what is used of each, then what is reserved for it."""
    lines = Path(f"/proc/{process_id}/maps").read_text().splitlines()
    nameless = [found.groups() for line in lines if (found := _NAMELESS.fullmatch(line))]
    places = [(int(begin, 16), int(end, 16), may) for begin, end, may in nameless]
    return sum(
        used[0] % _SIZE_OF_A_HEAP == 0
        and used[2] == "rw-p"
        and rest == (used[1], used[0] + _SIZE_OF_A_HEAP, "---p")
        for used, rest in pairwise(places)
    )


class Sampler:
    """Samples the memory of each program every so often, until it is told to stop.

    `worked` has the seconds of CPU that all of them together had used by each sample.
    """

    def __init__(self, programs: Programs, every: float) -> None:
        self.programs, self.every = programs, every
        self.samples: list[dict[str, float]] = []
        self.worked: list[float] = []
        self._stopping = threading.Event()

    def __enter__(self) -> Self:
        """Begin."""
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self._stopping.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._stopping.wait(self.every):
            process_ids = self.programs()
            self.samples.append({name: memory_of(each) for name, each in process_ids.items()})
            self.worked.append(sum(cpu_of(each) for each in process_ids.values()))

    def early_and_late(self, warm_up: float = 0.0) -> dict[str, tuple[float, float]]:
        """The medians of the first tenth after so much work, and of the last: each program's, and of all."""
        warm = [each for each, worked in zip(self.samples, self.worked, strict=True) if worked >= warm_up]
        warm = warm or self.samples[-1:]
        tenth = max(1, len(warm) // 10)
        early, late = warm[:tenth], warm[-tenth:]
        told = {name: (_median(early, name), _median(late, name)) for name in late[-1]}
        told["all"] = (sum(first for first, _ in told.values()), sum(last for _, last in told.values()))
        return told


def _median(samples: list[dict[str, float]], name: str) -> float:
    return round(median(each.get(name, 0.0) for each in samples), 1)
