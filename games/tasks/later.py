"""What a worker has ready and may not give yet: an AI's answer that came before the time an AI takes.

It waits in the process that thought of it, for it must not be seen anywhere else, and holds no worker up: one
thread gives each answer when its time has come. If the process dies, the turn is found again by its lease.
"""

import heapq
import logging
import os
import threading
from collections.abc import Callable
from itertools import count
from time import monotonic
from typing import Final

from django.db import close_old_connections

Do = Callable[[], object]

log = logging.getLogger(__name__)


class Waiting:
    """Things to do, each at its time, by one thread that is there while there is anything to do."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self._changed = threading.Condition()
        self._heap: list[tuple[float, int, Do]] = []
        self._numbers = count()
        self._running = False

    def add(self, seconds: float, do: Do) -> None:
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

    def _next(self) -> Do | None:
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


_waiting: Final[dict[str, Waiting]] = {}


def later(seconds: float, do: Do) -> None:
    """Do something so many seconds from now, in this process."""
    waiting = _waiting.get("here")
    if waiting is None or waiting.process != os.getpid():  # a worker that was forked has its own thread
        waiting = _waiting["here"] = Waiting()
    waiting.add(seconds, do)


def finish(*_: object, **__: object) -> None:
    """Let what waits be done before the process ends."""
    if "here" in _waiting and _waiting["here"].process == os.getpid():
        _waiting["here"].drain(2.0)
