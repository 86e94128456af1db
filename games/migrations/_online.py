"""Operations that do not lock a table while it is read from end to end.

On PostgreSQL an index is created concurrently, and a check constraint is added as not valid and then validated:
moves go on meanwhile. Each of them commits by itself, so migrations with these operations have `atomic = False`,
and can be run again after a failure. On SQLite they do what the operations of Django do.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db import DatabaseError
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddIndex
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import CheckConstraint


class AddIndexOnline(AddIndex):
    """Add an index without a lock that stops writes. One that a failed attempt has left is replaced."""

    atomic = False

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Create the index concurrently."""
        editor: Any = schema_editor
        if editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        with _no_lock_timeout(editor):
            editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {editor.quote_name(self.index.name)}")
            editor.add_index(model, self.index, concurrently=True)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Drop the index concurrently."""
        editor: Any = schema_editor
        if editor.connection.vendor != "postgresql":
            super().database_backwards(app_label, schema_editor, from_state, to_state)
            return
        with _no_lock_timeout(editor):
            editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {editor.quote_name(self.index.name)}")


@contextmanager
def _no_lock_timeout(editor: Any) -> Iterator[None]:  # noqa: ANN401 -- as Django's
    """Let statements wait for older transactions, during which they do not stop others."""
    editor.execute("SET lock_timeout = 0")
    try:
        yield
    finally:
        with suppress(DatabaseError):  # the connection may be lost
            editor.execute("RESET lock_timeout")


class ReplaceCheckOnline(Operation):
    """Replace a check constraint by another of the same name."""

    atomic = False

    def __init__(self, model_name: str, *, old: CheckConstraint, new: CheckConstraint) -> None:
        self.model_name = model_name
        self.old = old
        self.new = new

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Replace the constraint of the model."""
        state.remove_constraint(app_label, self.model_name.lower(), self.old.name)
        state.add_constraint(app_label, self.model_name.lower(), self.new)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Replace the old constraint by the new one."""
        self._add(schema_editor, to_state.apps.get_model(app_label, self.model_name), self.new)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Restore the old constraint."""
        self._add(schema_editor, to_state.apps.get_model(app_label, self.model_name), self.old)

    @staticmethod
    def _add(editor: Any, model: Any, constraint: CheckConstraint) -> None:  # noqa: ANN401 -- as Django's
        """Add the constraint instead of the one that has its name. SQLite copies the table with it."""
        if editor.connection.vendor != "postgresql":
            editor.add_constraint(model, constraint)
            return
        table, name = editor.quote_name(model._meta.db_table), editor.quote_name(constraint.name)  # noqa: SLF001 -- documented
        editor.execute(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name}")
        editor.execute(f"{constraint.create_sql(model, editor)} NOT VALID", params=None)
        editor.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}")
