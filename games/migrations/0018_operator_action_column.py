"""Rename the audit log's column `deed` to `action`, with its constraint and the related names of its keys.

SQLite builds a new table to change a constraint, which drops the trigger of the old one, so it is created again.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

VALUES = (
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
)
POSTGRESQL = """
CREATE OR REPLACE FUNCTION games_operator_action_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{message}' USING ERRCODE = 'restrict_violation';
END $$
"""
SQLITE = """
CREATE TRIGGER games_operator_action_stays BEFORE UPDATE ON games_operatoraction
BEGIN
    SELECT RAISE(ABORT, '{message}');
END
"""
MESSAGE = "the audit log is append-only"
PREVIOUS_MESSAGE = "what operators did is kept"


def _guard(editor: BaseDatabaseSchemaEditor, message: str) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute(POSTGRESQL.format(message=message))
    else:
        editor.execute("DROP TRIGGER IF EXISTS games_operator_action_stays")
        editor.execute(SQLITE.format(message=message))


def guard(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Guard the audit log against changes, with a conventional message."""
    _guard(editor, MESSAGE)


def guard_as_before(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Guard the audit log against changes, with the message of the previous release."""
    _guard(editor, PREVIOUS_MESSAGE)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0017_indexes_served_by_others"),
    ]

    operations = [
        migrations.RunPython(migrations.RunPython.noop, guard_as_before),
        migrations.RemoveConstraint("operatoraction", "operator_deed_is_known"),
        migrations.RenameField("operatoraction", "deed", "action"),
        migrations.AddConstraint(
            "operatoraction",
            models.CheckConstraint(
                condition=models.Q(("action__in", list(VALUES))), name="operator_action_is_known"
            ),
        ),
        migrations.AlterField(
            "operatoraction",
            "operator",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="operator_actions",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            "operatoraction",
            "player",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="operator_actions_about",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(guard, migrations.RunPython.noop),
    ]
