"""Settings for production: they come from environment variables, and unsafe values are refused."""

from pathlib import Path

from environ import Env

from haggis_service.settings import clocks
from haggis_service.settings.base import *  # noqa: F403  settings are inherited by importing them all
from haggis_service.settings.base import VAR
from haggis_service.settings.caches import redis_cache
from haggis_service.settings.databases import STATEMENT_TIMEOUT_SECONDS, database
from haggis_service.settings.limits import (
    MAX_AI_MATCHES,
    MAX_AI_MATCHES_GUEST,
    MAX_MATCHES,
    MAX_OPEN_MATCHES,
    MAX_ROUNDS_A_DAY,
    limits,
    mail_limits,
)
from haggis_service.settings.logs import logging_settings
from haggis_service.settings.queues import celery_settings
from haggis_service.settings.safety import refuse_unsafe_settings
from haggis_service.settings.secret_files import load_secret_files

env = Env()
load_secret_files(env)
refuse_unsafe_settings(env)

SECRET_KEY = env.str("HAGGIS_SECRET_KEY")
ALLOWED_HOSTS = env.list("HAGGIS_ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = env.list("HAGGIS_TRUSTED_ORIGINS", default=[])

STATEMENT_TIMEOUT = env.int("HAGGIS_STATEMENT_SECONDS", default=STATEMENT_TIMEOUT_SECONDS)
DATABASES = {"default": database(env.str("DATABASE_URL"), statement_seconds=STATEMENT_TIMEOUT)}
CACHES = {"default": redis_cache(env.str("REDIS_URL"))}
vars().update(celery_settings(env.str("CELERY_BROKER_URL", default=env.str("REDIS_URL"))))

# `manage.py collectstatic` writes them there, with a hash of their content in their names.
HAGGIS_EXPORTS_DIR = Path(env.str("HAGGIS_EXPORTS_DIR", default=str(VAR / "exports")))
HAGGIS_EXPORTS_ACCEL = env.str("HAGGIS_EXPORTS_ACCEL", default="")
STATIC_ROOT = Path(env.str("HAGGIS_STATIC_ROOT", default=str(VAR / "static")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "haggis_service.static_files.HashedStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = False

LOGGING = logging_settings(
    env.str("HAGGIS_LOG_FORM", default="json"), env.str("HAGGIS_LOG_LEVEL", default="INFO")
)

HAGGIS_ADMIN_PATH = env.str("HAGGIS_ADMIN_PATH", default="admin/")
HAGGIS_ADMIN_HOSTS = env.list("HAGGIS_ADMIN_HOSTS", default=[])

HAGGIS_LIMITS = limits(env)
HAGGIS_MAIL_LIMITS = mail_limits(env)
HAGGIS_MOST_OPEN_MATCHES = env.int("HAGGIS_MOST_OPEN_MATCHES", default=MAX_OPEN_MATCHES)
HAGGIS_MOST_MATCHES = env.int("HAGGIS_MOST_MATCHES", default=MAX_MATCHES)
HAGGIS_MOST_AI_MATCHES = env.int("HAGGIS_MOST_AI_MATCHES", default=MAX_AI_MATCHES)
HAGGIS_MOST_AI_MATCHES_GUEST = env.int("HAGGIS_MOST_AI_MATCHES_GUEST", default=MAX_AI_MATCHES_GUEST)
HAGGIS_MOST_ROUNDS_A_DAY = env.int("HAGGIS_MOST_ROUNDS_A_DAY", default=MAX_ROUNDS_A_DAY)
HAGGIS_GUEST_BAN_HOURS = env.int("HAGGIS_GUEST_BAN_HOURS", default=24)
HAGGIS_VACATION_DAYS = env.int("HAGGIS_VACATION_DAYS", default=clocks.HAGGIS_VACATION_DAYS)
HAGGIS_PAUSE_SECONDS = env.int("HAGGIS_PAUSE_SECONDS", default=clocks.HAGGIS_PAUSE_SECONDS)
HAGGIS_IDLE_MATCH_DAYS = env.int("HAGGIS_IDLE_MATCH_DAYS", default=clocks.HAGGIS_IDLE_MATCH_DAYS)
HAGGIS_OUTAGE_SECONDS = env.int("HAGGIS_OUTAGE_SECONDS", default=clocks.HAGGIS_OUTAGE_SECONDS)
HAGGIS_MOST_STREAMS = env.int("HAGGIS_MOST_STREAMS", default=10_000)
HAGGIS_MOST_STREAMS_EACH = env.int("HAGGIS_MOST_STREAMS_EACH", default=30)
HAGGIS_STREAM_THREADS = env.int("HAGGIS_STREAM_THREADS", default=4)
HAGGIS_NEWS_URL = env.str("HAGGIS_NEWS_URL", default=env.str("REDIS_URL"))
HAGGIS_TRUSTED_PROXIES = env.int("HAGGIS_TRUSTED_PROXIES", default=0)
HAGGIS_METRICS_TOKEN = env.str("HAGGIS_METRICS_TOKEN", default="")
HAGGIS_METRICS_ADDRESSES = env.list("HAGGIS_METRICS_ADDRESSES", default=[])
HAGGIS_AI_MILLISECONDS = env.int("HAGGIS_AI_MILLISECONDS", default=HAGGIS_AI_MILLISECONDS)  # noqa: F405
HAGGIS_ENGINE_MEGABYTES = env.int("HAGGIS_ENGINE_MEGABYTES", default=HAGGIS_ENGINE_MEGABYTES)  # noqa: F405
HAGGIS_TURN_MAIL_SECONDS = env.int("HAGGIS_TURN_MAIL_SECONDS", default=HAGGIS_TURN_MAIL_SECONDS)  # noqa: F405
HAGGIS_TURN_PUSH_SECONDS = env.int("HAGGIS_TURN_PUSH_SECONDS", default=HAGGIS_TURN_PUSH_SECONDS)  # noqa: F405
HAGGIS_WEBHOOK_PORTS = env.list("HAGGIS_WEBHOOK_PORTS", cast=int, default=HAGGIS_WEBHOOK_PORTS)  # noqa: F405
HAGGIS_SITE_ADDRESS = env.str("HAGGIS_SITE_ADDRESS", default=f"https://{ALLOWED_HOSTS[0].lstrip('.')}")

# No push messages are sent without a key.
HAGGIS_PUSH_KEY = env.str("HAGGIS_PUSH_KEY", default="")
HAGGIS_PUSH_CONTACT = env.str("HAGGIS_PUSH_CONTACT", default="") or f"https://{ALLOWED_HOSTS[0].lstrip('.')}"

# smtp+tls://user:password@host:587. Without it no mail is sent, not even to a log: mails contain secrets.
vars().update(env.email("EMAIL_URL", default="dummymail://"))
DEFAULT_FROM_EMAIL = env.str("HAGGIS_MAIL_FROM", default=f"Haggis <haggis@{ALLOWED_HOSTS[0].lstrip('.')}>")

# Browsers are redirected to HTTPS and remember it (HSTS). HAGGIS_BEHIND_TLS_PROXY makes the service trust
# X-Forwarded-Proto, for a proxy that terminates TLS and drops this header from client requests.
SECURE_SSL_REDIRECT = True
SECURE_HSTS_SECONDS = env.int("HAGGIS_HSTS_SECONDS", default=365 * 24 * 3600)
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
if env.bool("HAGGIS_BEHIND_TLS_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
