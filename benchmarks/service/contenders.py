"""The service and boardgame.io, each with its own PostgreSQL database and clients that make moves."""

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, Protocol

import psycopg

from benchmarks.builds import ROOT
from benchmarks.service.players import Table, play_concurrently
from benchmarks.service.processes import HOST, free_port, run_server

RIVAL: Final = Path(__file__).with_name("boardgame_io")
DATABASE: Final = f"haggis_bench_{os.getpid()}"
SERVER_CORE: Final = 0
MATCHES: Final = 4


class Contender(Protocol):
    """A running server with several matches."""

    server: int  # the id of its process

    def start_matches(self) -> None:
        """Start new matches and leave the previous ones."""

    def play(self, moves: int) -> None:
        """Make this many moves in each match, concurrently."""


class Haggis:
    """The web server of this project, as in production."""

    def __init__(self, server: int, port: int) -> None:
        self.server = server
        self._port = port
        self._tables: list[Table] = []

    def start_matches(self) -> None:
        """Start new matches, each between two new players."""
        for table in self._tables:
            table.close()
        self._tables = create_tables(self._port)

    def play(self, moves: int) -> None:
        """Make this many moves at each table."""
        play_concurrently(self._tables, moves)


class BoardgameIo:
    """The server of boardgame.io. A driver process with its clients takes commands line by line."""

    def __init__(self, server: int, driver: "subprocess.Popen[str]") -> None:
        self.server = server
        self._driver = driver

    def start_matches(self) -> None:
        """Start new matches."""
        self._send_command("begin")

    def play(self, moves: int) -> None:
        """Make this many moves in each match."""
        self._send_command(str(moves))

    def _send_command(self, command_line: str) -> None:
        stdin, stdout = self._driver.stdin, self._driver.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("The driver of boardgame.io has no pipes.")
        stdin.write(f"{command_line}\n")
        stdin.flush()
        reply = stdout.readline().strip()
        if reply != "done":
            raise RuntimeError(f"The driver of boardgame.io replied {reply!r}.")


@contextmanager
def haggis(database: str, tree: Path = ROOT) -> Iterator[Contender]:
    """Run the service from the sources in this folder."""
    with _haggis_server(database, DATABASE, tree) as (server, port):
        yield Haggis(server, port)


@contextmanager
def haggis_tables(database: str, name: str) -> Iterator[tuple[int, list[Table]]]:
    """Run the service on a database of this name; yield the server and its tables."""
    with _haggis_server(database, name, ROOT) as (server, port):
        yield server, create_tables(port)


def create_tables(port: int) -> list[Table]:
    """Create the matches."""
    return [Table(port) for _ in range(MATCHES)]


@contextmanager
def _haggis_server(database: str, name: str, tree: Path) -> Iterator[tuple[int, int]]:
    port = free_port()
    with _temporary_database(database, name) as address:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "haggis_service.settings.production",
            "HAGGIS_SECRET_KEY": secrets.token_urlsafe(50),
            "HAGGIS_ALLOWED_HOSTS": HOST,
            "HAGGIS_BEHIND_TLS_PROXY": "1",
            "HAGGIS_REDIS_WITHOUT_PASSWORD": "1",
            "HAGGIS_LOG_LEVEL": "WARNING",
            "DATABASE_URL": address,
            "REDIS_URL": "redis://127.0.0.1:6379/13",
            "HAGGIS_LIMIT_PLAYER": "1000000/60",
            "HAGGIS_LIMIT_ADDRESS": "1000000/60",
            "HAGGIS_LIMIT_ACCOUNTS": "1000000/60",
        }
        manage = [sys.executable, "manage.py"]
        for command in (["migrate", "--no-input", "-v", "0"], ["collectstatic", "--no-input", "-v", "0"]):
            subprocess.run([*manage, *command], env=environment, cwd=tree, check=True)  # noqa: S603 -- a fixed command
        command = [
            *(str(Path(sys.executable).with_name("granian")), "--interface", "wsgi", "--host", HOST),
            *("--port", str(port), "--workers", "1", "--blocking-threads", "4", "--no-ws"),
            *("--log-level", "warning", "haggis_service.wsgi:application"),
        ]
        url = f"http://{HOST}:{port}/healthz"
        with run_server(command, core=SERVER_CORE, url=url, env=environment, cwd=tree) as server:
            yield server, port


@contextmanager
def boardgame_io(database: str) -> Iterator[Contender]:
    """Run boardgame.io."""
    port = free_port()
    with ExitStack() as stack:
        address = stack.enter_context(_temporary_database(database, DATABASE))
        command = ["node", "server.cjs", str(port), address]
        url = f"http://{HOST}:{port}/games"
        server = stack.enter_context(run_server(command, core=SERVER_CORE, url=url, cwd=RIVAL))
        driver = stack.enter_context(
            subprocess.Popen(  # noqa: S603 -- a fixed command
                ["node", "driver.cjs", str(port), str(MATCHES)],  # noqa: S607 -- found on the PATH
                cwd=RIVAL,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        yield BoardgameIo(server, driver)
        if driver.stdin is not None:
            driver.stdin.close()


def copy_service_sources(tree: Path) -> None:
    """Copy the service beside a build of the engine (`benchmarks.builds`), to run with that engine."""
    for package in ("games", "haggis_service"):
        shutil.copytree(ROOT / package, tree / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "manage.py", tree)


@contextmanager
def _temporary_database(server: str, name: str) -> Iterator[str]:
    """Create a database for one run and drop it at the end."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield f"{server.rpartition('/')[0]}/{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
