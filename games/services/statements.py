"""SQL put together from models: the names of tables and columns, and values as the driver takes them."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models import Field, Model

from games import compact_json
from games.models.secrets import SecretJSONField, secret_text

Values = Mapping[str, Any]
Way = Callable[[Any], Any]

# Columns whose values the driver of PostgreSQL takes as Python has them; others have a way of their own.
_AS_PYTHON_HAS_IT: Final = (
    models.BooleanField,
    models.CharField,
    models.DateTimeField,
    models.ForeignKey,
    models.IntegerField,
)


@cache
def column_of(model: type[Model], name: str) -> "Field[Any, Any]":
    """The column of a model's field."""
    found = model._meta.get_field(name)  # noqa: SLF001 -- Django's documented way to its fields
    if not isinstance(found, Field):
        raise TypeError(f"{model.__name__}.{name} is no column")
    return found


def prepared_values(model: type[Model], values: Values) -> list[Any]:
    """Values for the columns that they are named by."""
    ways = _ways(model, tuple(values), connection.vendor)
    return [value if way is None else way(value) for way, value in zip(ways, values.values(), strict=True)]


@cache
def _ways(model: type[Model], names: tuple[str, ...], vendor: str) -> tuple[Way | None, ...]:
    return tuple(way_of(column_of(model, name), vendor) for name in names)


def way_of(column: "Field[Any, Any]", vendor: str) -> Way | None:
    """How a value of this column is written; None where it goes as it is."""
    if vendor == "postgresql":
        if isinstance(column, _AS_PYTHON_HAS_IT):
            return None
        if isinstance(column, models.JSONField) and column.encoder is None:
            return _as_json
        if isinstance(column, SecretJSONField):
            return secret_text
    return lambda value: column.get_db_prep_save(value, connections[DEFAULT_DB_ALIAS])


def _as_json(value: object) -> str | None:
    return None if value is None else compact_json.written(value).decode()


def placeholder(column: "Field[Any, Any]") -> str:
    """A parameter of the column's type: inside a WITH, PostgreSQL cannot tell it from its use."""
    if connection.vendor != "postgresql":
        return "%s"
    return f"%s::{column.rel_db_type(connection) if column.is_relation else column.db_type(connection)}"


def quoted(column: "Field[Any, Any]") -> str:
    """The name of a column."""
    return connection.ops.quote_name(str(column.column))


def table_of(model: type[Model]) -> str:
    """The name of a table."""
    return connection.ops.quote_name(model._meta.db_table)  # noqa: SLF001 -- as above
