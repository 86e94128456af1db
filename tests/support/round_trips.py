"""Count round trips to PostgreSQL in what the driver sends."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

# What the client sends when it waits for the server: a simple query, or the end of an extended one.
_WAITS = ("\tQuery\t", "\tSync\t")


@contextmanager
def record_round_trips() -> Iterator[list[str]]:
    """Collect the messages of the block after which the driver waits for a response."""
    connection.ensure_connection()
    pgconn = connection.connection.pgconn
    sent: list[str] = []
    with tempfile.NamedTemporaryFile("w+b") as trace:
        descriptor = os.dup(trace.fileno())
        pgconn.trace(descriptor)
        try:
            yield sent
        finally:
            pgconn.untrace()
            os.close(descriptor)
            sent += [line for line in Path(trace.name).read_text("utf-8").splitlines() if _waits(line)]


def _waits(line: str) -> bool:
    return "\tF\t" in line and any(message in line for message in _WAITS)
