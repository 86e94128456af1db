"""Real servers that a test may kill: PostgreSQL, and web servers in subprocesses.

They listen on 127.0.0.1 only, are stopped by process id, and can be started again with their data.
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
# A graceful stop takes long on a busy machine.
STOP_TIMEOUT_SECONDS: Final = 120
# A command may process many thousand matches.
COMMAND_TIMEOUT_SECONDS: Final = 1800


def wait_for(description: str, condition: Callable[[], bool], seconds: float = START_TIMEOUT_SECONDS) -> None:
    """Poll until the condition is true."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{description}: not within {seconds} seconds")
        time.sleep(0.02)


def children_of(process_id: int) -> list[int]:
    """Return the child processes, where the kernel lists them."""
    try:
        children = Path(f"/proc/{process_id}/task/{process_id}/children").read_text()
    except FileNotFoundError:
        return []
    return [int(each) for each in children.split()]


@dataclass
class ManagedProcess:
    """A subprocess whose output is written to a file."""

    command: list[str]
    log: Path
    environment: Mapping[str, str]
    user: str | None = None
    code: Path = ROOT
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process, also after it was killed."""
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
        """Return whether the process has exited without having been stopped."""
        return self.process is not None and self.process.poll() is not None

    def kill(self) -> None:
        """Kill the process and its children."""
        self.stop(signal.SIGKILL)

    def stop(self, signal_number: signal.Signals) -> None:
        """Send a signal and wait until the process has exited."""
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
    """Return the environment that every program needs, without the variables of the tests."""
    return {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ} | more


class Postgresql:
    """A PostgreSQL server with its own data folder and port, and with fsync as usual."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"postgres://postgres@{HOST}:{self.port}/postgres"
        self.programs = postgresql_programs()
        # PostgreSQL refuses to run as root, and its user cannot read pytest's folders.
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
        """The data folder."""
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
        """Start the server and wait until it accepts connections, also after it was killed."""
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
        """Return the id of the running server."""
        assert self.running.process is not None
        return self.running.process.pid

    def connect(self) -> psycopg.Connection:
        """Open a connection in autocommit mode."""
        return psycopg.connect(self.url, autocommit=True, connect_timeout=5)

    def kill(self) -> None:
        """Kill all processes of the server."""
        self.running.kill()

    def remove(self) -> None:
        """Stop the server and delete its data."""
        self.running.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder)


class Service(Protocol):
    """Anything with a port and a `manage.py`."""

    port: int

    def manage(self, *command: str) -> str:
        """Run a command and return its output."""


@dataclass
class Web:
    """The service in a subprocess, on the same port after each start."""

    command: list[str]
    data: Path
    port: int
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Prepare the process without starting it."""
        self.running = ManagedProcess(self.command, self.data / "web.log", self._environment())

    def _environment(self) -> dict[str, str]:
        settings = {
            "DJANGO_SETTINGS_MODULE": "haggis_service.settings.development",
            "HAGGIS_DATA": str(self.data),
            "DEBUG": "false",
        }
        return minimal_environment(**settings, **self.environment)

    def manage(self, *command: str) -> str:
        """Run a management command on this server's database; return its output."""
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
        """Start the server and wait until it responds."""
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
        """Kill the server."""
        self.running.kill()


def web_on_sqlite(data: Path) -> Web:
    """Return the server of `make run`: everything in one process."""
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--data", str(data)]
    return Web(command, data, port)


def web_on_postgresql(database: Postgresql, data: Path) -> Web:
    """Return a web server with persistent database connections."""
    port = free_port()
    server = ["uvicorn", "--interface", "wsgi", "--host", HOST, "--port", str(port), "--no-access-log"]
    command = [sys.executable, "-m", *server, "haggis_service.wsgi:application"]
    return Web(command, data, port, {"DATABASE_URL": database.url})
