"""Run functions at the same moment."""

import fcntl
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from django.db import connection

Result = TypeVar("Result")

# PostgreSQL allows about a hundred connections: only one group of threads at a time per machine.
_LOCK_FILE: Final = Path(tempfile.gettempdir()) / "haggis_test_crowd.lock"


def run_concurrently(count: int, act: Callable[[int], Result]) -> list[Result]:
    """Run `act` in this many threads and return the results; for tests with `committing_database`."""
    results: list[Result] = []
    start = threading.Barrier(count)

    def run(number: int) -> None:
        start.wait()
        try:
            results.append(act(number))
        finally:
            connection.close()

    with _LOCK_FILE.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if len(results) != count:
        raise AssertionError(f"{count - len(results)} of {count} threads failed")
    return results
