"""Tickets, and what tells a reader of many matches which events were committed since.

Both can be added while the previous release runs: rows that it writes get `written_in` from the database.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# Only rows that are written from now on get it: no row of the log is touched.
FILLED_IN = "ALTER TABLE games_move ALTER COLUMN written_in SET DEFAULT pg_current_xact_id()::text::bigint"
NOT_FILLED_IN = "ALTER TABLE games_move ALTER COLUMN written_in DROP DEFAULT"


def fill_in(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Have PostgreSQL note the transaction of each row."""
    if editor.connection.vendor == "postgresql":
        editor.execute(FILLED_IN)


def do_not_fill_in(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Stop that."""
    if editor.connection.vendor == "postgresql":
        editor.execute(NOT_FILLED_IN)


class Migration(migrations.Migration):
    """A table, a column, an index."""

    dependencies = [
        ("games", "0006_log_is_append_only"),
    ]

    operations = [
        migrations.CreateModel(
            name="Ticket",
            fields=[
                ("digest", models.CharField(max_length=128, primary_key=True, serialize=False)),
                ("expires_at", models.DateTimeField()),
                (
                    "token",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tickets",
                        to=settings.KNOX_TOKEN_MODEL,
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["expires_at"], name="ticket_by_age")]},
        ),
        migrations.AddField(
            model_name="move",
            name="written_in",
            field=models.BigIntegerField(editable=False, null=True),
        ),
        migrations.RunPython(fill_in, do_not_fill_in),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("finished_at__isnull", False)),
                fields=["finished_at"],
                name="match_by_its_end",
            ),
        ),
    ]
