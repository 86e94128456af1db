"""Skip or fail tests whose servers are missing, and find free ports."""

import shutil
import socket
import sysconfig
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import SystemRandom
from typing import Final

import psycopg
import pytest
import redis
from django.conf import settings

CONNECT_TIMEOUT_SECONDS = 3

# Mark tests of the whole stack with it.
needs_stack = pytest.mark.needs("postgresql-programs", "redis-server", "nginx")


def _postgresql() -> None:
    psycopg.connect(settings.POSTGRESQL_URL, connect_timeout=CONNECT_TIMEOUT_SECONDS).close()


def _redis() -> None:
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=CONNECT_TIMEOUT_SECONDS) as server:
        server.ping()


def _program(name: str) -> Callable[[], None]:
    def find() -> None:
        if shutil.which(name) is None:
            message = f"{name} is not on the PATH"
            raise FileNotFoundError(message)

    return find


def postgresql_programs() -> Path:
    """Return the folder with initdb and the other programs of PostgreSQL."""
    if (found := shutil.which("initdb")) is not None:
        return Path(found).resolve().parent
    packaged = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not packaged:
        message = "initdb is neither on the PATH nor in /usr/lib/postgresql"
        raise FileNotFoundError(message)
    return packaged[-1].parent


def _postgresql_programs() -> None:
    postgresql_programs()


def _compiler() -> None:
    _program("cc")()
    header = Path(sysconfig.get_path("include"), "Python.h")
    if not header.exists():
        message = f"{header} does not exist"
        raise FileNotFoundError(message)


def _nginx() -> None:
    # In Debian it is outside the PATH of ordinary users.
    if shutil.which("nginx", path="/usr/sbin:/usr/local/sbin") is None:
        _program("nginx")()


GSON: Final = Path("/usr/share/java/gson.jar")


def _kotlin() -> None:
    _program("kotlinc")()
    _program("java")()
    if not GSON.exists():
        message = f"{GSON} does not exist"
        raise FileNotFoundError(message)


PROBES: dict[str, Callable[[], None]] = {
    "postgresql": _postgresql,
    "postgresql-programs": _postgresql_programs,
    "redis": _redis,
    "node": _program("node"),
    "chromium": _program("chromium"),
    "compiler": _compiler,
    "redis-server": _program("redis-server"),
    "nginx": _nginx,
    "openssl": _program("openssl"),
    "java": _program("javac"),
    "jq": _program("jq"),
    "go": _program("go"),
    "kotlin": _kotlin,
}


@cache
def reason_unavailable(service: str) -> str | None:
    """Return why a service is not available, or `None` if it is.

    >>> reason_unavailable("abacus")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: a test can need postgresql, postgresql-programs, redis, ...; not 'abacus'
    """
    if service not in PROBES:
        message = f"a test can need {', '.join(PROBES)}; not {service!r}"
        raise ValueError(message)
    try:
        PROBES[service]()
    except (OSError, psycopg.Error, redis.RedisError) as error:
        return " ".join(str(error).split())
    return None


def parse_requirements(names: str) -> frozenset[str]:
    """Parse a list of required services.

    >>> sorted(parse_requirements(" redis,postgresql"))
    ['postgresql', 'redis']
    """
    services = frozenset(filter(None, (name.strip() for name in names.split(","))))
    if unknown := services - PROBES.keys():
        message = f"HAGGIS_REQUIRE names {', '.join(sorted(unknown))}; it can name {', '.join(PROBES)}"
        raise ValueError(message)
    return services


def skip_report(skips: Iterable[tuple[str, str]]) -> list[str]:
    """Summarize skipped tests, given pairs of service and test file, by service and file.

    >>> skip_report([("redis", "tests/a.py"), ("redis", "tests/a.py"), ("redis", "tests/b.py")])
    ['redis: 3 tests (tests/a.py 2, tests/b.py 1)']
    """
    files: dict[str, Counter[str]] = {}
    for service, file in skips:
        files.setdefault(service, Counter())[file] += 1
    return [_sentence(service, count) for service, count in sorted(files.items())]


def _sentence(service: str, count: Counter[str]) -> str:
    where = ", ".join(f"{file} {number}" for file, number in sorted(count.items()))
    return f"{service}: {count.total()} test{'s' * (count.total() != 1)} ({where})"


HOST: Final = "127.0.0.1"
_PORTS: Final = range(20_000, 32_000)


def free_port() -> int:
    """Return a random unused port: other tests look for one at the same time."""
    while True:
        port = SystemRandom().choice(_PORTS)
        with suppress(OSError), socket.create_server((HOST, port)):
            return port
