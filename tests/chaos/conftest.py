"""Servers that belong to one test, which may kill them; they are removed after it."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.support.processes import (
    ROOT,
    Postgresql,
    Redis,
    Stack,
    Web,
    serving,
    web_on_postgresql,
    web_on_sqlite,
)


@pytest.fixture
def postgresql_server() -> Iterator[Postgresql]:
    """Provide a PostgreSQL server for one test."""
    server = Postgresql()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def on_postgresql(postgresql_server: Postgresql, tmp_path: Path) -> Iterator[Web]:
    """Provide the service on that PostgreSQL server."""
    web = web_on_postgresql(postgresql_server, tmp_path)
    web.manage("migrate", "--verbosity", "0")
    with serving(web):
        yield web


@pytest.fixture
def redis_server() -> Iterator[Redis]:
    """Provide a Redis server for one test."""
    server = Redis()
    try:
        server.start()
        yield server
    finally:
        server.remove()


KILLS: Final = int(os.environ.get("HAGGIS_KILLS", "1"))
StartStack = Callable[..., Stack]
ONE_OF_EACH: Final = {"web": 1, "events": 1, "worker": 1, "worker-ai": 1, "beat": 1}


@pytest.fixture
def start_stack(postgresql_server: Postgresql, redis_server: Redis, tmp_path: Path) -> Iterator[StartStack]:
    """Return a function that starts every process of production with these servers."""
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
    """Provide the whole service in one process, on SQLite."""
    with serving(web_on_sqlite(tmp_path)) as web:
        yield web
