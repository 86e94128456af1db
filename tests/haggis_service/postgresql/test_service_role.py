"""The role of the service has the privileges that it needs on every table, and no others."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings
from psycopg import errors, sql

from haggis_service.postgresql.service_role import INSERT_ONLY_TABLES, READ_ONLY_TABLES
from haggis_service.settings.base import ROOT
from tests.support.processes import minimal_environment

pytestmark = [pytest.mark.needs("postgresql"), pytest.mark.timeout(300)]

PASSWORD: Final = "a password of the role"


@dataclass
class Migrated:
    """A database that a role without superuser privileges owns, with the role of the service."""

    name: str
    owner: str
    service: str
    folder: Path

    def url(self, role: str) -> str:
        parts = urlsplit(settings.POSTGRESQL_URL)
        host = parts.netloc.rpartition("@")[2]
        return f"postgres://{role}:{PASSWORD.replace(' ', '%20')}@{host}/{self.name}"

    def migrate(self, role: str, *options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity=0", "--service-role", role, *options],
            cwd=ROOT,
            env=minimal_environment(DATABASE_URL=self.url(self.owner)),
            capture_output=True,
            text=True,
            check=False,
            timeout=200,
        )

    def execute(self, statement: str, role: str = "") -> list[tuple[object, ...]]:
        with psycopg.connect(self.url(role or self.service), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Migrated]:
    folder = tmp_path_factory.mktemp("roles")
    suffix = os.getpid()
    found = Migrated(f"haggis_roles_{suffix}", f"haggis_owner_{suffix}", f"haggis_service_{suffix}", folder)
    (folder / "password").write_text(f"{PASSWORD}\n")
    with psycopg.connect(settings.POSTGRESQL_URL, autocommit=True) as superuser:

        def run(statement: str, *names: str) -> None:
            superuser.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))

        run(f"CREATE ROLE {{}} LOGIN CREATEROLE PASSWORD '{PASSWORD}'", found.owner)
        run("CREATE DATABASE {} OWNER {}", found.name, found.owner)
        try:
            completed = found.migrate(found.service, "--service-role-password-file", str(folder / "password"))
            assert completed.returncode == 0, completed.stderr
            yield found
        finally:
            run("DROP DATABASE {} WITH (FORCE)", found.name)
            run("DROP ROLE IF EXISTS {}", found.service)
            run("DROP ROLE {}", found.owner)


def privileges(migrated: Migrated, table: str) -> set[str]:
    names = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")
    return {
        name
        for name in names
        if migrated.execute(f"SELECT has_table_privilege('{table}', '{name}')") == [(True,)]
    }


def tables(migrated: Migrated) -> list[str]:
    rows = migrated.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    return sorted(str(name) for (name,) in rows)


def test_every_table_has_exactly_the_privileges_of_its_kind(migrated: Migrated) -> None:
    found = {table: privileges(migrated, table) for table in tables(migrated)}
    assert {"games_match", *INSERT_ONLY_TABLES, *READ_ONLY_TABLES} <= found.keys()
    for table, granted in found.items():
        if table in READ_ONLY_TABLES:
            assert granted == {"SELECT"}, table
        elif table in INSERT_ONLY_TABLES:
            assert granted == {"SELECT", "INSERT"}, table
        else:
            assert granted == {"SELECT", "INSERT", "UPDATE", "DELETE"}, table


@pytest.mark.parametrize(
    "statement",
    (
        "UPDATE games_move SET seat = 0",
        "DELETE FROM games_move",
        "TRUNCATE games_move",
        "UPDATE games_operatoraction SET reason = ''",
        "DELETE FROM games_operatoraction",
        "ALTER TABLE games_move DISABLE TRIGGER ALL",
        "DROP TRIGGER games_move_is_append_only ON games_move",
        "DROP FUNCTION games_move_is_append_only CASCADE",
        "DROP TABLE games_match",
        "TRUNCATE games_match CASCADE",
        "ALTER TABLE games_player ADD COLUMN more text",
        "CREATE TABLE more (id int)",
        "CREATE TEMPORARY TABLE more (id int)",
        "CREATE SCHEMA more",
        "CREATE ROLE more",
        "CREATE DATABASE more",
        "DELETE FROM django_migrations",
        "SET session_replication_role = replica",
        "COPY games_player TO PROGRAM 'cat'",
    ),
)
def test_service_role_has_no_unneeded_privileges(migrated: Migrated, statement: str) -> None:
    with pytest.raises((errors.InsufficientPrivilege, errors.FeatureNotSupported)):
        migrated.execute(statement)


def test_role_cannot_become_the_owner(migrated: Migrated) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        migrated.execute(f"SET ROLE {migrated.owner}")


def test_password_is_stored_as_a_scram_hash(migrated: Migrated) -> None:
    with psycopg.connect(settings.POSTGRESQL_URL) as superuser:
        row = superuser.execute(
            "SELECT rolpassword FROM pg_authid WHERE rolname = %s", [migrated.service]
        ).fetchone()
    assert row is not None
    assert row[0].startswith("SCRAM-SHA-256$")


def test_repeated_migration_restores_grants_and_revokes_others(migrated: Migrated) -> None:
    migrated.execute(f"GRANT ALL ON games_move TO {migrated.service}", migrated.owner)
    completed = migrated.migrate(migrated.service)
    assert completed.returncode == 0, completed.stderr
    assert privileges(migrated, "games_move") == {"SELECT", "INSERT"}


@pytest.mark.parametrize(
    ("role", "reason"),
    (
        ("postgres", "is a superuser"),
        ("{owner}", "owns the tables"),
        ("haggis_nobody", "There is no role haggis_nobody"),
    ),
)
def test_unsuitable_role_is_refused_with_the_reason(migrated: Migrated, role: str, reason: str) -> None:
    completed = migrated.migrate(role.format(owner=migrated.owner))
    assert completed.returncode == 1
    assert reason in completed.stderr


def test_empty_password_file_is_refused(migrated: Migrated) -> None:
    (migrated.folder / "empty").touch()
    options = ("--service-role-password-file", str(migrated.folder / "empty"))
    assert "password file is empty" in migrated.migrate(migrated.service, *options).stderr


def test_sqlite_has_no_roles(tmp_path: Path) -> None:
    completed = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--service-role", "haggis_service"],
        cwd=ROOT,
        env=minimal_environment(DATABASE_URL=f"sqlite:///{tmp_path}/haggis.sqlite3"),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert "SQLite has no roles" in completed.stderr
