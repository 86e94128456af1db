"""The servers of the chaos tests, without kills."""

from tests.chaos.conftest import on_sqlite, postgresql_server, redis_server, start_stack

__all__ = ["on_sqlite", "postgresql_server", "redis_server", "start_stack"]
