"""Guard suspended accounts, accept new actions of operators, and index players by their suspension and names.

Nothing here stops moves while a large table is read (`_online.py`). The triggers of PostgreSQL that guard closed
accounts guard suspended ones too; those of SQLite are created after migrations (`games/privacy/guards.py`). SQLite
builds a new table to change a constraint, which drops the trigger of the audit log, so it is created again.
"""

from typing import Any

import django.db.models.functions.text
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from games.migrations._online import AddIndexOnline, ReplaceCheckOnline

MUST_BE_ACTIVE = """
CREATE OR REPLACE FUNCTION games_player_must_be_active() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- The lock waits for a transaction that closes or suspends the account, and is checked again after it.
    PERFORM FROM games_player
    WHERE id = (to_jsonb(NEW) ->> TG_ARGV[0])::bigint AND is_active {condition}
    FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the account is closed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""
NOT_SUSPENDED = "AND (suspended_until IS NULL OR suspended_until <= clock_timestamp())"
SQLITE_AUDIT_GUARD = """
CREATE TRIGGER games_operator_action_stays BEFORE UPDATE ON games_operatoraction
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END
"""
NEW_ACTIONS = (
    "warn",
    "rename",
    "suspend",
    "unsuspend",
    "report",
    "propose_annulment",
    "reject_annulment",
    "retry_ai",
    "stop_webhook",
    "enable_webhook",
    "redeliver",
    "retry_notice",
)


def guard_suspended_accounts(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Let the triggers of PostgreSQL guard suspended accounts too."""
    if editor.connection.vendor == "postgresql":
        editor.execute(MUST_BE_ACTIVE.format(condition=NOT_SUSPENDED))


def guard_closed_accounts_only(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Restore the triggers of the previous release."""
    if editor.connection.vendor == "postgresql":
        editor.execute(MUST_BE_ACTIVE.format(condition=""))


def guard_audit_log(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the trigger of SQLite again, which refuses changes of the audit log."""
    if editor.connection.vendor == "sqlite":
        editor.execute("DROP TRIGGER IF EXISTS games_operator_action_stays")
        editor.execute(SQLITE_AUDIT_GUARD)


def replace_new_values(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Replace values that the previous release does not know: new actions become notes."""
    alias, is_postgresql = editor.connection.alias, editor.connection.vendor == "postgresql"
    webhooks = apps.get_model("games", "Webhook").objects.using(alias)
    webhooks.filter(stopped_because="operator").update(stopped_because="gone")
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


PREVIOUS_ACTIONS = (
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
ACTIONS = (*PREVIOUS_ACTIONS, *NEW_ACTIONS)


def _known(actions: tuple[str, ...]) -> models.CheckConstraint:
    return models.CheckConstraint(
        name="operator_action_is_known", condition=models.Q(("action__in", list(actions)))
    )


def _stopped(*reasons: str) -> models.CheckConstraint:
    stopped = models.Q(
        ("active", False), ("stopped_at__isnull", False), ("stopped_because__in", list(reasons))
    )
    return models.CheckConstraint(
        name="webhook_stopped_for_a_reason",
        condition=models.Q(("stopped_because", ""), stopped, _connector="OR"),
    )


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0028_suspensions")]

    operations = [
        migrations.RunPython(migrations.RunPython.noop, guard_audit_log),
        migrations.AlterField(
            model_name="operatoraction",
            name="action",
            field=models.CharField(
                choices=[(action, action.replace("_", " ").title()) for action in ACTIONS], max_length=20
            ),
        ),
        migrations.AlterField(
            model_name="webhook",
            name="stopped_because",
            field=models.CharField(
                blank=True,
                choices=[("failing", "Failing"), ("gone", "Gone"), ("operator", "Operator")],
                default="",
                max_length=8,
            ),
        ),
        ReplaceCheckOnline("operatoraction", old=_known(PREVIOUS_ACTIONS), new=_known(ACTIONS)),
        ReplaceCheckOnline(
            "webhook", old=_stopped("failing", "gone"), new=_stopped("failing", "gone", "operator")
        ),
        migrations.RunPython(guard_audit_log, replace_new_values, atomic=True),
        AddIndexOnline("knowndevice", models.Index(fields=["address"], name="known_device_by_address")),
        AddIndexOnline(
            "player",
            models.Index(
                condition=models.Q(("suspended_until__isnull", False)),
                fields=["suspended_until"],
                name="player_suspended",
            ),
        ),
        AddIndexOnline(
            "player",
            models.Index(
                django.db.models.functions.text.Lower("display_name"),
                condition=models.Q(("display_name", ""), _negated=True),
                name="player_by_display_name",
            ),
        ),
        migrations.RunPython(guard_suspended_accounts, guard_closed_accounts_only),
    ]
