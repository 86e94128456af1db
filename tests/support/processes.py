"""Start servers, workers and whole stacks for tests."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

import psycopg
import redis

from haggis_service.stack import proxy
from haggis_service.stack.__main__ import DEFAULT_ENVIRONMENT
from haggis_service.stack.processes import PROCESSES, WORKER_AI
from tests.support.requirements import HOST, free_port, postgresql_programs

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


@contextmanager
def serving(web: Web) -> Iterator[Web]:
    """Start a server, and kill it after the block."""
    try:
        web.start()
        yield web
    finally:
        web.kill()


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


SECRET_KEY: Final = "only for chaos, and as long as it has to be: 0123456789"
STACK_START_TIMEOUT_SECONDS: Final = 240.0
# These tests must not run into limits.
UNLIMITED: Final = {
    **{
        f"HAGGIS_LIMIT_{name}": "1000000/60"
        for name in ("PLAYER", "ADDRESS", "ACCOUNTS", "REFUSED", "REVOCATIONS", "ACTIONS", "ANALYSES")
    },
    "HAGGIS_MOST_OPEN_MATCHES": "100000",
    "HAGGIS_MOST_MATCHES": "100000",
    "HAGGIS_MOST_AI_MATCHES": "100000",
    "HAGGIS_MOST_ROUNDS_A_DAY": "10000000",
    "HAGGIS_MOST_AI_MATCHES_GUEST": "100000",
    "HAGGIS_LOG_FORM": "json",
    "HAGGIS_LOG_LEVEL": "INFO",
}


class Redis:
    """A Redis server with its own port and without persistence."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://{HOST}:{self.port}/0"
        self.folder = Path(tempfile.mkdtemp(prefix="haggis_redis_"))
        settings = ["--port", str(self.port), "--bind", HOST, "--save", "", "--dir", str(self.folder)]
        command = [shutil.which("redis-server") or "redis-server", *settings]
        self.running = ManagedProcess(command, self.folder / "log", minimal_environment())

    def start(self) -> None:
        """Start the server and wait until it responds."""
        self.running.start()
        wait_for("Redis", self._is_available)

    def _is_available(self) -> bool:
        try:
            with self.client() as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def client(self) -> redis.Redis:
        """Return a client with a short timeout."""
        return redis.Redis.from_url(self.url, socket_timeout=2)

    def flush(self) -> None:
        """Delete all keys."""
        with self.client() as client:
            client.flushall()

    def freeze(self) -> None:
        """Suspend the server: it accepts connections and does not respond."""
        self._send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Resume the server."""
        self._send_signal(signal.SIGCONT)

    def _send_signal(self, signal_number: signal.Signals) -> None:
        assert self.running.process is not None
        self.running.process.send_signal(signal_number)

    def kill(self) -> None:
        """Kill the server; its data is lost."""
        self.running.kill()

    def remove(self) -> None:
        """Stop the server, even if it is suspended, and delete its files."""
        if self.running.process is not None:
            self.resume()
        self.kill()
        shutil.rmtree(self.folder)


class Stack:
    """A number of each process. `port` is the port of the proxy, `code` the folder of the release."""

    def __init__(
        self,
        database: Postgresql,
        broker: Redis,
        folder: Path,
        counts: Mapping[str, int] | None = None,
        code: Path = ROOT,
        **environment: str,
    ) -> None:
        self.port, self.folder, self.code = free_port(), folder, code
        self.ports: dict[str, int] = {}
        programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = (
            minimal_environment()
            | DEFAULT_ENVIRONMENT
            | UNLIMITED
            | {
                "DATABASE_URL": database.url,
                "REDIS_URL": broker.url,
                "HAGGIS_SECRET_KEY": SECRET_KEY,
                "HAGGIS_STATIC_ROOT": str(folder / "static"),
                "PATH": programs,
                **environment,
            }
        )
        self.running = self._programs(counts or {})

    def _programs(self, counts: Mapping[str, int]) -> dict[str, ManagedProcess]:
        programs: dict[str, ManagedProcess] = {}
        ports: dict[str, list[int]] = {process.name: [] for process in PROCESSES}
        for process in PROCESSES:
            for number in range(1, counts.get(process.name, process.count) + 1):
                name, port = f"{process.name}.{number}", free_port()
                ports[process.name].append(port)
                self.ports |= {name: port} if process.listens else {}
                command = process.command_at(HOST, port)
                more = ["--hostname", f"{name}@{self.port}"] if "worker" in command else []
                if "HAGGIS_FAULTY_AI" in self.environment and process is WORKER_AI:
                    more += ["--include", "tests.chaos.faulty_ai"]
                log = self.folder / f"{name}.log"
                programs[name] = ManagedProcess([*command, *more], log, self.environment, code=self.code)
        command = proxy.write_config(self.folder / "proxy", port=self.port, ports=ports)
        programs["proxy"] = ManagedProcess(command, self.folder / "proxy.log", self.environment)
        return programs

    def manage(self, *command: str) -> str:
        """Run a management command on this database; return its output."""
        completed = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=self.code,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert completed.returncode == 0, completed.stdout + completed.stderr
        return completed.stdout

    def start(self) -> None:
        """Migrate, start all processes and wait until they respond."""
        self.prepare_release()
        for program in self.running.values():
            program.start()
        wait_for("the whole service", self.is_ready, STACK_START_TIMEOUT_SECONDS)

    def prepare_release(self) -> None:
        """Run what is needed once before a release starts."""
        (self.folder / "static").mkdir(exist_ok=True)
        self.manage("migrate", "--verbosity", "0")
        self.manage("collectstatic", "--no-input", "--verbosity", "0")

    def replace(self, name: str) -> None:
        """Restart one process gracefully with the current code."""
        program = self.running[name]
        program.stop(signal.SIGTERM)
        program.code = self.code
        program.start()
        if name in self.ports:
            wait_for(
                name, lambda: self._is_available(self.ports[name], "healthz"), STACK_START_TIMEOUT_SECONDS
            )

    def is_ready(self) -> bool:
        """Return whether /readyz reports ready."""
        for name, program in self.running.items():
            if program.has_exited():
                raise AssertionError(f"{name} has ended: {program.log.read_text()[-2000:]}")
        return self._is_available(self.port, "readyz")

    @staticmethod
    def _is_available(port: int, probe: str) -> bool:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{port}/{probe}", timeout=20) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def kill_and_start(self, name: str) -> None:
        """Kill one process with its children and start it again."""
        self.running[name].kill()
        self.running[name].start()

    def stop(self) -> None:
        """Kill all processes."""
        for program in self.running.values():
            program.kill()

    def logs(self, name: str) -> str:
        """Return the logs of one kind of process."""
        return "".join(
            program.log.read_text() for each, program in self.running.items() if each.startswith(name)
        )
