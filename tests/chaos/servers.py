"""Real servers that a test may kill: a PostgreSQL of its own, and web servers in processes of their own.

All of them listen on 127.0.0.1 alone, are ended by their ids, and may be started again on what they left.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

import psycopg

from tests.needs import postgresql_programs
from tests.ports import HOST, free_port

ROOT: Final = Path(__file__).parents[2]
START_TIMEOUT_SECONDS: Final = 180
KILL_TIMEOUT_SECONDS: Final = 20
# What is told to end takes as long as the machine lets it.
STOP_TIMEOUT_SECONDS: Final = 120
# A command may look at many thousand matches.
COMMAND_TIMEOUT_SECONDS: Final = 1800


def wait_for(description: str, condition: Callable[[], bool], seconds: float = START_TIMEOUT_SECONDS) -> None:
    """Ask until it is so."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{description}: not within {seconds} seconds")
        time.sleep(0.02)


def children_of(process_id: int) -> list[int]:
    """The processes that it has started, where the system tells."""
    try:
        children = Path(f"/proc/{process_id}/task/{process_id}/children").read_text()
    except FileNotFoundError:
        return []
    return [int(each) for each in children.split()]


@dataclass
class ManagedProcess:
    """A program in a process of its own. What it says is kept in a file."""

    command: list[str]
    log: Path
    environment: Mapping[str, str]
    user: str | None = None
    code: Path = ROOT
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; it may have been killed before."""
        as_user: dict[str, Any] = {}
        if self.user is not None:
            as_user = {"user": self.user, "group": self.user, "extra_groups": []}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.code if self.user is None else "/",
                env=dict(self.environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                **as_user,
            )

    def has_exited(self) -> bool:
        """Whether it ended without having been told to."""
        return self.process is not None and self.process.poll() is not None

    def kill(self) -> None:
        """End it at once and without its doing anything more, with all that it has started itself."""
        self.stop(signal.SIGKILL)

    def stop(self, signal_number: signal.Signals) -> None:
        """Signal it and wait for its end."""
        if self.process is None:
            return
        children = children_of(self.process.pid) if signal_number == signal.SIGKILL else []
        self.process.send_signal(signal_number)
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal_number)
        self.process.wait(KILL_TIMEOUT_SECONDS if signal_number == signal.SIGKILL else STOP_TIMEOUT_SECONDS)
        self.process = None


def minimal_environment(**more: str) -> dict[str, str]:
    """What every program needs, and nothing that the tests have set for themselves."""
    return {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ} | more


class Postgresql:
    """A PostgreSQL with a folder and a port of its own, writing through to the disk as it usually does."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"postgres://postgres@{HOST}:{self.port}/postgres"
        self.programs = postgresql_programs()
        # PostgreSQL refuses to run as root, and the user it runs as has no way into the folders of tests.
        self.user = "postgres" if os.geteuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="haggis_postgresql_"))
        if self.user:
            shutil.chown(self.folder, self.user, self.user)
        self._create_cluster()
        settings = {"listen_addresses": HOST, "unix_socket_directories": "", "fsync": "on"}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        self.running = ManagedProcess(
            [str(self.programs / "postgres"), "-D", str(self.data), "-p", str(self.port), *options],
            self.folder / "log",
            minimal_environment(),
            self.user,
        )

    @property
    def data(self) -> Path:
        """Where its tables are."""
        return self.folder / "data"

    def _create_cluster(self) -> None:
        initdb = [str(self.programs / "initdb"), "--pgdata", str(self.data), "--username=postgres"]
        initdb_process = ManagedProcess(
            [*initdb, "--auth=trust", "--no-sync", "--no-locale", "--encoding=UTF8"],
            self.folder / "log",
            minimal_environment(),
            self.user,
        )
        initdb_process.start()
        assert initdb_process.process is not None
        if initdb_process.process.wait(START_TIMEOUT_SECONDS) != 0:
            raise AssertionError(initdb_process.log.read_text())

    def start(self) -> None:
        """Start it, and wait until it lets somebody in. What was killed may take a moment to be gone."""
        wait_for("PostgreSQL", self._accepts_connections)

    def _accepts_connections(self) -> bool:
        if self.running.process is None or self.running.has_exited():
            self.running.start()
        try:
            self.connect().close()
        except psycopg.OperationalError:
            return False
        return True

    def process_id(self) -> int:
        """Its id while it runs."""
        assert self.running.process is not None
        return self.running.process.pid

    def connect(self) -> psycopg.Connection:
        """A connection whose statements are each a transaction."""
        return psycopg.connect(self.url, autocommit=True, connect_timeout=5)

    def kill(self) -> None:
        """End every process of it in the middle of whatever it does."""
        self.running.kill()

    def remove(self) -> None:
        """End it and delete what it stored."""
        self.running.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder)


class Service(Protocol):
    """Whatever answers at a port, and has its `manage.py`."""

    port: int

    def manage(self, *command: str) -> str:
        """What a command says."""


@dataclass
class Web:
    """The service in a process of its own, at one address however often it is started."""

    command: list[str]
    data: Path
    port: int
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Nothing runs yet."""
        self.running = ManagedProcess(self.command, self.data / "web.log", self._environment())

    def _environment(self) -> dict[str, str]:
        settings = {
            "DJANGO_SETTINGS_MODULE": "haggis_service.settings.development",
            "HAGGIS_DATA": str(self.data),
            "DEBUG": "false",
        }
        return minimal_environment(**settings, **self.environment)

    def manage(self, *command: str) -> str:
        """What a command of `manage.py` says about this server's database; it must succeed."""
        completed = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=COMMAND_TIMEOUT_SECONDS,
        )
        assert completed.returncode == 0, completed.stdout + completed.stderr
        return completed.stdout

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.running.start()
        wait_for("the web server", self._is_available)

    def _is_available(self) -> bool:
        if self.running.has_exited():
            raise AssertionError(self.running.log.read_text())
        try:
            with urllib.request.urlopen(f"http://{HOST}:{self.port}/api/v1/rulesets", timeout=20) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        self.running.kill()


def web_on_sqlite(data: Path) -> Web:
    """What `make run` starts: everything in one process."""
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--data", str(data)]
    return Web(command, data, port)


def web_on_postgresql(database: Postgresql, data: Path) -> Web:
    """A web server whose threads keep their connections to the database."""
    port = free_port()
    server = ["uvicorn", "--interface", "wsgi", "--host", HOST, "--port", str(port), "--no-access-log"]
    command = [sys.executable, "-m", *server, "haggis_service.wsgi:application"]
    return Web(command, data, port, {"DATABASE_URL": database.url})
