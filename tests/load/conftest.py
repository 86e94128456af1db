"""The same servers as those of the chaos tests, which nobody kills here."""

from tests.chaos.conftest import on_sqlite, postgresql_server, redis_server, start_stack

__all__ = ["on_sqlite", "postgresql_server", "redis_server", "start_stack"]
