"""Guard closed accounts, and let cancelled matches be deleted.

Accounts that races left half deleted are repaired first: what is personal is overwritten and tokens are deleted.
The sweep then leaves the matches that still wait for these players. The triggers of SQLite are created after
migrations (`games/privacy/guards.py`).
"""

import secrets

from django.contrib.auth.hashers import make_password
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

POSTGRESQL = """
CREATE FUNCTION games_player_must_be_active() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- The lock waits for a transaction that closes the account, and is checked again after it.
    PERFORM FROM games_player WHERE id = (to_jsonb(NEW) ->> TG_ARGV[0])::bigint AND is_active FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the account is closed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER games_apitoken_of_active_player BEFORE INSERT ON games_apitoken
    FOR EACH ROW EXECUTE FUNCTION games_player_must_be_active('user_id');
CREATE TRIGGER games_webhook_of_active_player BEFORE INSERT ON games_webhook
    FOR EACH ROW EXECUTE FUNCTION games_player_must_be_active('player_id');
CREATE TRIGGER games_device_of_active_player BEFORE INSERT ON games_device
    FOR EACH ROW EXECUTE FUNCTION games_player_must_be_active('player_id');
CREATE TRIGGER games_seat_of_active_player BEFORE INSERT ON games_seat
    FOR EACH ROW WHEN (NEW.player_id IS NOT NULL AND NEW.live AND NEW.state IN ('invited', 'playing'))
    EXECUTE FUNCTION games_player_must_be_active('player_id');
CREATE TRIGGER games_seat_given_to_active_player BEFORE UPDATE ON games_seat
    FOR EACH ROW WHEN (
        NEW.player_id IS NOT NULL AND NEW.live AND NEW.state IN ('invited', 'playing')
        AND (OLD.player_id IS DISTINCT FROM NEW.player_id OR OLD.state <> NEW.state)
    )
    EXECUTE FUNCTION games_player_must_be_active('player_id');

CREATE FUNCTION games_player_is_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM games_apitoken WHERE user_id = NEW.id) THEN
        RAISE EXCEPTION 'a closed account has a token' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.closing = '' AND EXISTS (
        SELECT FROM games_seat AS seat JOIN games_match AS match ON match.id = seat.match_id
        WHERE seat.player_id = NEW.id AND seat.live AND seat.state IN ('invited', 'playing', 'caretaker')
            AND match.status IN ('open', 'active', 'paused')
    ) THEN
        RAISE EXCEPTION 'a closed account has a seat' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER games_player_is_closed AFTER UPDATE ON games_player
    FOR EACH ROW WHEN (NOT NEW.is_active) EXECUTE FUNCTION games_player_is_closed();

CREATE OR REPLACE FUNCTION games_move_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT FROM games_match
        WHERE id = OLD.match_id AND status = 'cancelled'
            AND finished_at < clock_timestamp() - interval '29 days'
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the log of a match is append-only' USING ERRCODE = 'restrict_violation';
END $$;
"""
POSTGRESQL_BACK = """
CREATE OR REPLACE FUNCTION games_move_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of a match is append-only' USING ERRCODE = 'restrict_violation';
END $$;
DROP TRIGGER games_player_is_closed ON games_player;
DROP FUNCTION games_player_is_closed();
DROP TRIGGER games_seat_given_to_active_player ON games_seat;
DROP TRIGGER games_seat_of_active_player ON games_seat;
DROP TRIGGER games_device_of_active_player ON games_device;
DROP TRIGGER games_webhook_of_active_player ON games_webhook;
DROP TRIGGER games_apitoken_of_active_player ON games_apitoken;
DROP FUNCTION games_player_must_be_active();
"""


def create_guards(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers of PostgreSQL."""
    if editor.connection.vendor == "postgresql":
        editor.execute(POSTGRESQL)


def drop_guards(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the triggers of PostgreSQL."""
    if editor.connection.vendor == "postgresql":
        editor.execute(POSTGRESQL_BACK)


def repair_closed_accounts(apps: StateApps, _: object) -> None:
    """Overwrite what a deleted account still has, and have the sweep leave matches that wait for it."""
    players = apps.get_model("games", "Player").objects
    players.filter(deleted_at__isnull=False, is_active=True).update(is_active=False)
    apps.get_model("games", "ApiToken").objects.filter(user__is_active=False).delete()
    deleted = players.filter(deleted_at__isnull=False)
    deleted.update(
        first_name="",
        last_name="",
        display_name="",
        email="",
        email_confirmed=False,
        is_staff=False,
        is_superuser=False,
        last_login=None,
        owner=None,
    )
    for model in ("Webhook", "Device", "Notice", "IdempotencyKey"):
        apps.get_model("games", model).objects.filter(player__deleted_at__isnull=False).delete()
    for player in deleted.exclude(password__startswith="!").only("pk"):
        players.filter(pk=player.pk).update(password=make_password(None))
    for player in deleted.exclude(username__startswith="deleted-").only("pk"):
        players.filter(pk=player.pk).update(username=f"deleted-{secrets.token_hex(8)}")
    for closing, deleted_or_not in (("deletion", False), ("ban", True)):
        waited_for = players.filter(
            is_active=False,
            deleted_at__isnull=deleted_or_not,
            seats__live=True,
            seats__match__status__in=("open", "active", "paused"),
        )
        ids = list(waited_for.values_list("pk", flat=True).distinct())
        players.filter(pk__in=ids).update(closing=closing)


class Migration(migrations.Migration):
    dependencies = [("games", "0019_fair_turn_order")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="closing",
            field=models.CharField(
                blank=True,
                choices=[("", "None"), ("ban", "Ban"), ("deletion", "Deletion")],
                db_default="",
                default="",
                max_length=8,
            ),
        ),
        migrations.RunPython(repair_closed_accounts, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(("closing", ""), _negated=True), fields=["id"], name="player_being_closed"
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("closing", ""),
                    models.Q(("closing__in", ("ban", "deletion")), ("is_active", False)),
                    _connector="OR",
                ),
                name="player_closing_is_inactive",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("deleted_at", None),
                    models.Q(
                        ("display_name", ""),
                        ("email", ""),
                        ("email_confirmed", False),
                        ("first_name", ""),
                        ("is_active", False),
                        ("is_staff", False),
                        ("is_superuser", False),
                        ("last_login", None),
                        ("last_name", ""),
                        ("owner", None),
                        ("password__startswith", "!"),
                        ("username__startswith", "deleted-"),
                    ),
                    _connector="OR",
                ),
                name="player_deleted_has_no_data",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "cancelled")), fields=["finished_at"], name="match_cancelled"
            ),
        ),
        migrations.RunPython(create_guards, drop_guards),
    ]
