"""Settings for tests: SQLite, and PostgreSQL and Redis if these servers are available.

The names of test databases contain the process id, so that concurrent test runs do not collide.
"""

import os
import tempfile
from pathlib import Path

from environ import Env

from haggis_service.settings.base import *  # noqa: F403  settings are inherited by importing them all
from haggis_service.settings.databases import database

env = Env()
RUN = f"haggis_test_{os.getpid()}"

SECRET_KEY = "only for tests " * 5
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]

# A file, as in production: an in-memory database supports neither WAL nor two connections.
SQLITE_FILE = Path(tempfile.gettempdir()) / f"{RUN}.sqlite3"
POSTGRESQL_URL = env.str("HAGGIS_TEST_POSTGRESQL_URL", default="postgres://postgres@127.0.0.1:5432/postgres")
REDIS_URL = env.str("HAGGIS_TEST_REDIS_URL", default="redis://127.0.0.1:6379/15")

DATABASES = {
    "default": database(f"sqlite:///{SQLITE_FILE}") | {"TEST": {"NAME": str(SQLITE_FILE)}},
    "postgresql": database(POSTGRESQL_URL) | {"TEST": {"NAME": RUN, "DEPENDENCIES": []}},
}

HAGGIS_EXPORTS_DIR = Path(tempfile.gettempdir()) / f"{RUN}_exports"

HAGGIS_AI_MILLISECONDS = 10
# Every test client builds the middleware again; listing all static files each time would be slow.
WHITENOISE_AUTOREFRESH = True
HAGGIS_PUSH_KEY = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
