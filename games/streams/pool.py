"""A few threads that do what has to ask the database, each with one connection, for all that wait."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

from django.db import close_old_connections, connections

Result = TypeVar("Result")

SECONDS_TO_CLOSE: Final = 2.0


class Pool:
    """So many threads."""

    def __init__(self, threads: int) -> None:
        self._threads: Final = threads
        self._executor: Final = ThreadPoolExecutor(threads, thread_name_prefix="streams")

    async def run(self, act: Callable[[], Result]) -> Result:
        """Do it in a thread; a connection that has failed or is too old is not used again."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, _with_connection, act)

    def close(self) -> None:
        """Let no thread keep a connection, and end."""
        together = threading.Barrier(self._threads, timeout=SECONDS_TO_CLOSE)
        for _ in range(self._threads):
            self._executor.submit(_close_connections, together)
        self._executor.shutdown(wait=True)


def _with_connection(act: Callable[[], Result]) -> Result:
    close_old_connections()
    try:
        return act()
    finally:
        close_old_connections()


def _close_connections(together: threading.Barrier) -> None:
    """In every thread once: none begins before all have."""
    with suppress(threading.BrokenBarrierError):
        together.wait()
    connections.close_all()
