"""Add the order in which AI turns and analyses are done, with its indexes, instead of those on the wake time.

The indexes of PostgreSQL are created without locking the table: the previous release runs meanwhile. Turns that
it stores have no `turn_due_at`, and the place of an earlier turn of the match.
"""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_WAITING = models.Q(("status", "active"), ("wake_at__isnull", False))
_CONDITION = "WHERE status = 'active' AND wake_at IS NOT NULL"
_UNFINISHED = models.Q(("wake_at__isnull", False))
_BY_WAKE_TIME = f"match_wakes_the_service ON games_match (wake_at) {_CONDITION}"
_BY_ORDER = f"match_turn_order ON games_match (turn_priority, turn_order, turn_due_at) {_CONDITION}"
_OF_MAKER = f"match_turn_order_of_maker ON games_match (maker_id, turn_priority, turn_order) {_CONDITION}"


def _replace_indexes(
    editor: BaseDatabaseSchemaEditor, created: tuple[str, ...], dropped: tuple[str, ...]
) -> None:
    how = "CONCURRENTLY " if editor.connection.vendor == "postgresql" else ""
    for definition in created:
        editor.execute(f"CREATE INDEX {how}IF NOT EXISTS {definition}")
    for definition in dropped:
        editor.execute(f"DROP INDEX {how}IF EXISTS {definition.split()[0]}")


def by_order(_: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Replace the index on the wake time."""
    _replace_indexes(editor, (_BY_ORDER, _OF_MAKER), (_BY_WAKE_TIME,))


def by_wake_time(_: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the index on the wake time again."""
    _replace_indexes(editor, (_BY_WAKE_TIME,), (_BY_ORDER, _OF_MAKER))


def _analysis_index(name: str, *fields: str) -> migrations.AddIndex:
    return migrations.AddIndex("analysis", models.Index(condition=_UNFINISHED, fields=fields, name=name))


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0018_operator_action_column"),
    ]

    operations = [
        migrations.AddField("match", "turn_due_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "match",
            "turn_priority",
            models.PositiveSmallIntegerField(
                choices=[(0, "Standing Order"), (1, "With People"), (2, "Only Ais")], db_default=1, default=1
            ),
        ),
        migrations.AddField("match", "turn_order", models.PositiveBigIntegerField(db_default=0, default=0)),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(by_order, by_wake_time)],
            state_operations=[
                migrations.RemoveIndex("match", "match_wakes_the_service"),
                migrations.AddIndex(
                    "match",
                    models.Index(
                        condition=_WAITING,
                        fields=["turn_priority", "turn_order", "turn_due_at"],
                        name="match_turn_order",
                    ),
                ),
                migrations.AddIndex(
                    "match",
                    models.Index(
                        condition=_WAITING,
                        fields=["maker", "turn_priority", "turn_order"],
                        name="match_turn_order_of_maker",
                    ),
                ),
            ],
        ),
        # Few analyses are unfinished, so their small indexes are created at once.
        migrations.AddField(
            "analysis",
            "player",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField("analysis", "place", models.PositiveBigIntegerField(db_default=0, default=0)),
        migrations.RemoveIndex("analysis", "analysis_goes_on"),
        _analysis_index("analysis_goes_on", "place", "wake_at"),
        _analysis_index("analysis_of_player", "player", "place"),
    ]
