"""Call functions at the same moment, and hold locks against them."""

import fcntl
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier
from typing import Any, Final

from django.db import connections, transaction

from games.core.errors import Problem
from games.matches.models.match import Match

# PostgreSQL allows about a hundred connections: only one group of threads at a time per machine.
_LOCK_FILE: Final = Path(tempfile.gettempdir()) / "haggis_test_crowd.lock"


@contextmanager
def locked_match(match: Match) -> Iterator[None]:
    """Hold the row lock of a match during the block."""
    with transaction.atomic():
        Match.objects.select_for_update().get(pk=match.pk)
        yield


def run_concurrently(functions: Sequence[Callable[[], Any]]) -> list[Any]:
    """Call each function in a thread of its own, all starting together; for tests with `committing_database`.

    The list has their results in the same order; a `Problem` is replaced by its code.
    """
    start = Barrier(len(functions), timeout=20)

    def call(function: Callable[[], Any]) -> Any:
        start.wait()
        try:
            return function()
        except Problem as problem:
            return problem.code
        finally:
            connections.close_all()

    with _LOCK_FILE.open("w") as lock, ThreadPoolExecutor(len(functions)) as threads:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return list(threads.map(call, functions))
