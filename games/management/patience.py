"""Commands that go through everything take the time that it takes."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.core.management.base import BaseCommand
from django.db import DatabaseError, connection


class PatientCommand(BaseCommand):
    """A command whose statements PostgreSQL does not break off, as it does those of requests."""

    def execute(self, *args: Any, **options: Any) -> str | None:  # noqa: ANN401 -- Django's own
        """Do it, without the limit."""
        with _without_limit():
            return super().execute(*args, **options)


@contextmanager
def _without_limit() -> Iterator[None]:
    _say("SET statement_timeout = 0")
    try:
        yield
    finally:
        with suppress(DatabaseError):  # the connection may be lost, and the limit with it
            _say("RESET statement_timeout")


def _say(statement: str) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(statement)
