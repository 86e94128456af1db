"""A base class and a progress line for long-running commands."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from django.core.management.base import BaseCommand, OutputWrapper
from django.db import DatabaseError, connection


class LongRunningCommand(BaseCommand):
    """A command that runs without the statement timeout that PostgreSQL applies to requests."""

    def execute(self, *args: Any, **options: Any) -> str | None:  # noqa: ANN401 -- Django's own
        """Execute the command with the statement timeout disabled."""
        with _no_statement_timeout():
            return super().execute(*args, **options)


@contextmanager
def _no_statement_timeout() -> Iterator[None]:
    _execute("SET statement_timeout = 0")
    try:
        yield
    finally:
        with suppress(DatabaseError):  # the connection may be lost, and its settings with it
            _execute("RESET statement_timeout")


def _execute(statement: str) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(statement)


BAR_WIDTH: Final = 30


class ProgressLine:
    """A progress bar with counts and an interim result."""

    def __init__(self, stream: OutputWrapper, total: int) -> None:
        """Prepare a progress line; nothing is written yet."""
        self.stream = stream
        self.total = max(1, total)
        self.last_step = -1

    def show(self, done: int, interim_result: str) -> None:
        """Redraw the line if it has changed: at each percent on a terminal, otherwise at each 10 percent."""
        steps = 100 if self.stream.isatty() else 10
        step = steps * done // self.total
        if step == self.last_step:
            return
        self.last_step = step
        filled = min(BAR_WIDTH, BAR_WIDTH * done // self.total)
        bar = "#" * filled + "." * (BAR_WIDTH - filled)
        ending = "" if self.stream.isatty() else "\n"
        self.stream.write(f"\r[{bar}] {done}/{self.total}  {interim_result}", ending=ending)
        self.stream.flush()

    def end(self) -> None:
        """Finish the line, so that later output starts below it."""
        if self.stream.isatty():
            self.stream.write("")
