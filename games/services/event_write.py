"""One event of a match, written as a whole or not at all.

Everything hangs on one update of the match that holds only if nobody, and no clock, was first: the log row,
the snapshot, whatever else the event changes. PostgreSQL takes it as a single statement, which is one round
trip and its own transaction; SQLite takes statement after statement while it holds the write lock.
"""

# ruff: noqa: S608 -- the names in these statements are those of our models; values are parameters

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Field, Model
from django.utils import timezone

from games.models import Match

Values = Mapping[str, Any]
Sql = tuple[str, list[Any]]

_HOLDS: Final = "moved"


@dataclass(slots=True)
class EventWrite:
    """What one event changes. `version` is that of the table it was judged on.

    `in_time` is for what a player does: it must come before the deadline, by the database's own clock.
    """

    match_id: str
    version: int
    in_time: bool = True
    changes: dict[str, Any] = field(default_factory=dict)
    inserts: list[tuple[type[Model], Values]] = field(default_factory=list)
    updates: list[tuple[type[Model], Values, Values]] = field(default_factory=list)

    def insert(self, model: type[Model], **values: object) -> None:
        """Add a row with the event."""
        self.inserts.append((model, values))

    def update(self, model: type[Model], where: Values, **values: object) -> None:
        """Change rows with the event."""
        self.updates.append((model, where, values))

    def commit(self) -> bool:
        """Write it all; False, and nothing written, when somebody or the clock was first."""
        if connection.vendor == "postgresql":
            return _in_one_statement(self)
        return _one_by_one(self)


def _in_one_statement(write: EventWrite) -> bool:
    head, parameters = _move_the_match(write, now="clock_timestamp()")
    parts = [f"{_HOLDS} AS ({head} RETURNING id)"]
    for number, (statement, values) in enumerate(_followers(write, held=True)):
        parts.append(f"w{number} AS ({statement})")
        parameters += values
    with connection.cursor() as cursor:
        cursor.execute(f"WITH {', '.join(parts)} SELECT count(*) FROM {_HOLDS}", parameters)
        return bool(cursor.fetchone()[0])


def _one_by_one(write: EventWrite) -> bool:
    with transaction.atomic(), connection.cursor() as cursor:
        head, parameters = _move_the_match(write, now="%s")
        if write.in_time:
            parameters.append(connection.ops.adapt_datetimefield_value(timezone.now()))
        cursor.execute(head, parameters)
        if cursor.rowcount == 0:
            return False
        for statement, values in _followers(write, held=False):
            cursor.execute(statement, values)
    return True


def _move_the_match(write: EventWrite, *, now: str) -> Sql:
    """The update that everything hangs on."""
    changes = {"version": write.version + 1, **write.changes}
    assignments, parameters = _assignments(Match, changes)
    condition = "id = %s AND version = %s"
    if write.in_time:
        condition += f" AND (deadline IS NULL OR deadline > {now})"
    sql = f"UPDATE {_table(Match)} SET {assignments} WHERE {condition}"
    return sql, [*parameters, write.match_id, write.version]


def _followers(write: EventWrite, *, held: bool) -> list[Sql]:
    """The statements that follow; `held` makes each depend on the match having moved."""
    return [_insert(model, values, held=held) for model, values in write.inserts] + [
        _update(model, where, values, held=held) for model, where, values in write.updates
    ]


def _insert(model: type[Model], values: Values, *, held: bool) -> Sql:
    fields = [_field(model, name) for name in values]
    columns = ", ".join(_quoted(each) for each in fields)
    placeholders = ", ".join(_placeholder(each) for each in fields)
    source = f"SELECT {placeholders}" + (f" FROM {_HOLDS}" if held else "")
    sql = f"INSERT INTO {_table(model)} ({columns}) {source}"
    return sql, [_prepared(each, value) for each, value in zip(fields, values.values(), strict=True)]


def _update(model: type[Model], where: Values, values: Values, *, held: bool) -> Sql:
    assignments, parameters = _assignments(model, values)
    fields = [_field(model, name) for name in where]
    condition = " AND ".join(f"{_quoted(each)} = {_placeholder(each)}" for each in fields)
    if held:
        condition += f" AND EXISTS (SELECT 1 FROM {_HOLDS})"
    sql = f"UPDATE {_table(model)} SET {assignments} WHERE {condition}"
    conditions = [_prepared(each, value) for each, value in zip(fields, where.values(), strict=True)]
    return sql, [*parameters, *conditions]


def _assignments(model: type[Model], values: Values) -> Sql:
    fields = [_field(model, name) for name in values]
    text = ", ".join(f"{_quoted(each)} = {_placeholder(each)}" for each in fields)
    return text, [_prepared(each, value) for each, value in zip(fields, values.values(), strict=True)]


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    found = model._meta.get_field(name)  # noqa: SLF001 -- Django's documented way to its fields
    if not isinstance(found, Field):
        raise TypeError(f"{model.__name__}.{name} is no column")
    return found


def _prepared(column: "Field[Any, Any]", value: object) -> Any:  # noqa: ANN401 -- whatever the driver takes
    return column.get_db_prep_save(value, connection)


def _placeholder(column: "Field[Any, Any]") -> str:
    """A parameter of the column's type: inside a WITH, PostgreSQL cannot tell it from its use."""
    if connection.vendor == "postgresql":
        return f"%s::{column.rel_db_type(connection) if column.is_relation else column.db_type(connection)}"
    return "%s"


def _quoted(column: "Field[Any, Any]") -> str:
    return connection.ops.quote_name(str(column.column))


def _table(model: type[Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)  # noqa: SLF001 -- as above
