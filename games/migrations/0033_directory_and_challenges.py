"""Add who follows whom, the invitations that bots accept, and the indexes of the directory of players.

The indexes are created without locking the table: the previous release runs meanwhile. Those on beginnings of
names need the collation "C", which SQLite does not have.
"""

from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_LISTED = models.Q(("is_active", True), ("kind__in", ["human", "bot"]))
_WHERE = "WHERE is_active AND kind IN ('human', 'bot')"
_INDEXES = (
    f"player_listed ON games_player (id) {_WHERE}",
    f"player_listed_by_kind ON games_player (kind, id) {_WHERE}",
)
_INDEXES_OF_NAMES = (
    f'player_by_start_of_name ON games_player (kind, (lower(username) COLLATE "C")) {_WHERE}',
    "player_by_start_of_display_name ON games_player "
    f"(kind, (lower(display_name) COLLATE \"C\")) {_WHERE} AND display_name <> ''",
)


def _definitions(editor: BaseDatabaseSchemaEditor) -> tuple[str, ...]:
    is_postgresql = editor.connection.vendor == "postgresql"
    return (*_INDEXES, *_INDEXES_OF_NAMES) if is_postgresql else _INDEXES


def _how(editor: BaseDatabaseSchemaEditor) -> str:
    return "CONCURRENTLY " if editor.connection.vendor == "postgresql" else ""


def create_indexes(_: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the indexes."""
    for definition in _definitions(editor):
        editor.execute(f"CREATE INDEX {_how(editor)}IF NOT EXISTS {definition}")


def drop_indexes(_: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the indexes."""
    for definition in _definitions(editor):
        editor.execute(f"DROP INDEX {_how(editor)}IF EXISTS {definition.split()[0]}")


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0039_dataset_files"),
    ]

    operations = [
        migrations.AddField("player", "show_online", models.BooleanField(db_default=True, default=True)),
        migrations.CreateModel(
            name="ChallengePolicy",
            fields=[
                (
                    "bot",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="challenge_policy",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("rulesets", models.JSONField(default=list)),
                ("players", models.JSONField(default=list)),
                ("min_turn_seconds", models.PositiveIntegerField(null=True)),
                ("max_turn_seconds", models.PositiveIntegerField(null=True)),
                ("without_clock", models.BooleanField(default=True)),
                (
                    "opponents",
                    models.CharField(
                        choices=[("human", "Human"), ("bot", "Bot"), ("any", "Any")],
                        default="any",
                        max_length=5,
                    ),
                ),
                ("rated", models.BooleanField(default=False)),
                ("at_once", models.PositiveSmallIntegerField()),
                ("auto_accept", models.BooleanField(default=False)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("opponents__in", ["human", "bot", "any"])),
                        name="challenge_policy_opponents_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("at_once__gte", 1), ("at_once__lte", 500)),
                        name="challenge_policy_at_once_in_range",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("min_turn_seconds", None),
                            ("max_turn_seconds", None),
                            ("min_turn_seconds__lte", models.F("max_turn_seconds")),
                            _connector="OR",
                        ),
                        name="challenge_policy_clock_in_order",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Follow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "followed",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "follower",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("follower", "followed"), name="follow_once"),
                    models.CheckConstraint(
                        condition=models.Q(("follower", models.F("followed")), _negated=True),
                        name="follow_of_somebody_else",
                    ),
                ],
            },
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(create_indexes, drop_indexes)],
            state_operations=[
                migrations.AddIndex(
                    "player", models.Index(condition=_LISTED, fields=["id"], name="player_listed")
                ),
                migrations.AddIndex(
                    "player",
                    models.Index(condition=_LISTED, fields=["kind", "id"], name="player_listed_by_kind"),
                ),
            ],
        ),
    ]
