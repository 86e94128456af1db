"""Validation of the production settings."""

import ipaddress
import re
from importlib.util import find_spec

from django.core.exceptions import ImproperlyConfigured
from environ import Env

from haggis_service.settings.limits import limits

SECRET_KEY_LENGTH = 50
SECRET_KEY_VARIETY = 10
METRICS_TOKEN_LENGTH = 32
# 32 bytes in base64url, as `manage.py push_key` prints them.
_PUSH_KEY = re.compile(r"[A-Za-z0-9_-]{43}")
# What every push service accepts.
_PUSH_CONTACT = re.compile(r"mailto:[^@\s]+@[\w-]+(\.[\w-]+)+|https://[\w-]+(\.[\w-]+)+")


def refuse_unsafe_settings(env: Env) -> None:
    """Raise `ImproperlyConfigured` with a list of all missing or unsafe settings."""
    problems = [problem for check in CHECKS if (problem := check(env))]
    if problems:
        lines = "\n".join(f"  - {problem}" for problem in problems)
        message = f"The service does not start in production with these settings:\n{lines}"
        raise ImproperlyConfigured(message)


def _secret_key(env: Env) -> str | None:
    key = env.str("HAGGIS_SECRET_KEY", default="")
    if not key:
        return (
            "HAGGIS_SECRET_KEY is not set. It signs sessions: give it a long random value and keep it secret."
        )
    if len(key) < SECRET_KEY_LENGTH or len(set(key)) < SECRET_KEY_VARIETY:
        return (
            f"HAGGIS_SECRET_KEY is too easy to guess. It needs {SECRET_KEY_LENGTH} random characters or more."
        )
    return None


def _allowed_hosts(env: Env) -> str | None:
    hosts = env.list("HAGGIS_ALLOWED_HOSTS", default=[])
    if not hosts:
        return (
            "HAGGIS_ALLOWED_HOSTS is not set. Set it to the host names of the service, separated by commas."
        )
    if "*" in hosts:
        return "HAGGIS_ALLOWED_HOSTS is '*', which lets any client choose the host of links in mails."
    return None


def _database(env: Env) -> str | None:
    if not env.str("DATABASE_URL", default=""):
        return "DATABASE_URL is not set. Set it to the database, as in postgres://user:password@host/name."
    return None


def _redis(env: Env) -> str | None:
    if not env.str("REDIS_URL", default=""):
        return "REDIS_URL is not set. Set it to the Redis server, as in redis://host:6379/0."
    return None


def _debug(env: Env) -> str | None:
    if env.bool("DEBUG", default=False):
        return "DEBUG is set. Error pages would show internals of the service to anybody."
    return None


def _metrics(env: Env) -> str | None:
    token = env.str("HAGGIS_METRICS_TOKEN", default="")
    if token and len(token) < METRICS_TOKEN_LENGTH:
        return (
            f"HAGGIS_METRICS_TOKEN is too easy to guess. It needs {METRICS_TOKEN_LENGTH} characters or more."
        )
    try:
        for network in env.list("HAGGIS_METRICS_ADDRESSES", default=[]):
            ipaddress.ip_network(network)
    except ValueError as error:
        return f"HAGGIS_METRICS_ADDRESSES is invalid: {error}."
    return None


def _proxies(env: Env) -> str | None:
    if not env.str("HAGGIS_TRUSTED_PROXIES", default="0").isdigit():
        return "HAGGIS_TRUSTED_PROXIES is not a number. Set it to the number of your proxies."
    return None


def _limits(env: Env) -> str | None:
    try:
        limits(env)
    except ValueError:
        return "A HAGGIS_LIMIT_... is invalid. The format is requests/seconds, as in 600/60."
    return None


def _webhooks(env: Env) -> str | None:
    if env.bool("HAGGIS_WEBHOOKS_LOCAL", default=False):
        return "HAGGIS_WEBHOOKS_LOCAL is set. Any player could send requests to this machine itself."
    return None


def _push(env: Env) -> str | None:
    key = env.str("HAGGIS_PUSH_KEY", default="")
    if key and not _PUSH_KEY.fullmatch(key):
        return "HAGGIS_PUSH_KEY is not a valid key. `manage.py push_key` creates one."
    if key and find_spec("pywebpush") is None:
        return "HAGGIS_PUSH_KEY is set, but pywebpush is not installed. Install requirements-push.lock."
    contact = env.str("HAGGIS_PUSH_CONTACT", default="")
    if contact and not _PUSH_CONTACT.fullmatch(contact):
        return "HAGGIS_PUSH_CONTACT is invalid. Use mailto:somebody@example.com or https://example.com."
    return None


CHECKS = (
    _secret_key,
    _allowed_hosts,
    _database,
    _redis,
    _debug,
    _metrics,
    _proxies,
    _limits,
    _webhooks,
    _push,
)
