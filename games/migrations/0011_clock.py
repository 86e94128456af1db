"""What the clock needs: when to remind, pauses, vacations, whether the service was away."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

SQLITE = (
    """
CREATE TRIGGER IF NOT EXISTS games_move_is_append_only BEFORE UPDATE ON games_move
BEGIN
    SELECT RAISE(ABORT, 'the log of a match is append-only');
END
""",
    "CREATE INDEX IF NOT EXISTS games_move_by_time ON games_move (at)",
)


def guard_again(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Put up again what SQLite loses with a table that it makes anew to change it: the log's guard and index."""
    if editor.connection.vendor == "sqlite":
        for statement in SQLITE:
            editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("games", "0010_notices"),
    ]

    operations = [
        migrations.RunPython(migrations.RunPython.noop, guard_again),
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("name", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("beat_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Outage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField()),
                ("reached", models.CharField(blank=True, default="", max_length=32)),
                ("done", models.BooleanField(default=False)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="move",
            name="move_type_is_known",
        ),
        migrations.RemoveConstraint(
            model_name="move",
            name="move_actor_is_known",
        ),
        migrations.AddField(
            model_name="match",
            name="paused_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="match",
            name="paused_seconds",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="match",
            name="paused_until",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="match",
            name="pauses",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name="match",
            name="remind_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="match",
            name="turn_left_ms",
            field=models.PositiveBigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="player",
            name="vacation_days",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="player",
            name="vacation_since",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="player",
            name="vacation_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="player",
            name="vacation_year",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="seat",
            name="asks",
            field=models.CharField(
                blank=True,
                choices=[("", "Nothing"), ("pause", "Pause"), ("resume", "Resume")],
                db_default="",
                default="",
                max_length=6,
            ),
        ),
        migrations.AlterField(
            model_name="move",
            name="by",
            field=models.CharField(
                choices=[
                    ("player", "Player"),
                    ("clock", "Clock"),
                    ("ai", "Ai"),
                    ("caretaker", "Caretaker"),
                    ("operator", "Operator"),
                ],
                max_length=9,
            ),
        ),
        migrations.AlterField(
            model_name="move",
            name="type",
            field=models.CharField(
                choices=[
                    ("joined", "Joined"),
                    ("left", "Left"),
                    ("invited", "Invited"),
                    ("declined", "Declined"),
                    ("started", "Started"),
                    ("play", "Play"),
                    ("pass", "Pass"),
                    ("bet", "Bet"),
                    ("award", "Award"),
                    ("resigned", "Resigned"),
                    ("caretaker", "Caretaker"),
                    ("reclaimed", "Reclaimed"),
                    ("pause_asked", "Pause Asked"),
                    ("paused", "Paused"),
                    ("resume_asked", "Resume Asked"),
                    ("resumed", "Resumed"),
                    ("extended", "Extended"),
                    ("seat_changed", "Seat Changed"),
                    ("cancelled", "Cancelled"),
                    ("annulled", "Annulled"),
                ],
                max_length=12,
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("remind_at__isnull", False), ("status", "active")),
                fields=["remind_at"],
                name="match_reminder",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "paused")), fields=["paused_until"], name="match_pause_ends"
            ),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(("vacation_until__isnull", False)),
                fields=["vacation_until"],
                name="player_on_vacation",
            ),
        ),
        migrations.AddConstraint(
            model_name="move",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "type__in",
                        [
                            "joined",
                            "left",
                            "invited",
                            "declined",
                            "started",
                            "play",
                            "pass",
                            "bet",
                            "award",
                            "resigned",
                            "caretaker",
                            "reclaimed",
                            "pause_asked",
                            "paused",
                            "resume_asked",
                            "resumed",
                            "extended",
                            "seat_changed",
                            "cancelled",
                            "annulled",
                        ],
                    )
                ),
                name="move_type_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="move",
            constraint=models.CheckConstraint(
                condition=models.Q(("by__in", ["player", "clock", "ai", "caretaker", "operator"])),
                name="move_actor_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(("asks__in", ["", "pause", "resume"])), name="seat_asks_what_is_known"
            ),
        ),
        migrations.AddIndex(
            model_name="outage",
            index=models.Index(condition=models.Q(("done", False)), fields=["id"], name="outage_not_done"),
        ),
        migrations.RunPython(guard_again, migrations.RunPython.noop),
    ]
