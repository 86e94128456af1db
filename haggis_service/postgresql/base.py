"""PostgreSQL as Django knows it, with moments read by the driver itself.

Django has its driver read each moment by a function of Python's, so that they come in whatever time zone it
is set to. Ours is UTC, and so is that of its connections, in which the driver reads them in a tenth of the
time: there are up to ten in each match that is read.
"""

from typing import Any, Final

from django.db.backends.postgresql import base
from psycopg import adapters
from psycopg.pq import Format

_TIMESTAMPTZ: Final = "timestamptz"
_TIMESTAMP_LOADER: Final = adapters.get_loader(adapters.types[_TIMESTAMPTZ].oid, Format.TEXT)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection of that kind."""

    # The names under which statements are prepared on this connection: `games.matches.store.fetch`.
    prepared: dict[str, bytes]

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:  # noqa: ANN401 -- the driver's
        """Have moments read as the driver does."""
        connection = super().get_new_connection(conn_params)
        connection.adapters.register_loader(_TIMESTAMPTZ, _TIMESTAMP_LOADER)
        self.prepared = {}
        return connection

    def create_cursor(self, name: str | None = None) -> Any:  # noqa: ANN401 -- the driver's
        """A cursor of the connection as it is; Django would see to its time zone here."""
        if name is None:
            return self.connection.cursor()
        return self.connection.cursor(name, scrollable=False, withhold=self.connection.autocommit)
