"""Start every process of the image, each as its user, and let AIs play a match on PostgreSQL and Redis.

The processes have what Docker Compose gives them: the service role, passwords for both servers, secrets in
files. Isolation is that of `chroot`: containers share the network and the processes of this machine.
"""

import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from haggis_service.stack.processes import PROCESSES
from tests.support.processes import Postgresql, Redis, children_of, wait_for
from tests.support.requirements import HOST, free_port
from tools.buildah import ROOT, Buildah, ImageError

USER_ID: Final = 10001
SERVICE_ROLE: Final = "haggis_service"
STOP_TIMEOUT_SECONDS: Final = 20
# Fails if the engine is not compiled, or if the user of the service could change the code that it runs.
INSPECT: Final = """
import engine.cards.hand, os
assert engine.cards.hand.__file__.endswith(".so"), "the engine is not compiled"
writable = [path for path in ("/srv/haggis", "/opt/haggis", "/etc", "/usr/bin") if os.access(path, os.W_OK)]
assert not writable, f"writable: {writable}"
"""


def check_image(buildah: Buildah, image: str) -> None:
    """Raise `ImageError` if a process of the image does not work."""
    begun = time.monotonic()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        container = stack.enter_context(_container(buildah, image))
        environment = stack.enter_context(_servers(folder))
        image_run = _Runner(buildah, container, folder, environment)
        image_run.once("python", "manage.py", "check", "--deploy", "--fail-level", "WARNING")
        image_run.once("python", "-c", INSPECT)
        image_run.migrate()
        ports = {process.name: free_port() for process in PROCESSES if process.listens}
        for process in PROCESSES:
            command = process.command_at(HOST, ports.get(process.name, 0))
            stack.enter_context(image_run.process(process.name, command))
        for name, port in ports.items():
            wait_for(f"{name} of the image", lambda port=port: _is_healthy(port, "healthz"))  # type: ignore[misc]
        wait_for("the whole service of the image", lambda: _is_healthy(ports["web"], "readyz"))
        wait_for("a match between AIs", _MatchOfAis(ports["web"]).is_finished)
        users = image_run.users()
    if users != {USER_ID}:
        raise ImageError(f"Processes of the image ran as the users {sorted(users)}.")
    seconds = time.monotonic() - begun
    sys.stdout.write(
        f"{len(PROCESSES)} kinds of processes ran as user {USER_ID}; AIs finished a match ({seconds:.0f} s)\n"
    )


@contextmanager
def _container(buildah: Buildah, image: str) -> Iterator[str]:
    container = buildah.run("from", image)
    try:
        yield container
    finally:
        buildah.run("rm", container)


@contextmanager
def _servers(folder: Path) -> Iterator[dict[str, str]]:
    """Start PostgreSQL and Redis with passwords; yield the variables of the service."""
    folder.chmod(0o755)
    secrets = folder / "secrets"
    subprocess.run([ROOT / "deploy" / "create_secrets.sh", secrets], check=True)
    secrets.chmod(0o755)  # a bind mount of Docker needs no access to the folder
    database, broker = Postgresql(), Redis()
    try:
        database.start()
        broker.start()
        with broker.client() as client:
            client.config_set("requirepass", (secrets / "redis_password").read_text().strip())
        yield {
            "HAGGIS_SECRET_KEY_FILE": "/run/secrets/secret_key",
            "HAGGIS_ALLOWED_HOSTS": HOST,
            "HAGGIS_SITE_ADDRESS": f"http://{HOST}",
            "HAGGIS_BEHIND_TLS_PROXY": "true",
            "DATABASE_URL": f"postgres://{SERVICE_ROLE}@{HOST}:{database.port}/postgres",
            "DATABASE_PASSWORD_FILE": "/run/secrets/database_password",
            "REDIS_URL": broker.url,
            "REDIS_PASSWORD_FILE": "/run/secrets/redis_password",
            "HAGGIS_LOG_LEVEL": "WARNING",
        }
    finally:
        broker.remove()
        database.remove()


class _Runner:
    """Runs commands in the container, as the user and with the environment of the image."""

    def __init__(self, buildah: Buildah, container: str, folder: Path, environment: dict[str, str]) -> None:
        self._buildah = buildah
        self._container = container
        self._folder = folder
        self._environment = environment
        self._running: list[subprocess.Popen[bytes]] = []

    def _command(self, command: Sequence[str], environment: dict[str, str]) -> list[str]:
        variables = [part for name, value in environment.items() for part in ("--env", f"{name}={value}")]
        secrets = ("--volume", f"{self._folder / 'secrets'}:/run/secrets:ro")
        return [
            *self._buildah.command,
            "run",
            "--network",
            "host",
            *secrets,
            *variables,
            self._container,
            "--",
            *command,
        ]

    def once(self, *command: str, **environment: str) -> None:
        """Run a command to its end."""
        completed = subprocess.run(
            self._command(command, self._environment | environment),
            env=self._buildah.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if completed.returncode != 0:
            raise ImageError(f"{' '.join(command)[:200]} failed in the image:\n{completed.stderr[-3000:]}")

    def migrate(self) -> None:
        """Migrate as the owner of the tables, and create the role of the service."""
        owner = self._environment["DATABASE_URL"].replace(SERVICE_ROLE, "postgres")
        role = (
            "--service-role",
            SERVICE_ROLE,
            "--service-role-password-file",
            "/run/secrets/database_password",
        )
        self.once("python", "manage.py", "migrate", "--no-input", *role, DATABASE_URL=owner)

    @contextmanager
    def process(self, name: str, command: Sequence[str]) -> Iterator[None]:
        """Run a process until the end of the block."""
        log = self._folder / f"{name}.log"
        with log.open("wb") as output:
            running = subprocess.Popen(
                self._command(command, self._environment),
                env=self._buildah.environment,
                stdout=output,
                stderr=output,
            )
        self._running.append(running)
        try:
            yield
            if running.poll() is not None:
                raise ImageError(f"{name} of the image has ended:\n{log.read_text()[-3000:]}")
        finally:
            running.terminate()
            running.wait(STOP_TIMEOUT_SECONDS)

    def users(self) -> set[int]:
        """Return the user ids of all processes in the containers."""
        found: set[int] = set()
        for running in self._running:
            waiting = children_of(running.pid)
            while waiting:
                process = waiting.pop()
                waiting += children_of(process)
                if not Path(f"/proc/{process}/cmdline").read_text().startswith("buildah"):
                    status = Path(f"/proc/{process}/status").read_text()
                    found.add(int(status.partition("\nUid:")[2].split()[0]))
        return found


class _MatchOfAis:
    """A match between two AIs, which a guest creates."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._token = self._request("POST", "auth/guest", {})["token"]
        seats = [{"kind": "ai", "level": "easy"}] * 2
        self._id = self._request("POST", "matches", {"ruleset": "classic", "rounds": 1, "seats": seats})["id"]

    def is_finished(self) -> bool:
        return bool(self._request("GET", f"matches/{self._id}")["status"] == "finished")

    def _request(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 -- JSON
        headers = {"Content-Type": "application/json", "X-Forwarded-Proto": "https"}
        if hasattr(self, "_token"):
            headers["Authorization"] = f"Bearer {self._token}"
        content = None if body is None else json.dumps(body).encode()
        url = f"http://{HOST}:{self._port}/api/v1/{path}"
        request = urllib.request.Request(url, content, headers, method=method)
        with urllib.request.urlopen(request, timeout=20) as response:  # noqa: S310 -- its own server
            return json.load(response)


def _is_healthy(port: int, probe: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://{HOST}:{port}/{probe}", timeout=20) as response:
            return bool(response.status == 200)  # noqa: PLR2004 -- OK
    except OSError:
        return False
