"""Moments: what had been committed by then, so that who reads many matches never skips what was late.

Rows are numbered when they are written, and may be committed in another order: whoever goes by numbers alone
has passed some before they can be seen. PostgreSQL can say which transactions a snapshot has seen, and every
row of the log names its own. SQLite has one writer at a time: there the last number says it all.
"""

from typing import Any

from django.db import connection
from django.db.models import BooleanField, F, Func, Q, Value
from django.db.models.expressions import Expression

from games.models import Move


def this_moment() -> str:
    """What has been committed by now, as text."""
    if connection.vendor != "postgresql":
        return str(Move.objects.order_by("-pk").values_list("pk", flat=True).first() or 0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_snapshot()::text")
        return str(cursor.fetchone()[0])


def by_then(moment: str, row: str = "") -> Q:
    """The rows of the log that had been committed then; `row` leads to them, as in `match__moves__`."""
    if connection.vendor != "postgresql":
        return Q(**{f"{row}pk__lte": int(moment)})
    return Q(_Visible(row, moment))


def since(moment: str, row: str = "") -> Q:
    """The rows of the log that had not. What PostgreSQL did not number is older than all of this."""
    if connection.vendor != "postgresql":
        return Q(**{f"{row}pk__gt": int(moment)})
    return Q(_NotVisible(row, moment))


def is_ahead(moment: str, now: str) -> bool:
    """Whether a moment is of another life of the database: a backup was put back since.

    >>> is_ahead("120:125:121", "90:90:"), is_ahead("120:125:121", "130:130:")
    (True, False)
    """
    return _end(moment) > _end(now)


def _end(moment: str) -> int:
    """The number that comes next: of a row, or of a transaction, which a snapshot has in the middle."""
    numbers = moment.split(":")
    return int(numbers[1] if len(numbers) > 1 else numbers[0])


class _Visible(Func):
    """Whether the transaction that wrote a row is one that a snapshot has seen."""

    template = "pg_visible_in_snapshot(%(expressions)s)"
    output_field = BooleanField()

    def __init__(self, row: str, moment: str) -> None:
        super().__init__(_cast(F(f"{row}written_in"), "xid8"), _cast(Value(moment), "pg_snapshot"))


class _NotVisible(_Visible):
    """Whether it is one that a snapshot has not seen."""

    template = "NOT pg_visible_in_snapshot(%(expressions)s)"


def _cast(value: Any, kind: str) -> Expression:  # noqa: ANN401 -- whatever an expression takes
    return Func(value, template=f"(%(expressions)s)::text::{kind}")
