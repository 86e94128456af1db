"""The SQL of an event: put together once for each form that events have, since only the values differ.

An event is one update of its match and what hangs on it: rows added, rows changed, and whatever else is
written with it. Each of these knows its own text; what it is for is told by its values, in order.
"""

# ruff: noqa: S608 -- the names in these statements are those of our models; values are parameters

from functools import lru_cache
from typing import Any, Final, NamedTuple, Protocol

from django.db.models import Field, Model

from games.models import Match
from games.services.statements import Way, column_of, placeholder, quoted, table_of, way_of

_HOLDS: Final = "moved"
_IS_HELD: Final = f"EXISTS (SELECT 1 FROM {_HOLDS})"
# Forms differ by what an event changes, and a little by how many it concerns.
_MOST_FORMS: Final = 1_000

Names = tuple[str, ...]


class Part(Protocol):
    """What is written with an event: its text, given the condition under which it may do anything.

    Parts of one form are equal and have one text.
    """

    def text(self, held: str) -> str:
        """Write the statement."""


class Insert(NamedTuple):
    """A row that is added."""

    model: type[Model]
    names: Names

    @property
    def columns(self) -> "list[Field[Any, Any]]":
        """What its values are for, in order."""
        return [column_of(self.model, name) for name in self.names]

    def text(self, held: str) -> str:
        """Write the statement."""
        return (
            f"INSERT INTO {table_of(self.model)} ({', '.join(map(quoted, self.columns))}) "
            f"SELECT {', '.join(map(placeholder, self.columns))} WHERE {held}"
        )


class Update(NamedTuple):
    """Rows that are changed: first the values that they get, then those that they are known by."""

    model: type[Model]
    where: Names
    names: Names

    @property
    def columns(self) -> "list[Field[Any, Any]]":
        """What its values are for, in order."""
        return [column_of(self.model, name) for name in (*self.names, *self.where)]

    def text(self, held: str) -> str:
        """Write the statement."""
        return (
            f"UPDATE {table_of(self.model)} SET {_pairs(self.model, self.names, ', ')} "
            f"WHERE {_pairs(self.model, self.where, ' AND ')} AND {held}"
        )


class EventForm(NamedTuple):
    """What the statements of an event depend on: all but its values.

    The rows that are added come first, then those that are changed, then parts of other kinds. With each
    event a form is looked up, so it and what it is made of are tuples.
    """

    changes: Names
    in_time: bool
    parts: tuple[Part, ...]


@lru_cache(_MOST_FORMS)
def one_statement(form: EventForm) -> str:
    """All of it as one statement, which gives how many matches moved: one or none. For PostgreSQL."""
    steps = [f"{_HOLDS} AS ({_move_the_match(form, now='clock_timestamp()')} RETURNING id)"]
    steps += [f"w{number} AS ({part.text(_IS_HELD)})" for number, part in enumerate(form.parts)]
    return f"WITH {', '.join(steps)} SELECT count(*) FROM {_HOLDS}"


@lru_cache(_MOST_FORMS)
def many_statements(form: EventForm) -> tuple[str, ...]:
    """The same as statements to follow on the first, which must have moved the match. For SQLite."""
    return _move_the_match(form, now="%s"), *(part.text("TRUE") for part in form.parts)


@lru_cache(_MOST_FORMS)
def ways_to_prepare(form: EventForm, vendor: str) -> tuple[tuple[int, Way], ...]:
    """Which values of the match, of rows added and of rows changed the driver takes in another form only."""
    columns = [column_of(Match, name) for name in (*form.changes, "id", "version")]
    for part in form.parts:
        columns += part.columns if isinstance(part, Insert | Update) else ()
    ways = [way_of(column, vendor) for column in columns]
    return tuple((place, way) for place, way in enumerate(ways) if way is not None)


def _move_the_match(form: EventForm, *, now: str) -> str:
    """The update that everything hangs on."""
    sql = f"UPDATE {table_of(Match)} SET {_pairs(Match, form.changes, ', ')} WHERE id = %s AND version = %s"
    return f"{sql} AND (deadline IS NULL OR deadline > {now})" if form.in_time else sql


def _pairs(model: type[Model], names: Names, between: str) -> str:
    """Each column with a parameter for it."""
    columns = [column_of(model, name) for name in names]
    return between.join(f"{quoted(each)} = {placeholder(each)}" for each in columns)
