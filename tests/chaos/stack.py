"""Every process of production, to be started, killed and frozen by a test.

The commands are those of `make stack` and docker-compose.yml; PostgreSQL and Redis belong to the test.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import redis

from haggis_service.stack import proxy
from haggis_service.stack.__main__ import DEFAULT_ENVIRONMENT
from haggis_service.stack.processes import PROCESSES, WORKER_AI
from tests.chaos.servers import ROOT, ManagedProcess, Postgresql, minimal_environment, wait_for
from tests.ports import HOST, free_port

SECRET_KEY: Final = "only for chaos, and as long as it has to be: 0123456789"
# The proxy's `fail_timeout`, which counts in whole seconds, and some time to spare.
PROXY_RETRY_SECONDS: Final = 4.0
STACK_START_TIMEOUT_SECONDS: Final = 240.0
# These tests must not run into limits.
UNLIMITED: Final = {
    **{f"HAGGIS_LIMIT_{name}": "1000000/60" for name in ("PLAYER", "ADDRESS", "ACCOUNTS", "REFUSED")},
    "HAGGIS_MOST_OPEN_MATCHES": "100000",
    "HAGGIS_MOST_MATCHES": "100000",
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
                if "HAGGIS_ODD_AI" in self.environment and process is WORKER_AI:
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
            time.sleep(PROXY_RETRY_SECONDS)

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
