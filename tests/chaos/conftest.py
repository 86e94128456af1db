"""The servers of these tests: made for one test, killed by it, removed after it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.servers import Postgresql, Web, web_on_postgresql, web_on_sqlite


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
def on_sqlite(tmp_path: Path) -> Iterator[Web]:
    """The whole product in one process, on SQLite."""
    web = web_on_sqlite(tmp_path)
    try:
        web.start()
        yield web
    finally:
        web.kill()
