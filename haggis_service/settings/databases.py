"""How the service talks to a database, given its address.

SQLite serves a whole product from one file, PostgreSQL any number of processes. No other is supported.
"""

from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

SQLITE_ENGINE = "haggis_service.sqlite"
POSTGRESQL_ENGINE = "haggis_service.postgresql"
# A writer takes the lock when its transaction begins, so that two of them queue instead of failing half way.
# Readers are never held up (WAL), and what was acknowledged survives a loss of power (FULL).
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}

# Statements are prepared on the server once they have been used a few times.
POSTGRESQL_OPTIONS = {
    "server_side_binding": True,
    "prepare_threshold": 5,
}
CONN_MAX_AGE_SECONDS = 600

# No request may hold the database for long: what takes more is broken off and answered as unavailable.
# Commands that go through everything lift the first of these (games/management/patience.py).
STATEMENT_TIMEOUT_SECONDS = 30
LOCK_TIMEOUT_SECONDS = 10
# A process that stops in the middle of a transaction does not keep its locks for ever.
IDLE_IN_TRANSACTION_TIMEOUT_SECONDS = 60


def database(address: str, *, statement_seconds: int = STATEMENT_TIMEOUT_SECONDS) -> dict[str, Any]:
    """Make Django's settings of one database from its address. With 0 a statement may take any time.

    >>> database("sqlite:////srv/haggis.sqlite3")["OPTIONS"]["transaction_mode"]
    'IMMEDIATE'
    >>> database("postgres://haggis@db/haggis")["CONN_MAX_AGE"]
    600
    """
    settings: dict[str, Any] = dict(environ.Env.db_url_config(address))
    match settings.get("ENGINE"):
        case "django.db.backends.sqlite3":
            settings["ENGINE"] = SQLITE_ENGINE
            settings["OPTIONS"] = SQLITE_OPTIONS | settings.get("OPTIONS", {})
        case "django.db.backends.postgresql":
            settings["ENGINE"] = POSTGRESQL_ENGINE
            limits = {"options": _limits(statement_seconds)}
            settings["OPTIONS"] = POSTGRESQL_OPTIONS | limits | settings.get("OPTIONS", {})
            settings["CONN_MAX_AGE"] = CONN_MAX_AGE_SECONDS
        case other:
            message = f"DATABASE_URL must begin with sqlite: or postgres:, this one is for {other!r}."
            raise ImproperlyConfigured(message)
    return settings


def _limits(statement_seconds: int) -> str:
    """How long PostgreSQL waits for what, as its command line says it."""
    seconds = {
        "statement_timeout": statement_seconds,
        "lock_timeout": LOCK_TIMEOUT_SECONDS,
        "idle_in_transaction_session_timeout": IDLE_IN_TRANSACTION_TIMEOUT_SECONDS,
    }
    return " ".join(f"-c {name}={value}s" for name, value in seconds.items())
