"""Threads of a worker: lease renewal and delayed answers."""

import heapq
import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from time import monotonic, sleep
from typing import Final

from django.db import Error, close_old_connections, connection

from games.ai.services import LEASE, renew_lease

log = logging.getLogger(__name__)

Turn = tuple[str, int]

SECONDS_BETWEEN_LOOKS: Final = LEASE.total_seconds() / 4
# An AI that thinks for longer than a task may take is not kept: it hangs.
MAX_SECONDS_LENGTH: Final = 90.0


class LeaseRenewer:
    """A thread that renews the leases on what is held, from the first thing that is held on."""

    def __init__(self, every: float = SECONDS_BETWEEN_LOOKS) -> None:
        self.process = os.getpid()
        self._every: Final = every
        self._held: Final[dict[Turn, float]] = {}
        threading.Thread(target=self._keep_looking, name="keeping", daemon=True).start()

    @contextmanager
    def kept(self, turn: Turn) -> Iterator[None]:
        """Renew the lease on this turn meanwhile."""
        self._held[turn] = monotonic()
        try:
            yield
        finally:
            self._held.pop(turn, None)

    def _keep_looking(self) -> None:
        while True:
            sleep(self._every)
            long_held = [turn for turn, since in self._held.copy().items() if self._is_due(since)]
            if long_held:
                self._renew(long_held)

    def _is_due(self, since: float) -> bool:
        return self._every / 2 < monotonic() - since < MAX_SECONDS_LENGTH

    @staticmethod
    def _renew(turns: list[Turn]) -> None:
        try:
            for match_id, version in turns:
                renew_lease(match_id=match_id, version=version)
        except Error as error:
            log.warning("A lease could not be renewed (%s)", type(error).__name__)
        finally:
            connection.close()


_renewers: Final[dict[str, LeaseRenewer]] = {}


@contextmanager
def renewed_lease(match_id: str, version: int) -> Iterator[None]:
    """Renew the lease on this turn for as long as this process thinks about it."""
    keeper = _renewers.get("here")
    if keeper is None or keeper.process != os.getpid():  # a worker that was forked has its own thread
        keeper = _renewers["here"] = LeaseRenewer()
    with keeper.kept((match_id, version)):
        yield


Callback = Callable[[], object]


class DelayedExecutor:
    """Things to do, each at its time, by one thread that is there while there is anything to do."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self._changed = threading.Condition()
        self._heap: list[tuple[float, int, Callback]] = []
        self._numbers = count()
        self._running = False

    def add(self, seconds: float, do: Callback) -> None:
        """Have something done so many seconds from now."""
        with self._changed:
            heapq.heappush(self._heap, (monotonic() + seconds, next(self._numbers), do))
            self._changed.notify_all()
            if not self._running:
                self._running = True
                threading.Thread(target=self._work, name="later", daemon=True).start()

    def drain(self, seconds: float) -> bool:
        """Wait until nothing is left to do, at most so long; whether nothing is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._running, seconds)

    def _work(self) -> None:
        while (do := self._next()) is not None:
            close_old_connections()
            try:
                do()
            except Exception as error:  # noqa: BLE001 -- its turn is found again by its lease
                # Not with its message, which may name cards.
                log.error("What was to be done later failed with %s", type(error).__name__)  # noqa: TRY400
            finally:
                close_old_connections()

    def _next(self) -> Callback | None:
        """What is to be done next, when its time has come; None when nothing is left."""
        with self._changed:
            while self._heap:
                wait = self._heap[0][0] - monotonic()
                if wait <= 0:
                    return heapq.heappop(self._heap)[2]
                self._changed.wait(wait)
            self._running = False
            self._changed.notify_all()
            return None


_executors: Final[dict[str, DelayedExecutor]] = {}


def run_later(seconds: float, do: Callback) -> None:
    """Do something so many seconds from now, in this process."""
    waiting = _executors.get("here")
    if waiting is None or waiting.process != os.getpid():  # a worker that was forked has its own thread
        waiting = _executors["here"] = DelayedExecutor()
    waiting.add(seconds, do)


def drain_at_shutdown(*_: object, **__: object) -> None:
    """Let what waits be done before the process ends."""
    if "here" in _executors and _executors["here"].process == os.getpid():
        _executors["here"].drain(2.0)
