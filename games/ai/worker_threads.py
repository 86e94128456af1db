"""Background threads of a worker process: lease renewal and delayed answers."""

import heapq
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from time import monotonic, sleep
from typing import Final

from django.db import Error, close_old_connections, connection

from games.ai.services import renew_lease
from games.core.errors import raised
from games.core.processes import cached_per_process
from games.matches.turn_order import LEASE

log = logging.getLogger(__name__)

Turn = tuple[str, int]

RENEWAL_INTERVAL_SECONDS: Final = LEASE.total_seconds() / 4
# An AI that thinks for longer than a task may take hangs: its lease is no longer renewed.
MAX_RENEWAL_SECONDS: Final = 90.0


class LeaseRenewer:
    """A thread that renews the leases of the turns this process is working on."""

    def __init__(self, interval: float = RENEWAL_INTERVAL_SECONDS) -> None:
        self._interval: Final = interval
        self._started_at: Final[dict[Turn, float]] = {}
        threading.Thread(target=self._run, name="lease-renewer", daemon=True).start()

    @contextmanager
    def renewing(self, turn: Turn) -> Iterator[None]:
        """Renew the lease of this turn while the context is active."""
        self._started_at[turn] = monotonic()
        try:
            yield
        finally:
            self._started_at.pop(turn, None)

    def _run(self) -> None:
        while True:
            sleep(self._interval)
            due = [turn for turn, since in self._started_at.copy().items() if self._is_due(since)]
            if due:
                self._renew(due)

    def _is_due(self, since: float) -> bool:
        return self._interval / 2 < monotonic() - since < MAX_RENEWAL_SECONDS

    @staticmethod
    def _renew(turns: list[Turn]) -> None:
        try:
            for match_id, version in turns:
                renew_lease(match_id=match_id, version=version)
        except Error as error:
            log.warning("could not renew a lease (%s)", type(error).__name__)
        finally:
            connection.close()


@cached_per_process
def _renewer() -> LeaseRenewer:
    return LeaseRenewer()


@contextmanager
def renewed_lease(match_id: str, version: int) -> Iterator[None]:
    """Renew the lease of this turn while this process works on it."""
    with _renewer().renewing((match_id, version)):
        yield


Callback = Callable[[], object]


class DelayedExecutor:
    """Runs callbacks after a delay, in one thread that exits when nothing is scheduled."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._heap: list[tuple[float, int, Callback]] = []
        self._numbers = count()
        self._running = False

    def add(self, seconds: float, callback: Callback) -> None:
        """Schedule a callback."""
        with self._changed:
            heapq.heappush(self._heap, (monotonic() + seconds, next(self._numbers), callback))
            self._changed.notify_all()
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, name="delayed-executor", daemon=True).start()

    def drain(self, timeout: float) -> bool:
        """Wait until all callbacks have run; return False after a timeout."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._running, timeout)

    def _run(self) -> None:
        while (callback := self._next_due()) is not None:
            close_old_connections()
            try:
                callback()
            except Exception as error:  # noqa: BLE001 -- the turn is claimed again when its lease expires
                # Without the error message, which may contain cards.
                log.error(  # noqa: TRY400
                    "delayed callback failed with %s", type(error).__name__, extra=raised(error)
                )
            finally:
                close_old_connections()

    def _next_due(self) -> Callback | None:
        """Wait for the next callback and return it; return None if nothing is scheduled."""
        with self._changed:
            while self._heap:
                wait = self._heap[0][0] - monotonic()
                if wait <= 0:
                    return heapq.heappop(self._heap)[2]
                self._changed.wait(wait)
            self._running = False
            self._changed.notify_all()
            return None


@cached_per_process
def _executor() -> DelayedExecutor:
    return DelayedExecutor()


def run_later(seconds: float, callback: Callback) -> None:
    """Run a callback in this process after a delay."""
    _executor().add(seconds, callback)


def drain_at_shutdown(*_: object, **__: object) -> None:
    """Run pending callbacks before the process exits."""
    _executor().drain(2.0)
