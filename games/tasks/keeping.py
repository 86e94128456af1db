"""Keeping the turns that this process thinks about: their leases are renewed for as long as it lives.

A lease is short, so that the turn of a worker which died is soon found. Most are over before the first time:
one thread looks every few seconds, and usually finds nothing held for so long.
"""

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Final

from django.db import Error, connection

from games.services.automatic import LEASE, renew_lease

Turn = tuple[str, int]

SECONDS_BETWEEN_LOOKS: Final = LEASE.total_seconds() / 4
# An AI that thinks for longer than a task may take is not kept: it hangs.
LONGEST_SECONDS: Final = 90.0

log = logging.getLogger(__name__)


class Keeper:
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
        return self._every / 2 < monotonic() - since < LONGEST_SECONDS

    @staticmethod
    def _renew(turns: list[Turn]) -> None:
        try:
            for match_id, version in turns:
                renew_lease(match_id=match_id, version=version)
        except Error as error:
            log.warning("A lease could not be renewed (%s)", type(error).__name__)
        finally:
            connection.close()


_keepers: Final[dict[str, Keeper]] = {}


@contextmanager
def kept(match_id: str, version: int) -> Iterator[None]:
    """Renew the lease on this turn for as long as this process thinks about it."""
    keeper = _keepers.get("here")
    if keeper is None or keeper.process != os.getpid():  # a worker that was forked has its own thread
        keeper = _keepers["here"] = Keeper()
    with keeper.kept((match_id, version)):
        yield
