"""Statements that are kept with their connection give what Django's own cursor gives."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, DataError, OperationalError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from games.models import Player
from games.selectors import kept_statements
from games.selectors.kept_statements import KEPT_FROM, one_row
from tests.games.factories import make_player

OFTEN = KEPT_FROM + 3
VALUES: list[list[Any]] = [
    [1, "one", True, datetime(2026, 2, 3, 4, 5, 6, 789_000, tzinfo=UTC)],
    [2, "it's 100 % a ? \\ $1 %s", False, None],
    [-(2**31), None, None, datetime(1999, 12, 31, tzinfo=UTC)],
]
ECHO = "SELECT %s::integer, %s::text, %s::boolean, %s::timestamptz, 7 %% 4"

on_postgresql = pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)


def _ask(sql: str, parameters: Sequence[Any]) -> Any:
    return one_row(connections[DEFAULT_DB_ALIAS], sql, parameters)


def _kept() -> list[str]:
    kept = vars(connections[DEFAULT_DB_ALIAS]).get("_haggis_kept_statements")
    return [] if kept is None else list(kept._kept)


@on_postgresql
def test_it_gives_the_same_rows_before_and_after_it_is_kept(committing_database: str) -> None:
    for values in VALUES * OFTEN:
        assert tuple(_ask(ECHO, values)) == (*values, 3)
    assert ECHO in _kept()


def test_what_gives_no_row_gives_none(database: str) -> None:
    for _ in range(OFTEN):
        assert _ask("SELECT 1 WHERE 1 = %s", [2]) is None


@on_postgresql
def test_what_is_refused_is_refused_as_by_django_and_the_connection_goes_on(committing_database: str) -> None:
    sql = "SELECT 1 / %s::integer"
    for _ in range(OFTEN):
        assert _ask(sql, [1]) == (1,)
    for _ in range(2):
        with pytest.raises(DataError):
            _ask(sql, [0])
        assert _ask(sql, [1]) == (1,)


@on_postgresql
def test_a_server_that_is_gone_is_no_fault_of_the_statement(committing_database: str) -> None:
    for _ in range(OFTEN):
        assert _ask("SELECT 1 + %s::integer", [1]) == (2,)
    wrapper = connections[DEFAULT_DB_ALIAS]
    with psycopg.connect(wrapper.connection.info.dsn, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [wrapper.connection.info.backend_pid])
    with pytest.raises(OperationalError):
        _ask("SELECT 1 + %s::integer", [1])
    connection.close()
    assert _ask("SELECT 1 + %s::integer", [1]) == (2,)


@on_postgresql
def test_after_a_rollback_it_is_prepared_anew(committing_database: str) -> None:
    player = make_player("as-before")
    sql = "UPDATE games_player SET username = %s WHERE id = %s RETURNING id"
    for turn in range(3):
        for number in range(OFTEN):
            assert _ask(sql, [f"often-{turn}-{number}", player.pk]) == (player.pk,)
            Player.objects.count()
        with transaction.atomic():
            _ask(sql, ["undone", player.pk])
            transaction.set_rollback(True)
        player.refresh_from_db()
        assert player.username == f"often-{turn}-{OFTEN - 1}"


@on_postgresql
def test_a_new_connection_keeps_its_own(committing_database: str) -> None:
    for _ in range(2):
        for values in VALUES * OFTEN:
            assert tuple(_ask(ECHO, values)) == (*values, 3)
        connection.close()


@on_postgresql
def test_no_more_are_kept_than_that(committing_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connection.close()
    monkeypatch.setattr(kept_statements, "MOST_KEPT", 2)
    for number in range(4):
        for _ in range(OFTEN):
            assert _ask(f"SELECT {number} + %s::integer", [1]) == (number + 1,)
    assert len(_kept()) == 2


@on_postgresql
def test_who_looks_at_the_queries_sees_them(committing_database: str) -> None:
    for _ in range(OFTEN):
        _ask("SELECT %s::integer", [1])
    with CaptureQueriesContext(connection) as seen:
        _ask("SELECT %s::integer", [1])
    assert len(seen) == 1
