"""Statements that are sent again and again and give a row: prepared once for each connection.

Between Django's cursor and the server lie some forty calls of functions, most of them to find out what was
found out the last time: how values are written, how columns are read, whether the statement is prepared. With
two statements a move that was a tenth of its CPU time. Here the driver's own objects that did it are kept
with the statement, and PostgreSQL is asked by one call of libpq.

All else goes by Django's cursor: SQLite, what is sent for the first times, whatever is sent while somebody
looks at the queries of the connection, and what belongs to a transaction, which the driver begins.

A thread that waits in libpq does not see signals until the server has answered; how long that may take, the
server is told (`haggis_service/settings/databases.py`).
"""

from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import Any, Final, NamedTuple

from django.db import ProgrammingError
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import Connection, abc
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import InvalidSqlStatementName, OperationalError, error_from_result
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult

# A statement that is sent so often is kept; each connection keeps so many.
KEPT_FROM: Final = 3
MOST_KEPT: Final = 100
_KEPT: Final = "_haggis_kept_statements"
_ROWS: Final = ExecStatus.TUPLES_OK

Row = Sequence[Any]


def one_row(wrapper: BaseDatabaseWrapper, sql: str, parameters: Sequence[Any]) -> Row | None:
    """The first row that a statement gives; None where it gives none."""
    connection = _driver_of(wrapper)
    if connection is not None and connection.autocommit:
        kept = _kept_on(wrapper, connection)
        try:
            with wrapper.wrap_database_errors:
                statement = kept.statement(sql)
                if statement is not None:
                    return statement.one_row(parameters)
        except ProgrammingError as error:
            if not isinstance(error.__cause__, InvalidSqlStatementName):
                raise
            kept.forget()  # after a rollback the driver has the server forget all that was prepared
    with wrapper.cursor() as cursor:
        cursor.execute(sql, parameters)
        row: Row | None = cursor.fetchone()
    return row


def _driver_of(wrapper: BaseDatabaseWrapper) -> "Connection[Any] | None":
    """The connection of the driver; None where Django's own cursor has to be used."""
    if wrapper.vendor != "postgresql" or wrapper.execute_wrappers or wrapper.queries_logged:
        return None
    wrapper.close_if_health_check_failed()
    wrapper.ensure_connection()
    connection: Connection[Any] = wrapper.connection
    return connection


def _kept_on(wrapper: BaseDatabaseWrapper, connection: Connection[Any]) -> "_KeptStatements":
    kept: _KeptStatements | None = vars(wrapper).get(_KEPT)
    if kept is None or kept.connection is not connection:
        kept = vars(wrapper)[_KEPT] = _KeptStatements(connection)
    return kept


class _KeptStatements:
    """Those of one connection of the driver, with which they go."""

    def __init__(self, connection: Connection[Any]) -> None:
        self.connection = connection
        self._kept: dict[str, _Statement] = {}
        self._sent: Counter[str] = Counter()
        self._numbers = count()

    def statement(self, sql: str) -> "_Statement | None":
        """The statement with this text; None while it has not been sent often enough to be kept."""
        found = self._kept.get(sql)
        if found is None and len(self._kept) < MOST_KEPT:
            self._sent[sql] += 1
            if self._sent[sql] > KEPT_FROM:
                found = self._kept[sql] = self._prepared(sql)
        return found

    def _prepared(self, sql: str) -> "_Statement":
        name = b"haggis_%d" % next(self._numbers)
        answer = self.connection.pgconn.prepare(name, _numbered(sql))
        if answer.status != ExecStatus.COMMAND_OK:
            raise _fault(self.connection, answer)
        return _Statement.of(self.connection, sql, name)

    def forget(self) -> None:
        """Prepare each of them anew when it is sent again."""
        self._kept.clear()


class _Statement(NamedTuple):
    """One that is prepared, with what writes its values and what reads its rows."""

    connection: Connection[Any]
    name: bytes
    formats: list[PyFormat]
    values: abc.Transformer
    rows: abc.Transformer

    @classmethod
    def of(cls, connection: Connection[Any], sql: str, name: bytes) -> "_Statement":
        """The statement that was prepared under this name."""
        formats = [PyFormat.TEXT] * sql.count("%s")
        return cls(connection, name, formats, Transformer(connection), Transformer(connection))

    def one_row(self, parameters: Sequence[Any]) -> Row | None:
        """Send it, wait, and read the first row."""
        return self.first(self.connection.pgconn.exec_prepared(self.name, self.written(parameters)))

    def written(self, parameters: Sequence[Any]) -> Sequence[Any]:
        """The parameters as text."""
        return self.values.dump_sequence(parameters, self.formats)

    def first(self, answer: PGresult) -> Row | None:
        """The first row of an answer."""
        if answer.status != _ROWS:
            raise _fault(self.connection, answer)
        # How its columns are read is known from the first row on: they are always the same.
        self.rows.set_pgresult(answer, set_loaders=self.rows.pgresult is None)
        return self.rows.load_row(0, tuple) if answer.ntuples else None


def _numbered(sql: str) -> bytes:
    """A text whose parameters are `%s` as the server takes it. Of what type each is, its place says."""
    first, *others = sql.split("%s")
    numbered = first + "".join(f"${number}{text}" for number, text in enumerate(others, start=1))
    return numbered.replace("%%", "%").encode()


def _fault(connection: Connection[Any], answer: PGresult) -> Exception:
    """What the server found wrong. Where it said nothing, and is gone, that is no fault of the statement."""
    found = error_from_result(answer, encoding=connection.info.encoding)
    return OperationalError(str(found)) if connection.closed else found
