"""Rows of another table as one JSON value of each row: a list of children without a second query."""

from typing import Any, ClassVar

from django.db.models import Aggregate, Case, JSONField, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONArray


class JsonRows(Aggregate):
    """Collect JSON values into a list: `jsonb_agg` in PostgreSQL, `json_group_array` in SQLite."""

    function = "JSONB_AGG"
    output_field: "ClassVar[JSONField[Any, Any]]" = JSONField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:  # noqa: ANN401 -- Django's own
        """Name the function as SQLite does."""
        return super().as_sql(compiler, connection, function="JSON_GROUP_ARRAY", **context)


def json_rows(children: QuerySet[Model], parent: str, *fields: str | Case) -> Subquery:
    """The children of a row, each as a list of these fields, as a list in no particular order."""
    rows = (
        children.filter(**{parent: OuterRef("pk")})
        .order_by()
        .values(parent)
        .annotate(json_rows=JsonRows(JSONArray(*fields)))
        .values("json_rows")
    )
    return Subquery(rows, output_field=JSONField())
