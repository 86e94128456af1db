"""What goes through everything is not broken off; requests are."""

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
    """Run a test there alone."""
    there: Callable[[Test], Test] = pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
    needing: Callable[[Test], Test] = pytest.mark.needs("postgresql")
    return needing(there(test))


def limit() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        return str(cursor.fetchone()[0])


class Looking(LongRunningCommand):
    """Says under what limit it runs."""

    def handle(self, *_: Any, **__: Any) -> str:
        return limit()


@on_postgresql
def test_a_patient_command_has_no_limit_and_leaves_it_as_it_was(database: str) -> None:
    assert call_command(Looking()) == "0"
    assert limit() == "30s"


@on_postgresql
def test_the_limit_is_back_after_a_failure(database: str) -> None:
    class Failing(BaseCommand):
        def handle(self, *_: Any, **__: Any) -> None:
            raise ZeroDivisionError

    class PatientlyFailing(LongRunningCommand, Failing):
        pass

    with pytest.raises(ZeroDivisionError):
        call_command(PatientlyFailing())
    assert limit() == "30s"


@pytest.mark.parametrize("module", (export_records, migrate, verify_matches))
def test_these_go_through_everything(module: Any) -> None:
    assert issubclass(module.Command, LongRunningCommand)


@on_postgresql
def test_a_request_that_takes_too_long_is_told_to_come_again(
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
