"""The servers of these tests: made for one test, killed by it, removed after it."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.chaos.servers import ROOT, Postgresql, Web, web_on_postgresql, web_on_sqlite
from tests.chaos.stack import Redis, Stack


@pytest.fixture
def postgresql_server() -> Iterator[Postgresql]:
    """A PostgreSQL of the test's own."""
    server = Postgresql()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def on_postgresql(postgresql_server: Postgresql, tmp_path: Path) -> Iterator[Web]:
    """The service on that PostgreSQL."""
    web = web_on_postgresql(postgresql_server, tmp_path)
    web.manage("migrate", "--verbosity", "0")
    try:
        web.start()
        yield web
    finally:
        web.kill()


@pytest.fixture
def redis_server() -> Iterator[Redis]:
    """A Redis of the test's own."""
    server = Redis()
    try:
        server.start()
        yield server
    finally:
        server.remove()


StartStack = Callable[..., Stack]


@pytest.fixture
def start_stack(postgresql_server: Postgresql, redis_server: Redis, tmp_path: Path) -> Iterator[StartStack]:
    """Start every process of production on these two: so many of each, with these settings."""
    started: list[Stack] = []

    def start(counts: Mapping[str, int] | None = None, code: Path = ROOT, **environment: str) -> Stack:
        stack = Stack(postgresql_server, redis_server, tmp_path, counts, code, **environment)
        started.append(stack)
        stack.start()
        return stack

    try:
        yield start
    finally:
        for stack in started:
            stack.stop()


@pytest.fixture
def on_sqlite(tmp_path: Path) -> Iterator[Web]:
    """The whole product in one process, on SQLite."""
    web = web_on_sqlite(tmp_path)
    try:
        web.start()
        yield web
    finally:
        web.kill()
