"""A checkout on a desk: works with nothing set and nothing else installed.

A file `.env` beside manage.py may set what the environment does not.
"""

from pathlib import Path

from environ import Env

from haggis_service.settings.base import *  # noqa: F403  settings are inherited by importing them all
from haggis_service.settings.base import ROOT
from haggis_service.settings.base import VAR as USUAL_PLACE
from haggis_service.settings.databases import database
from haggis_service.settings.secret_key import kept_secret_key

Env.read_env(ROOT / ".env")
env = Env()

# Where everything is kept that has to outlive the process.
VAR = Path(env.str("HAGGIS_DATA", default=str(USUAL_PLACE)))

DEBUG = env.bool("DEBUG", default=True)
SECRET_KEY = kept_secret_key(VAR / "secret_key")
ALLOWED_HOSTS = env.list("HAGGIS_ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])

HAGGIS_SITE_ADDRESS = env.str("HAGGIS_SITE_ADDRESS", default="http://localhost:8000")
DATABASES = {"default": database(env.str("DATABASE_URL", default=f"sqlite:///{VAR / 'haggis.sqlite3'}"))}
