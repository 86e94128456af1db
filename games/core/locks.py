"""Transactions that exclude each other."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def exclusive_transaction(lock_id: int) -> Iterator[None]:
    """Run a transaction that waits for others with this advisory lock of PostgreSQL.

    On SQLite every transaction takes the write lock when it begins.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [lock_id])
        yield
