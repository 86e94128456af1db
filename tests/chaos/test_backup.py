"""Backups during play are consistent: every log can be replayed, and acknowledged moves are included."""

import sqlite3
import subprocess
from pathlib import Path

import psycopg
import pytest

from tests.chaos.load import AcknowledgedMove, Load
from tests.support.processes import Postgresql, Web, minimal_environment
from tests.support.stored_matches import STORED_MATCHES, store_matches, verify_logs

pytestmark = pytest.mark.timeout(300 + STORED_MATCHES // 2)

MOVES = 30


def check_copy(copy: Web, events: set[tuple[str, int]], before: list[AcknowledgedMove]) -> None:
    """Check that the logs of the copy can be replayed and that it has the moves acknowledged before it."""
    verify_logs(copy)
    acknowledged = {(move.match_id, move.answer["move"]["version"]) for move in before}
    assert acknowledged
    assert acknowledged <= events


def program(server: Postgresql, *command: str) -> None:
    done = subprocess.run(
        [str(server.programs / command[0]), *command[1:]],
        env=minimal_environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=120 + STORED_MATCHES // 10,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.needs("postgresql-programs")
def test_postgresql_dump_under_load_restores_consistent_matches(
    postgresql_server: Postgresql, on_postgresql: Web, tmp_path: Path
) -> None:
    store_matches(on_postgresql)
    dump = tmp_path / "haggis.dump"
    restored = f"{postgresql_server.url.rpartition('/')[0]}/restored"
    with Load(on_postgresql.port) as load:
        load.wait_for_moves(MOVES)
        before = list(load.moves)
        program(postgresql_server, "pg_dump", "--format=custom", f"--file={dump}", postgresql_server.url)
        load.wait_for_moves(MOVES)
    with postgresql_server.connect() as connection:
        connection.execute("CREATE DATABASE restored")
    program(postgresql_server, "pg_restore", "--no-owner", f"--dbname={restored}", str(dump))
    copy = Web([], tmp_path, 0, {"DATABASE_URL": restored})
    with psycopg.connect(restored) as connection:
        events = set(connection.execute("SELECT match_id, version FROM games_move").fetchall())
    check_copy(copy, events, before)
    assert "No migrations to apply" in copy.manage("migrate")
    print(f"{len(events)} events dumped under load with {STORED_MATCHES} matches stored, and restored")  # noqa: T201 -- output of `make chaos`


def test_sqlite_backup_under_load_has_consistent_matches(on_sqlite: Web, tmp_path: Path) -> None:
    store_matches(on_sqlite)
    file = tmp_path / "copy.sqlite3"
    with Load(on_sqlite.port) as load:
        load.wait_for_moves(MOVES)
        before = list(load.moves)
        with sqlite3.connect(on_sqlite.data / "haggis.sqlite3") as connection:
            connection.execute("VACUUM INTO ?", [str(file)])
        connection.close()
        load.wait_for_moves(MOVES)
    copy = Web([], tmp_path, 0, {"DATABASE_URL": f"sqlite:///{file}"})
    reading = sqlite3.connect(file)
    events = set(reading.execute("SELECT match_id, version FROM games_move").fetchall())
    reading.close()
    check_copy(copy, events, before)
