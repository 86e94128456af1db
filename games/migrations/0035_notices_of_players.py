"""Add notices, which streams and webhooks carry beside the log, and a format of webhooks.

The release before runs beside it: columns are nullable or have a default of the database, and the longer type only
changes the catalogue of PostgreSQL.
"""

from typing import Any

import django.db.models.deletion
import django.utils.timezone
import games.notices.models
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# The transaction of each row, as in the log.
FILLED_IN = (
    "ALTER TABLE games_playernotice ALTER COLUMN written_in SET DEFAULT pg_current_xact_id()::text::bigint"
)
NEW_KINDS = ("seek_matched", "rating_changed", "board_opened", "board_closed", "export_ready", "security")


def fill_in(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Let PostgreSQL store the transaction of each row."""
    if editor.connection.vendor == "postgresql":
        editor.execute(FILLED_IN)


def delete_new_values(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Delete what the previous release cannot send, and stop the endpoints whose format it does not know."""
    alias = editor.connection.alias
    apps.get_model("games", "Notice").objects.using(alias).filter(kind__in=NEW_KINDS).delete()
    apps.get_model("games", "NoticeAttempt").objects.using(alias).filter(kind__in=NEW_KINDS).delete()
    apps.get_model("games", "Delivery").objects.using(alias).filter(notice_id__isnull=False).delete()
    webhooks = apps.get_model("games", "Webhook").objects.using(alias).exclude(format="standard")
    webhooks.update(active=False, stopped_because="gone", stopped_at=django.utils.timezone.now())
    if editor.connection.vendor == "postgresql":
        # The next statements alter the tables, which PostgreSQL refuses while constraints wait to be checked.
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0029_notice_attempts"),
    ]

    operations = [
        migrations.CreateModel(
            name="PlayerNotice",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                (
                    "public_id",
                    models.CharField(
                        default=games.notices.models.new_notice_id, editable=False, max_length=20, unique=True
                    ),
                ),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("seek_matched", "Seek Matched"),
                            ("rating_changed", "Rating Changed"),
                            ("board_opened", "Board Opened"),
                            ("board_closed", "Board Closed"),
                            ("export_ready", "Export Ready"),
                            ("security", "Security"),
                        ],
                        max_length=16,
                    ),
                ),
                ("data", models.JSONField()),
                ("at", models.DateTimeField()),
                ("written_in", models.BigIntegerField(editable=False, null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="notice",
            name="notice_kind_is_known",
        ),
        migrations.AddField(
            model_name="delivery",
            name="notice_id",
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="delivery",
            name="seat",
            field=models.SmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="webhook",
            name="format",
            field=models.CharField(
                choices=[("standard", "Standard"), ("discord", "Discord")],
                db_default="standard",
                default="standard",
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="type",
            field=models.CharField(max_length=16),
        ),
        migrations.AlterField(
            model_name="notice",
            name="kind",
            field=models.CharField(
                choices=[
                    ("invitation", "Invitation"),
                    ("your_turn", "Your Turn"),
                    ("reminder", "Reminder"),
                    ("caretaker", "Caretaker"),
                    ("match_end", "Match End"),
                    ("seek_matched", "Seek Matched"),
                    ("rating_changed", "Rating Changed"),
                    ("board_opened", "Board Opened"),
                    ("board_closed", "Board Closed"),
                    ("export_ready", "Export Ready"),
                    ("security", "Security"),
                    ("webhook_stopped", "Webhook Stopped"),
                    ("test", "Test"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="noticeattempt",
            name="kind",
            field=models.CharField(
                choices=[
                    ("invitation", "Invitation"),
                    ("your_turn", "Your Turn"),
                    ("reminder", "Reminder"),
                    ("caretaker", "Caretaker"),
                    ("match_end", "Match End"),
                    ("seek_matched", "Seek Matched"),
                    ("rating_changed", "Rating Changed"),
                    ("board_opened", "Board Opened"),
                    ("board_closed", "Board Closed"),
                    ("export_ready", "Export Ready"),
                    ("security", "Security"),
                    ("webhook_stopped", "Webhook Stopped"),
                    ("test", "Test"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "invitation",
                            "your_turn",
                            "reminder",
                            "caretaker",
                            "match_end",
                            "seek_matched",
                            "rating_changed",
                            "board_opened",
                            "board_closed",
                            "export_ready",
                            "security",
                            "webhook_stopped",
                            "test",
                        ],
                    )
                ),
                name="notice_kind_is_known",
            ),
        ),
        migrations.AddField(
            model_name="playernotice",
            name="player",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="playernotice",
            index=models.Index(fields=["player", "-id"], name="player_notice_of_player"),
        ),
        migrations.AddIndex(
            model_name="playernotice",
            index=models.Index(fields=["at"], name="player_notice_by_age"),
        ),
        migrations.AddConstraint(
            model_name="playernotice",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "type__in",
                        [
                            "seek_matched",
                            "rating_changed",
                            "board_opened",
                            "board_closed",
                            "export_ready",
                            "security",
                        ],
                    )
                ),
                name="player_notice_type_is_known",
            ),
        ),
        migrations.RunPython(fill_in, delete_new_values),
    ]
