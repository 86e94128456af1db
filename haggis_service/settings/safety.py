"""What must be set, and how, before the service may face the world."""

from django.core.exceptions import ImproperlyConfigured
from environ import Env

SECRET_KEY_LENGTH = 50
SECRET_KEY_VARIETY = 10


def refuse_unless_safe(env: Env) -> None:
    """Refuse to start while anything is missing or unsafe, naming all of it at once."""
    faults = [fault for check in CHECKS if (fault := check(env))]
    if faults:
        lines = "\n".join(f"  - {fault}" for fault in faults)
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
        return "HAGGIS_ALLOWED_HOSTS is not set. Name the hosts that the service answers for, with commas."
    if "*" in hosts:
        return "HAGGIS_ALLOWED_HOSTS is '*', which lets anybody choose the host that links in mails lead to."
    return None


def _database(env: Env) -> str | None:
    if not env.str("DATABASE_URL", default=""):
        return "DATABASE_URL is not set. Name the database, as in postgres://user:password@host/name."
    return None


def _redis(env: Env) -> str | None:
    if not env.str("REDIS_URL", default=""):
        return "REDIS_URL is not set. Name the Redis server, as in redis://host:6379/0."
    return None


def _debug(env: Env) -> str | None:
    if env.bool("DEBUG", default=False):
        return "DEBUG is set. Pages of errors would show the inside of the service to anybody."
    return None


CHECKS = (_secret_key, _allowed_hosts, _database, _redis, _debug)
