"""One event of a match, written as a whole or not at all.

Everything hangs on one update of the match that holds only if nobody, and no clock, was first: the log row,
the snapshot, whatever else the event changes. PostgreSQL takes it as a single statement, which is one round
trip and its own transaction; SQLite takes statement after statement while it holds the write lock.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.models import Model
from django.utils import timezone

from games.models import Match
from games.selectors.kept_statements import one_row
from games.services.event_sql import (
    EventForm,
    Insert,
    Part,
    Update,
    many_statements,
    one_statement,
    ways_to_prepare,
)
from games.services.statements import Values, column_of

# What names a row, and whatever else is written of it.
Written = tuple[type[Model], Values] | tuple[type[Model], Values, Values]


class WrittenTwice(TypeError):
    """Two parts of one event may write one row; they have to be made one part."""


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
    others: list[tuple[Part, list[Any]]] = field(default_factory=list)

    def insert(self, model: type[Model], **values: object) -> None:
        """Add a row with the event."""
        self._refuse_twice(model, values, self.updates)
        self.inserts.append((model, values))

    def update(self, model: type[Model], where: Values, **values: object) -> None:
        """Change rows with the event: rows that nothing else in it changes or adds."""
        if model is Match:
            self._refuse_twice(model, where, [(Match, {"id": self.match_id})])
        self._refuse_twice(model, where, self.inserts)
        self._refuse_twice(model, where, self.updates)
        self.updates.append((model, where, values))

    def follow(self, part: Part, values: list[Any]) -> None:
        """Have a part done with the event that changes no row which anything else in it writes."""
        self.others.append((part, values))

    def _refuse_twice(self, model: type[Model], row: Values, written: Iterable[Written]) -> None:
        """Raise where a row may be written twice: of one statement PostgreSQL does just one of the two."""
        for other, where, *_ in written:
            if other is model and not _apart(_by_column(model, row), _by_column(model, where)):
                raise WrittenTwice(f"A row of {model.__name__} may be written twice by one event.")

    def commit(self) -> bool:
        """Write it all; False, and nothing written, when somebody or the clock was first."""
        if connection.vendor == "postgresql":
            return _in_one_statement(self)
        return _one_by_one(self)


def _by_column(model: type[Model], values: Values) -> Values:
    return {str(column_of(model, name).column): value for name, value in values.items()}


def _apart(one: Values, other: Values) -> bool:
    """Whether no row can be both: they differ in a column that both name."""
    return any(one[column] != other[column] for column in one.keys() & other.keys())


def commit_all(writes: Sequence[EventWrite]) -> list[bool]:
    """Commit many events, each of a match of its own; whether each was in time to be written.

    PostgreSQL is sent those of one form together, without waiting for the answer to each.
    """
    vendor = connection.vendor
    if vendor != "postgresql":
        return [write.commit() for write in writes]
    alike: dict[EventForm, list[int]] = {}
    for number, write in enumerate(writes):
        alike.setdefault(_form(write), []).append(number)
    moved = [False] * len(writes)
    for form, numbers in alike.items():
        given = [_parameters(writes[number], form, vendor) for number in numbers]
        for number, held in zip(numbers, _many(one_statement(form), given), strict=True):
            moved[number] = held
    return moved


def _in_one_statement(write: EventWrite) -> bool:
    form = _form(write)
    wrapper = connections[DEFAULT_DB_ALIAS]
    moved = one_row(wrapper, one_statement(form), _parameters(write, form, wrapper.vendor))
    return moved is not None and bool(moved[0])


def _many(statement: str, parameters: list[list[Any]]) -> Iterator[bool]:
    """Execute one statement many times; what each gave."""
    with connection.cursor() as cursor:
        driver = cursor.cursor  # Django's own way to execute many gives nothing back
        driver.executemany(statement, parameters, returning=True)
        for _ in parameters:
            yield bool(driver.fetchone()[0])
            driver.nextset()


def _one_by_one(write: EventWrite) -> bool:
    form = _form(write)
    head, *others = many_statements(form)
    values = iter(_parameters(write, form, connection.vendor))
    with transaction.atomic(), connection.cursor() as cursor:
        moving = list(islice(values, len(form.changes) + 2))
        if write.in_time:
            moving.append(connection.ops.adapt_datetimefield_value(timezone.now()))
        cursor.execute(head, moving)
        if cursor.rowcount == 0:
            return False
        for statement in others:
            cursor.execute(statement, list(islice(values, statement.count("%s"))))
    return True


def _form(write: EventWrite) -> EventForm:
    """What is to be written, without the values."""
    parts: tuple[Part, ...] = (
        *(Insert(model, tuple(values)) for model, values in write.inserts),
        *(Update(model, tuple(where), tuple(values)) for model, where, values in write.updates),
        *(part for part, _ in write.others),
    )
    return EventForm(("version", *write.changes), write.in_time, parts)


def _parameters(write: EventWrite, form: EventForm, vendor: str) -> list[Any]:
    """The values of all that is to be written, in the order of its form."""
    values = [write.version + 1, *write.changes.values(), write.match_id, write.version]
    for _, added in write.inserts:
        values += added.values()
    for _, where, changed in write.updates:
        values += changed.values()
        values += where.values()
    for place, way in ways_to_prepare(form, vendor):
        values[place] = way(values[place])
    for _, own in write.others:
        values += own
    return values
