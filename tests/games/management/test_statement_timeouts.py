"""Long-running commands have no statement timeout; requests have one."""

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from rest_framework.test import APIClient

from games.management.base import LongRunningCommand
from games.management.commands import export_records, migrate, verify_matches
from tests.support.clients import code

Test = TypeVar("Test", bound=Callable[..., None])


def on_postgresql(test: Test) -> Test:
    """Run a test only on PostgreSQL."""
    parametrized: Callable[[Test], Test] = pytest.mark.parametrize(
        "chosen_database", ("postgresql",), indirect=True
    )
    marked: Callable[[Test], Test] = pytest.mark.needs("postgresql")
    return marked(parametrized(test))


def statement_timeout() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        return str(cursor.fetchone()[0])


class TimeoutReporter(LongRunningCommand):
    """A command that returns the statement timeout that it runs with."""

    def handle(self, *_: Any, **__: Any) -> str:
        return statement_timeout()


@on_postgresql
def test_a_long_running_command_has_no_statement_timeout_and_restores_it(database: str) -> None:
    assert call_command(TimeoutReporter()) == "0"
    assert statement_timeout() == "30s"


@on_postgresql
def test_the_statement_timeout_is_restored_after_a_failure(database: str) -> None:
    class Failing(BaseCommand):
        def handle(self, *_: Any, **__: Any) -> None:
            raise ZeroDivisionError

    class LongRunningFailing(LongRunningCommand, Failing):
        pass

    with pytest.raises(ZeroDivisionError):
        call_command(LongRunningFailing())
    assert statement_timeout() == "30s"


@pytest.mark.parametrize("module", (export_records, migrate, verify_matches))
def test_commands_that_read_everything_are_long_running(module: Any) -> None:
    assert issubclass(module.Command, LongRunningCommand)


@on_postgresql
def test_a_request_that_exceeds_the_statement_timeout_gets_503_with_retry_after(
    committing_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*_: object, **__: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = '20ms'")
            try:
                cursor.execute("SELECT pg_sleep(5)")
            finally:
                cursor.execute("RESET statement_timeout")

    monkeypatch.setattr("games.lobby.api.public_matches", slow)
    response = APIClient().get("/api/v1/matches")
    assert (response.status_code, code(response)) == (503, "unavailable")
    assert response["Retry-After"] == "2"
