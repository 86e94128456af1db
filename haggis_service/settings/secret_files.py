"""Secrets from files: NAME_FILE names a file that contains the value of NAME.

Orchestrators mount secrets as files (`secrets:` in docker-compose.yml), since environment variables are shown
by `docker inspect`, inherited by every child process and included in crash reports.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

from environ import Env

SECRETS: Final = (
    "HAGGIS_SECRET_KEY",
    "DATABASE_URL",
    "DATABASE_PASSWORD",
    "REDIS_URL",
    "REDIS_PASSWORD",
    "CELERY_BROKER_URL",
    "HAGGIS_NEWS_URL",
    "EMAIL_URL",
    "HAGGIS_METRICS_TOKEN",
    "HAGGIS_PUSH_KEY",
)
# The URLs that a separate password completes.
_PASSWORD_OF: Final = {
    "DATABASE_PASSWORD": ("DATABASE_URL",),
    "REDIS_PASSWORD": ("REDIS_URL", "CELERY_BROKER_URL", "HAGGIS_NEWS_URL"),
}


def load_secret_files(env: Env) -> None:
    """Replace NAME_FILE by NAME in the environment of `env`, and complete URLs with their passwords.

    An empty file leaves the value unset. A file that cannot be read is reported by `secret_file_problems`.
    """
    found = {name: text for name in SECRETS if (text := _read(env, name))}
    values = dict(env.ENVIRON) | found
    for password_name, names in _PASSWORD_OF.items():
        password = values.get(password_name, "")
        for name in names:
            if password and values.get(name):
                values[name] = add_password(values[name], password)
    env.ENVIRON = values


def add_password(address: str, password: str) -> str:
    """Return the URL with the password, unless it has one already.

    >>> add_password("postgres://haggis_service@db/haggis", "p@ss")
    'postgres://haggis_service:p%40ss@db/haggis'
    >>> add_password("redis://cache:6379/0", "secret")
    'redis://:secret@cache:6379/0'
    """
    parts = urlsplit(address)
    user, at, host = parts.netloc.rpartition("@")
    if not host or (at and ":" in user):
        return address
    return urlunsplit(parts._replace(netloc=f"{user}:{quote(password, safe='')}@{host}"))


def secret_file_problems(env: Env) -> Iterator[str]:
    """Yield what is wrong with the files that the environment names."""
    for name in SECRETS:
        path = env.str(f"{name}_FILE", default="")
        if not path:
            continue
        try:
            Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not text"
            yield f"{name}_FILE cannot be read: {reason}. Let the user of the service read {path}."


def _read(env: Env, name: str) -> str:
    path = env.str(f"{name}_FILE", default="")
    try:
        return Path(path).read_text(encoding="utf-8").strip() if path else ""
    except (OSError, UnicodeDecodeError):
        return ""
