"""Moves go on while migrations add columns and indexes to tables that are in use, on PostgreSQL."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.db.migrations.state import ProjectState
from django.db.models import Index

from games.identity.models import Player
from games.matches.models.match import Match
from games.migrations._online import AddIndexOnline
from tests.support.table import Table

BEFORE, AFTER = "0025", "0030"
OPERATION = AddIndexOnline("player", Index(fields=["time_zone"], name="player_by_time_zone"))
IN_USE = ("games_player", "games_match", "games_move", "games_seat", "games_webhook", "games_knowndevice")
# The locks of tables that stop writes, and that a transaction holds until its end.
STOPPING = ("ShareLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock")
HELD = """
    SELECT count(*) FROM pg_locks JOIN pg_class ON pg_class.oid = relation
    WHERE pid = pg_backend_pid() AND granted AND relname = ANY (%s) AND mode = ANY (%s)
"""
WAITS_FOR_A_TRANSACTION = """
    SELECT count(*) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE 'CREATE INDEX%' AND datname = current_database()
"""


def migrate(target: str) -> None:
    call_command("migrate", "games", target, verbosity=0)


pytestmark = [
    pytest.mark.needs("postgresql"),  # SQLite has one writer
    pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True),
    pytest.mark.usefixtures("_migrated_again"),
]


@pytest.fixture
def _migrated_again(committing_database: str) -> Iterator[None]:
    yield
    call_command("migrate", verbosity=0)


@contextmanager
def statements_with_a_lock() -> Iterator[list[str]]:
    """Collect the statements that are executed while an earlier one still stops writes to a table in use."""
    collected: list[str] = []
    is_probing = False

    def wrapper(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001 -- called by Django
        nonlocal is_probing
        if not is_probing:
            is_probing = True
            with connection.cursor() as cursor:
                cursor.execute(HELD, [list(IN_USE), list(STOPPING)])
                if cursor.fetchone()[0]:
                    collected.append(sql)
            is_probing = False
        return execute(sql, params, many, context)

    with connection.execute_wrapper(wrapper):
        yield collected


def test_migrations_lock_tables_in_use_for_statements_that_read_no_rows_only() -> None:
    migrate(BEFORE)
    with statements_with_a_lock() as statements:
        migrate(AFTER)
    slow = [
        sql
        for sql in statements
        if re.match(r"\s*(UPDATE|DELETE|ALTER TABLE \S+ VALIDATE)", sql)
        or re.match(rf'CREATE .*INDEX .* ON "?({"|".join(IN_USE)})"? ', sql)
    ]
    assert slow == []
    assert any("ADD COLUMN" in sql or "FOREIGN KEY" in sql for sql in statements)  # the probe works


def test_players_are_written_and_moves_are_made_while_an_index_is_created() -> None:
    """A transaction that is older than the index keeps it from being completed: the worst case."""
    table = Table.start("anna", "ben")
    with transaction.atomic():
        write_player("pk")
        creating = threading.Thread(target=in_own_connection, args=(create_index,))
        creating.start()
        try:
            wait_for_index()
            others = threading.Thread(target=in_own_connection, args=(move_and_write, table))
            others.start()
            others.join(120)
            assert not others.is_alive()
            assert creating.is_alive()
            assert Match.objects.get(pk=table.id).version > 3
        finally:
            transaction.set_rollback(True)
    creating.join(60)
    assert "(time_zone)" in (definition_of(OPERATION.index.name) or "")
    drop_index()


def definition_of(index: str) -> str | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = %s", [index])
        row = cursor.fetchone()
    return None if row is None else str(row[0])


def test_index_that_a_failed_attempt_has_left_is_replaced() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE INDEX player_by_time_zone ON games_player (language)")
    create_index()
    assert "(time_zone)" in (definition_of(OPERATION.index.name) or "")
    drop_index()
    assert definition_of(OPERATION.index.name) is None


def create_index() -> None:
    before, after = states()
    with connection.schema_editor(atomic=False) as editor:
        OPERATION.database_forwards("games", editor, before, after)


def drop_index() -> None:
    before, after = states()
    with connection.schema_editor(atomic=False) as editor:
        OPERATION.database_backwards("games", editor, after, before)


def states() -> tuple[ProjectState, ProjectState]:
    """Return the state of the models before and after the operation."""
    before = ProjectState.from_apps(apps)
    after = before.clone()
    OPERATION.state_forwards("games", after)
    return before, after


def move_and_write(table: Table) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '5s'")
    for _ in range(4):
        table.take_turn()
    write_player("-pk")


def write_player(order: str) -> None:
    """Write the first player in this order."""
    player_ids = Player.objects.order_by(order).values_list("pk", flat=True)
    assert Player.objects.filter(pk=player_ids[0]).update(time_zone="UTC") == 1


def wait_for_index() -> None:
    for _ in range(300):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # taken once in a transaction
            cursor.execute(WAITS_FOR_A_TRANSACTION)
            if cursor.fetchone()[0]:
                return
        time.sleep(0.1)
    pytest.fail("no index waits for the transaction")


def in_own_connection(function: Callable[..., None], *args: Any) -> None:
    try:
        function(*args)
    finally:
        connections.close_all()
