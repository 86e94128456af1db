"""Base classes of long-running commands."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from django.core.management.base import BaseCommand, OutputWrapper
from django.db import DatabaseError, connection


class LongRunningCommand(BaseCommand):
    """A command whose statements PostgreSQL does not break off, as it does those of requests."""

    def execute(self, *args: Any, **options: Any) -> str | None:  # noqa: ANN401 -- Django's own
        """Do it, without the limit."""
        with _no_statement_timeout():
            return super().execute(*args, **options)


@contextmanager
def _no_statement_timeout() -> Iterator[None]:
    _execute("SET statement_timeout = 0")
    try:
        yield
    finally:
        with suppress(DatabaseError):  # the connection may be lost, and the limit with it
            _execute("RESET statement_timeout")


def _execute(statement: str) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(statement)


BAR: Final = 30


class ProgressLine:
    """A bar, counts, and a word on what is known so far."""

    def __init__(self, stream: OutputWrapper, total: int) -> None:
        """Nothing is done yet."""
        self.stream = stream
        self.total = max(1, total)
        self.drawn = -1

    def show(self, done: int, known: str) -> None:
        """Draw it anew where something has moved: on a terminal each percent, elsewhere each tenth."""
        steps = 100 if self.stream.isatty() else 10
        step = steps * done // self.total
        if step == self.drawn:
            return
        self.drawn = step
        filled = min(BAR, BAR * done // self.total)
        bar = "#" * filled + "." * (BAR - filled)
        ending = "" if self.stream.isatty() else "\n"
        self.stream.write(f"\r[{bar}] {done}/{self.total}  {known}", ending=ending)
        self.stream.flush()

    def end(self) -> None:
        """Go on below it."""
        if self.stream.isatty():
            self.stream.write("")
