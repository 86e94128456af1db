"""What operators did, kept for good; and the log found by time, for how busy the last hours were.

On PostgreSQL that index is of blocks: the log is written in the order of time, so it costs nearly nothing.
"""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

POSTGRESQL = """
CREATE FUNCTION games_operator_action_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what operators did is kept' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER games_operator_action_stays BEFORE UPDATE OR DELETE ON games_operatoraction
    FOR EACH ROW EXECUTE FUNCTION games_operator_action_stays();
CREATE INDEX games_move_by_time ON games_move USING brin (at);
"""
POSTGRESQL_BACK = """
DROP INDEX games_move_by_time;
DROP TRIGGER games_operator_action_stays ON games_operatoraction;
DROP FUNCTION games_operator_action_stays();
"""
SQLITE = (
    """
CREATE TRIGGER games_operator_action_stays BEFORE UPDATE ON games_operatoraction
BEGIN
    SELECT RAISE(ABORT, 'what operators did is kept');
END
""",
    "CREATE INDEX games_move_by_time ON games_move (at)",
)
SQLITE_BACK = ("DROP INDEX IF EXISTS games_move_by_time", "DROP TRIGGER games_operator_action_stays")


def guard(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Put the guard up, and make the index."""
    for statement in (POSTGRESQL,) if editor.connection.vendor == "postgresql" else SQLITE:
        editor.execute(statement)


def unguard(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Take both away."""
    for statement in (POSTGRESQL_BACK,) if editor.connection.vendor == "postgresql" else SQLITE_BACK:
        editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0008_webhooks"),
    ]

    operations = [
        migrations.CreateModel(
            name="OperatorAction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "deed",
                    models.CharField(
                        choices=[
                            ("pause", "Pause"),
                            ("resume", "Resume"),
                            ("extend", "Extend"),
                            ("replace", "Replace"),
                            ("cancel", "Cancel"),
                            ("annul", "Annul"),
                            ("reveal", "Reveal"),
                            ("ban", "Ban"),
                            ("unban", "Unban"),
                            ("note", "Note"),
                            ("appoint", "Appoint"),
                            ("dismiss", "Dismiss"),
                        ],
                        max_length=8,
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                ("details", models.JSONField(default=dict)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "match",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="operator_actions",
                        to="games.match",
                    ),
                ),
                (
                    "operator",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deeds",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deeds_about",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "permissions": [
                    (
                        "operate_matches",
                        "Can pause, resume, extend, cancel and annul matches and replace seats",
                    ),
                    ("reveal_hands", "Can look at the hands of a running round"),
                    ("moderate_players", "Can ban players and write notes about them"),
                ],
                "default_permissions": ("view",),
                "indexes": [
                    models.Index(
                        condition=models.Q(("match__isnull", False)),
                        fields=["match"],
                        name="operator_action_of_match",
                    ),
                    models.Index(
                        condition=models.Q(("player__isnull", False)),
                        fields=["player"],
                        name="operator_action_of_player",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "deed__in",
                                [
                                    "pause",
                                    "resume",
                                    "extend",
                                    "replace",
                                    "cancel",
                                    "annul",
                                    "reveal",
                                    "ban",
                                    "unban",
                                    "note",
                                    "appoint",
                                    "dismiss",
                                ],
                            )
                        ),
                        name="operator_deed_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="operator_action_has_a_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("match", None), ("player__isnull", False)),
                            models.Q(("match__isnull", False), ("player", None)),
                            _connector="OR",
                        ),
                        name="operator_action_is_about_one",
                    ),
                ],
            },
        ),
        migrations.RunPython(guard, unguard),
    ]
