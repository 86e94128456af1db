"""Settings for a checkout: they need neither configuration nor other servers.

A file `.env` beside manage.py may set environment variables that are not set.
"""

from pathlib import Path

from environ import Env

from haggis_service.settings.base import *  # noqa: F403  settings are inherited by importing them all
from haggis_service.settings.base import HAGGIS_AI_WAIT_SECONDS as DEFAULT_AI_WAIT_SECONDS
from haggis_service.settings.base import MIDDLEWARE as BASE_MIDDLEWARE
from haggis_service.settings.base import ROOT
from haggis_service.settings.base import VAR as DEFAULT_VAR
from haggis_service.settings.databases import database
from haggis_service.settings.limits import configured_limits
from haggis_service.settings.logs import logging_settings
from haggis_service.settings.secret_key import load_or_create_secret_key

Env.read_env(ROOT / ".env")
env = Env()

# The folder of everything that outlives the process: the database and the secret key.
VAR = Path(env.str("HAGGIS_DATA", default=str(DEFAULT_VAR)))

HAGGIS_EXPORTS_DIR = Path(env.str("HAGGIS_EXPORTS_DIR", default=str(VAR / "exports")))
HAGGIS_EXPORTS_ACCEL = env.str("HAGGIS_EXPORTS_ACCEL", default="")

DEBUG = env.bool("DEBUG", default=True)
SECRET_KEY = load_or_create_secret_key(VAR / "secret_key")
ALLOWED_HOSTS = env.list("HAGGIS_ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])

HAGGIS_METRICS_TOKEN = env.str("HAGGIS_METRICS_TOKEN", default="")
HAGGIS_METRICS_ADDRESSES = env.list("HAGGIS_METRICS_ADDRESSES", default=["127.0.0.1", "::1"])
# `false` lets operators into the admin with a password alone, to try it on this machine.
HAGGIS_ADMIN_SECOND_FACTOR = env.bool("HAGGIS_ADMIN_SECOND_FACTOR", default=True)
HAGGIS_SITE_ADDRESS = env.str("HAGGIS_SITE_ADDRESS", default="http://localhost:8000")
# Several processes on this machine publish changed matches through this Redis server.
HAGGIS_NEWS_URL = env.str("HAGGIS_NEWS_URL", default="") or None
# Webhooks may be tried out with receivers on this machine.
HAGGIS_WEBHOOKS_LOCAL = env.bool("HAGGIS_WEBHOOKS_LOCAL", default=True)
HAGGIS_PUSH_KEY = env.str("HAGGIS_PUSH_KEY", default="")
HAGGIS_TURN_PUSH_SECONDS = env.int("HAGGIS_TURN_PUSH_SECONDS", default=HAGGIS_TURN_PUSH_SECONDS)
DATABASES = {"default": database(env.str("DATABASE_URL", default=f"sqlite:///{VAR / 'haggis.sqlite3'}"))}

# One worker thread serves all matches here and shares its process with the web server.
HAGGIS_AI_MILLISECONDS = env.int("HAGGIS_AI_MILLISECONDS", default=150)
# Full after a minute of play. A larger cache would grow for an hour without a noticeable gain.
HAGGIS_ENGINE_MEGABYTES = env.int("HAGGIS_ENGINE_MEGABYTES", default=16)
HAGGIS_AI_WAIT_SECONDS = env.float("HAGGIS_AI_WAIT_SECONDS", default=DEFAULT_AI_WAIT_SECONDS)

# No rate limits, except those that are set to try them out.
HAGGIS_LIMITS = configured_limits(env)
HAGGIS_MOST_AI_MATCHES = env.int("HAGGIS_MOST_AI_MATCHES", default=HAGGIS_MOST_AI_MATCHES)
HAGGIS_MOST_AI_MATCHES_GUEST = env.int("HAGGIS_MOST_AI_MATCHES_GUEST", default=HAGGIS_MOST_AI_MATCHES_GUEST)

# No proxy in front compresses responses.
MIDDLEWARE = [*BASE_MIDDLEWARE[:1], "haggis_service.serving.compression.compress", *BASE_MIDDLEWARE[1:]]

LOGGING = logging_settings(
    env.str("HAGGIS_LOG_FORM", default="text"),
    env.str("HAGGIS_LOG_LEVEL", default="WARNING"),
    debug=DEBUG,
)
