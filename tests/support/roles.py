"""The database role of the service in tests on PostgreSQL.

Tests with the fixture `database` have the privileges that the processes of production have, so a statement
that the service may not execute fails in the test of the feature. `as_owner` is for tests that do what the
service cannot do, such as altering the log.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import sql

from haggis_service.postgresql.service_role import grant_service_role


def _role(database: BaseDatabaseWrapper) -> str:
    return f"{database.settings_dict['NAME']}_service"


def create_service_role(database: BaseDatabaseWrapper) -> str:
    """Create the role of a test database, with the privileges of the service; return its name."""
    role = _role(database)
    drop_service_role(database, role)  # left over from a run that was killed and had the same process id
    with database.cursor() as cursor:
        cursor.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(role)))
    grant_service_role(database, role)
    return role


def drop_service_role(database: BaseDatabaseWrapper, role: str) -> None:
    """Drop the role, once its database is gone."""
    with database._nodb_cursor() as cursor:
        cursor.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(role)))


def become_service_role(database: BaseDatabaseWrapper) -> None:
    """Use the privileges of the service until the end of the transaction."""
    with database.cursor() as cursor:
        cursor.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(_role(database))))


@contextmanager
def as_owner() -> Iterator[None]:
    """Use the privileges of the owner of the tables on PostgreSQL."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        (role,) = cursor.fetchone()
        cursor.execute("RESET ROLE")
    yield
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(role)))
