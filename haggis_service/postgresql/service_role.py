"""The database role of the service: it reads and writes rows, but changes neither tables nor the logs.

Migrations run as the owner of the tables. The processes of the service connect as another role, so somebody
who takes over a process cannot drop a table or a trigger, or rewrite the log of a match or the audit log.
"""

from pathlib import Path
from typing import Final

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import sql

# Rows are added and never changed. Triggers refuse that to every role, but their owner can disable them.
INSERT_ONLY_TABLES: Final = ("games_move", "games_operatoraction")
# Only migrations write these.
READ_ONLY_TABLES: Final = ("auth_permission", "django_content_type", "django_migrations")

_ROLE_OPTIONS: Final = sql.SQL("LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS")


class UnsuitableRole(Exception):
    """Raised if the role does not exist, or would have more privileges than it is granted."""


def grant_service_role(connection: BaseDatabaseWrapper, role: str, password_file: Path | None = None) -> None:
    """Grant the role what the service needs and revoke the rest; repeat it after each migration.

    With a file that contains its password, the role is created or its password is set; the connected role
    needs CREATEROLE for this. The password is hashed here, so that no log of the server contains it.
    """
    name = sql.Identifier(role)
    with transaction.atomic(using=connection.alias):
        if password_file is not None:
            _set_password(connection, role, password_file.read_text(encoding="utf-8").strip())
        _refuse_privileged(connection, role)
        database = sql.Identifier(connection.settings_dict["NAME"])
        tables = set(connection.introspection.table_names())
        _execute(connection, "GRANT CONNECT ON DATABASE {} TO {}", database, name)
        _execute(connection, "REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC", database)
        _execute(connection, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        _execute(connection, "GRANT USAGE ON SCHEMA public TO {}", name)
        _execute(connection, "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}", name)
        for table in sorted(tables):
            _execute(connection, "GRANT {} ON {} TO {}", _privileges(table), sql.Identifier(table), name)
        _execute(connection, "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {}", name)


def _privileges(table: str) -> sql.SQL:
    if table in READ_ONLY_TABLES:
        return sql.SQL("SELECT")
    if table in INSERT_ONLY_TABLES:
        return sql.SQL("SELECT, INSERT")
    return sql.SQL("SELECT, INSERT, UPDATE, DELETE")


def _set_password(connection: BaseDatabaseWrapper, role: str, password: str) -> None:
    if not password:
        raise UnsuitableRole("The password file is empty.")
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
        exists = cursor.fetchone() is not None
        hashed = cursor.connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256")
    verb = sql.SQL("ALTER" if exists else "CREATE")
    options = sql.SQL("") if exists else _ROLE_OPTIONS
    password_literal = sql.Literal(hashed.decode())
    _execute(connection, "{} ROLE {} {} PASSWORD {}", verb, sql.Identifier(role), options, password_literal)


def _refuse_privileged(connection: BaseDatabaseWrapper, role: str) -> None:
    """Refuse roles for which grants mean nothing, because they have privileges of their own."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper, pg_has_role(rolname, current_user, 'MEMBER') FROM pg_roles WHERE rolname = %s",
            [role],
        )
        row = cursor.fetchone()
    if row is None:
        raise UnsuitableRole(f"There is no role {role}. Create it, or name a file with its password.")
    if row[0]:
        raise UnsuitableRole(f"The role {role} is a superuser, which no grant restricts. Name another role.")
    if row[1]:
        raise UnsuitableRole(
            f"The role {role} owns the tables or is a member of their owner. Name another role."
        )


def _execute(connection: BaseDatabaseWrapper, statement: str, *parts: sql.Composable) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL(statement).format(*parts))
