"""How much memory programs hold, with all that they have started: sampled while they work."""

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

from tests.chaos.servers import children_of

Programs = Callable[[], Mapping[str, int]]


def memory_of(process_id: int) -> float:
    """The megabytes of a process and of its children, what they share counted once."""
    try:
        lines = Path(f"/proc/{process_id}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    own = next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
    return own / 1024 + sum(memory_of(child) for child in children_of(process_id))


class Sampler:
    """Samples the memory of each program every so often, until it is told to stop."""

    def __init__(self, programs: Programs, every: float) -> None:
        self.programs, self.every = programs, every
        self.samples: list[dict[str, float]] = []
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
        begun = time.monotonic()
        while not self._stopping.wait(self.every):
            taken = {name: memory_of(process_id) for name, process_id in self.programs().items()}
            self.samples.append({"seconds": time.monotonic() - begun, **taken})

    def early_and_late(self) -> dict[str, tuple[float, float]]:
        """The mean of the second tenth, and of the last one: each program's, and of all."""
        tenth = max(1, len(self.samples) // 10)
        early, late = self.samples[tenth : 2 * tenth] or self.samples[:1], self.samples[-tenth:]
        names = [name for name in late[-1] if name != "seconds"]
        told = {name: (_mean(early, name), _mean(late, name)) for name in names}
        told["all"] = (sum(first for first, _ in told.values()), sum(last for _, last in told.values()))
        return told


def _mean(samples: list[dict[str, float]], name: str) -> float:
    return round(sum(each.get(name, 0.0) for each in samples) / len(samples), 1)
