"""Accept the actions with which operators stop and enable apps.

SQLite builds a new table to change a constraint, which drops the trigger of the audit log, so it is created again.
"""

from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from games.migrations._online import ReplaceCheckOnline

SQLITE_AUDIT_GUARD = """
CREATE TRIGGER games_operator_action_stays BEFORE UPDATE ON games_operatoraction
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END
"""
PREVIOUS_ACTIONS = (
    *("pause", "resume", "extend", "replace", "cancel", "annul", "reveal", "ban", "unban", "note", "appoint"),
    *("dismiss", "warn", "rename", "suspend", "unsuspend", "report", "propose_annulment", "reject_annulment"),
    *("retry_ai", "stop_webhook", "enable_webhook", "redeliver", "retry_notice"),
)
NEW_ACTIONS = ("stop_app", "enable_app")
ACTIONS = (*PREVIOUS_ACTIONS, *NEW_ACTIONS)


def guard_audit_log(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the trigger of SQLite again, which refuses changes of the audit log."""
    if editor.connection.vendor == "sqlite":
        editor.execute("DROP TRIGGER IF EXISTS games_operator_action_stays")
        editor.execute(SQLITE_AUDIT_GUARD)


def replace_new_actions(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Turn the actions that the previous release does not know into notes."""
    alias, is_postgresql = editor.connection.alias, editor.connection.vendor == "postgresql"
    if is_postgresql:
        editor.execute("ALTER TABLE games_operatoraction DISABLE TRIGGER games_operator_action_stays")
    else:
        editor.execute("DROP TRIGGER IF EXISTS games_operator_action_stays")
    actions = apps.get_model("games", "OperatorAction").objects.using(alias)
    actions.filter(action__in=NEW_ACTIONS).update(action="note")
    if is_postgresql:
        # The next statement alters the table, which PostgreSQL refuses while constraints wait to be checked.
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        editor.execute("ALTER TABLE games_operatoraction ENABLE TRIGGER games_operator_action_stays")


def _known(actions: tuple[str, ...]) -> models.CheckConstraint:
    return models.CheckConstraint(
        name="operator_action_is_known", condition=models.Q(("action__in", list(actions)))
    )


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0032_oauth_apps")]

    operations = [
        migrations.RunPython(migrations.RunPython.noop, guard_audit_log),
        migrations.AlterField(
            model_name="operatoraction",
            name="action",
            field=models.CharField(
                choices=[(action, action.replace("_", " ").title()) for action in ACTIONS], max_length=20
            ),
        ),
        ReplaceCheckOnline("operatoraction", old=_known(PREVIOUS_ACTIONS), new=_known(ACTIONS)),
        migrations.RunPython(guard_audit_log, replace_new_actions, atomic=True),
    ]
