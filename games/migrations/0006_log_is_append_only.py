"""The log is append-only, and the database sees to it.

SQLite guards against changes alone: its own way to empty a table is the same statement as any deletion.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

POSTGRESQL = """
CREATE FUNCTION games_move_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of a match is append-only' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER games_move_is_append_only BEFORE UPDATE OR DELETE ON games_move
    FOR EACH ROW EXECUTE FUNCTION games_move_is_append_only();
"""
SQLITE = """
CREATE TRIGGER games_move_is_append_only BEFORE UPDATE ON games_move
BEGIN
    SELECT RAISE(ABORT, 'the log of a match is append-only');
END
"""
POSTGRESQL_BACK = """
DROP TRIGGER games_move_is_append_only ON games_move;
DROP FUNCTION games_move_is_append_only();
"""
SQLITE_BACK = "DROP TRIGGER games_move_is_append_only"


def guard(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Put the guard up."""
    editor.execute(POSTGRESQL if editor.connection.vendor == "postgresql" else SQLITE)


def unguard(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Take the guard down."""
    editor.execute(POSTGRESQL_BACK if editor.connection.vendor == "postgresql" else SQLITE_BACK)


class Migration(migrations.Migration):
    """A trigger on the log."""

    dependencies = [("games", "0005_matches_made")]

    operations = [migrations.RunPython(guard, unguard)]
