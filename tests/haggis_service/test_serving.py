"""`manage.py serve` as a subprocess, used over HTTP and stopped by signals."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.asgi import get_asgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path
from pytest_django import Settings

from haggis_service.serving.server import PortInUse, listen
from haggis_service.serving.startup_message import startup_message
from tests.support.requirements import free_port

ROOT: Final = Path(__file__).parents[2]
START_TIMEOUT_SECONDS: Final = 60
STOP_TIMEOUT_SECONDS: Final = 20

pytestmark = pytest.mark.timeout(180)


class Serving:
    """A server in a subprocess."""

    def __init__(self, data: Path) -> None:
        self.port = free_port()
        environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(self.port), "--data", str(data)],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.output = ""

    def wait(self) -> "Serving":
        assert self.process.stdout is not None
        while '$A}"' not in self.output:
            line = self.process.stdout.readline()
            assert line, self.output
            self.output += line
        return self

    def request_json(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"}
            | ({"Authorization": f"Bearer {token}"} if token else {}),
        )
        with urllib.request.urlopen(request, timeout=20) as response:  # noqa: S310 -- the server of this test
            return json.load(response)

    def stop(self, signal_number: signal.Signals) -> str:
        """Stop the server and return its remaining output."""
        self.process.send_signal(signal_number)
        output, _ = self.process.communicate(timeout=STOP_TIMEOUT_SECONDS)
        return str(output)


@contextmanager
def serving(data: Path) -> Iterator[Serving]:
    server = Serving(data)
    try:
        yield server.wait()
    finally:
        with suppress(ProcessLookupError):
            server.process.kill()
        server.process.wait()
        if server.process.stdout:
            server.process.stdout.close()


def wait_until_finished(server: Serving, match_id: str) -> Any:
    table = server.request_json("GET", f"matches/{match_id}")
    for _ in range(600):
        if table["status"] == "finished":
            return table
        time.sleep(0.1)
        table = server.request_json("GET", f"matches/{match_id}")
    raise AssertionError(f"not finished at version {table['version']}")


def create_ai_match(server: Serving, rounds: int) -> str:
    token = server.request_json("POST", "auth/guest")["token"]
    seats = [{"kind": "ai", "level": "easy"}] * 2
    body = {"ruleset": "classic", "rounds": rounds, "seats": seats}
    return str(server.request_json("POST", "matches", body, token)["id"])


def test_printed_commands_play_a_move_and_sigint_stops_the_server_cleanly(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        script = server.output[server.output.index("  H=") :]
        completed = subprocess.run(
            ["/bin/bash", "-e", "-c", script], capture_output=True, text=True, timeout=60, check=True
        )
        answer = json.loads(completed.stdout.splitlines()[-1])
        assert answer["move"]["by"] == "player"
        assert answer["match"]["you"]["seat"] == 0
        assert server.stop(signal.SIGINT) == ""
        assert server.process.returncode == 0


def test_restarted_server_finishes_matches_of_a_killed_one(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        match_id = create_ai_match(server, rounds=20)
        server.stop(signal.SIGKILL)
    with serving(tmp_path) as server:
        version = server.request_json("GET", f"matches/{match_id}")["version"]
        assert wait_until_finished(server, match_id)["version"] >= version
        assert server.stop(signal.SIGTERM) == ""
        assert server.process.returncode == 0


def test_idle_connection_stays_open_for_seven_seconds(tmp_path: Path) -> None:
    with serving(tmp_path) as server, closing(HTTPConnection("127.0.0.1", server.port, timeout=20)) as client:
        addresses = set()
        for seconds in (0, 7):
            time.sleep(seconds)
            client.request("GET", "/healthz")
            client.getresponse().read()
            assert client.sock is not None
            addresses.add(client.sock.getsockname())
    assert len(addresses) == 1


def wait_for_other_request(_: HttpRequest) -> HttpResponse:
    both_requests.wait()
    return HttpResponse("both")


both_requests = threading.Barrier(2, timeout=20)
urlpatterns = [path("both", wait_for_other_request)]


def test_requests_are_handled_concurrently(settings: Settings) -> None:
    """Each of the two requests is answered only while the other is in progress."""
    settings.ROOT_URLCONF = __name__
    settings.MIDDLEWARE = []
    scope = {"type": "http", "method": "GET", "path": "/both", "headers": [], "query_string": b""}

    async def answer() -> int:
        communicator: Any = ApplicationCommunicator
        communication = communicator(get_asgi_application(), dict(scope))
        await communication.send_input({"type": "http.request", "body": b""})
        start, _ = (
            await communication.receive_output(timeout=20),
            await communication.receive_output(timeout=20),
        )
        await communication.wait(timeout=20)
        return int(start["status"])

    async def answers() -> list[int]:
        return list(await asyncio.gather(answer(), answer()))

    assert asyncio.run(answers()) == [200, 200]


def test_port_in_use_is_an_error_before_anything_starts(tmp_path: Path) -> None:
    with listen(0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse, match=rf"Port {port} cannot be used"):
            listen(port)


def test_startup_message_has_the_url_and_data_is_in_the_given_folder(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert re.search(rf"http://127\.0\.0\.1:{server.port}/api/v1", server.output)
        assert (tmp_path / "haggis.sqlite3").exists()


def test_startup_message_says_whether_the_documentation_is_built() -> None:
    site = "http://127.0.0.1:8123"
    assert f"{site}/docs/." in startup_message(site, has_docs=True)
    assert "make docs" in startup_message(site, has_docs=False)


def test_late_seed_example_proves_the_deals(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        script = [sys.executable, "-S", "-I", str(ROOT / "examples" / "late_seed.py")]
        played = subprocess.run(
            [*script, f"http://127.0.0.1:{server.port}"],
            capture_output=True,
            text=True,
            check=False,
            timeout=150,
        )
    assert played.returncode == 0, played.stdout + played.stderr
    assert "proven" in played.stdout
