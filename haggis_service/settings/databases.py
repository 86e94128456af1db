"""Database settings from a URL.

SQLite serves a single process from one file, PostgreSQL any number of processes. Nothing else is supported.
"""

from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

SQLITE_ENGINE = "haggis_service.sqlite"
POSTGRESQL_ENGINE = "haggis_service.postgresql"
# Transactions take the write lock when they begin (IMMEDIATE), so that two writers queue instead of failing
# half way. Readers never wait (WAL), and committed data survives a power loss (FULL).
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}

# psycopg prepares a statement on the server after five uses.
POSTGRESQL_OPTIONS = {
    "server_side_binding": True,
    "prepare_threshold": 5,
}
CONN_MAX_AGE_SECONDS = 600

# Time limits in PostgreSQL: a request that exceeds one is cancelled and answered as unavailable. Management
# commands that read all rows lift the statement timeout (games/management/base.py).
STATEMENT_TIMEOUT_SECONDS = 30
LOCK_TIMEOUT_SECONDS = 10
# Releases the locks of a process that hangs in the middle of a transaction.
IDLE_IN_TRANSACTION_TIMEOUT_SECONDS = 60


def database(address: str, *, statement_seconds: int = STATEMENT_TIMEOUT_SECONDS) -> dict[str, Any]:
    """Return Django's settings of a database for its URL; `statement_seconds=0` means no statement timeout.

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
    """Return the timeouts as command-line options of PostgreSQL."""
    seconds = {
        "statement_timeout": statement_seconds,
        "lock_timeout": LOCK_TIMEOUT_SECONDS,
        "idle_in_transaction_session_timeout": IDLE_IN_TRANSACTION_TIMEOUT_SECONDS,
    }
    return " ".join(f"-c {name}={value}s" for name, value in seconds.items())
