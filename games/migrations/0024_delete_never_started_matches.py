"""Let the service delete matches that were cancelled before they started, and old analyses.

The log stays append-only for every match that has started: its entries are refused to everybody, so nobody can
make a match look as if it had never started.
"""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

POSTGRESQL = """
CREATE OR REPLACE FUNCTION games_move_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT FROM games_match
        WHERE id = OLD.match_id AND status = 'cancelled' AND started_at IS NULL
            AND finished_at < clock_timestamp() - interval '29 days'
    ) AND NOT EXISTS (SELECT FROM games_move WHERE match_id = OLD.match_id AND type = 'started') THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the log of a match is append-only' USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION games_delete_never_started_matches(cancelled_before timestamptz, at_most integer)
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    match_ids varchar[] := ARRAY(
        SELECT id FROM games_match
        WHERE status = 'cancelled' AND started_at IS NULL AND finished_at < cancelled_before
            AND NOT EXISTS (SELECT FROM games_operatoraction WHERE match_id = games_match.id)
        ORDER BY finished_at LIMIT at_most FOR UPDATE SKIP LOCKED
    );
BEGIN
    UPDATE games_match SET next_match_id = NULL WHERE next_match_id = ANY (match_ids);
    DELETE FROM games_delivery WHERE match_id = ANY (match_ids);
    DELETE FROM games_delivery WHERE webhook_id IN (SELECT id FROM games_webhook WHERE match_id = ANY (match_ids));
    DELETE FROM games_webhook WHERE match_id = ANY (match_ids);
    DELETE FROM games_move WHERE match_id = ANY (match_ids);
    DELETE FROM games_snapshot WHERE match_id = ANY (match_ids);
    DELETE FROM games_seedchain WHERE match_id = ANY (match_ids);
    DELETE FROM games_seat WHERE match_id = ANY (match_ids);
    DELETE FROM games_match WHERE id = ANY (match_ids);
    RETURN cardinality(match_ids);
END $$;
"""
POSTGRESQL_BACK = """
DROP FUNCTION games_delete_never_started_matches(timestamptz, integer);
CREATE OR REPLACE FUNCTION games_move_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of a match is append-only' USING ERRCODE = 'restrict_violation';
END $$;
"""


def create_function(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the function of PostgreSQL."""
    if editor.connection.vendor == "postgresql":
        editor.execute(POSTGRESQL)


def drop_function(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the function of PostgreSQL."""
    if editor.connection.vendor == "postgresql":
        editor.execute(POSTGRESQL_BACK)


class Migration(migrations.Migration):
    dependencies = [("games", "0023_record_verifications")]

    operations = [
        migrations.AddIndex(
            model_name="analysis", index=models.Index(fields=["begun_at"], name="analysis_by_age")
        ),
        migrations.RunPython(create_function, drop_function),
    ]
