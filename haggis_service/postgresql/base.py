"""Django's PostgreSQL backend, with timestamps loaded by psycopg's own C loader.

Django registers a loader in Python that converts timestamps to the time zone of the connection. Here both the
service and its connections use UTC, and psycopg's loader takes a tenth of the time: a match that is read has
up to ten timestamps.
"""

from typing import Any, Final

from django.db.backends.postgresql import base
from psycopg import adapters
from psycopg.pq import Format

_TIMESTAMPTZ: Final = "timestamptz"
_TIMESTAMP_LOADER: Final = adapters.get_loader(adapters.types[_TIMESTAMPTZ].oid, Format.TEXT)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection with psycopg's timestamp loader."""

    # Names of the prepared statements of this connection: see `games.matches.store.fetch`.
    prepared: dict[str, bytes]

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:  # noqa: ANN401 -- psycopg's
        """Open a connection and register the loader."""
        connection = super().get_new_connection(conn_params)
        connection.adapters.register_loader(_TIMESTAMPTZ, _TIMESTAMP_LOADER)
        self.prepared = {}
        return connection

    def create_cursor(self, name: str | None = None) -> Any:  # noqa: ANN401 -- psycopg's
        """Create a cursor without Django's time zone handling, which registers its loader on each cursor."""
        if name is None:
            return self.connection.cursor()
        return self.connection.cursor(name, scrollable=False, withhold=self.connection.autocommit)
