"""`manage.py serve` as it really runs: a process of its own, asked over HTTP, stopped by signals."""

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
from tests.ports import free_port

ROOT: Final = Path(__file__).parents[2]
SECONDS_TO_START: Final = 60
SECONDS_TO_STOP: Final = 20

pytestmark = pytest.mark.timeout(180)


class Serving:
    """A server in a process of its own."""

    def __init__(self, data: Path) -> None:
        self.port = free_port()
        usual = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(self.port), "--data", str(data)],
            cwd=ROOT,
            env=usual,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said = ""

    def wait(self) -> "Serving":
        assert self.process.stdout is not None
        while '$A}"' not in self.said:
            line = self.process.stdout.readline()
            assert line, self.said
            self.said += line
        return self

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"}
            | ({"Authorization": f"Bearer {token}"} if token else {}),
        )
        with urllib.request.urlopen(request, timeout=20) as response:  # noqa: S310 -- our own
            return json.load(response)

    def stop(self, how: signal.Signals) -> str:
        """Everything said on the way out."""
        self.process.send_signal(how)
        said, _ = self.process.communicate(timeout=SECONDS_TO_STOP)
        return str(said)


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


def until_finished(server: Serving, match_id: str) -> Any:
    table = server.ask("GET", f"matches/{match_id}")
    for _ in range(600):
        if table["status"] == "finished":
            return table
        time.sleep(0.1)
        table = server.ask("GET", f"matches/{match_id}")
    raise AssertionError(f"not finished at version {table['version']}")


def match_of_ais(server: Serving, rounds: int) -> str:
    token = server.ask("POST", "auth/guest")["token"]
    seats = [{"kind": "ai", "level": "easy"}] * 2
    body = {"ruleset": "classic", "rounds": rounds, "seats": seats}
    return str(server.ask("POST", "matches", body, token)["id"])


def test_the_first_match_plays_as_it_is_printed_and_an_interrupt_ends_all_in_peace(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        script = server.said[server.said.index("  H=") :]
        done = subprocess.run(
            ["/bin/bash", "-e", "-c", script], capture_output=True, text=True, timeout=60, check=True
        )
        answer = json.loads(done.stdout.splitlines()[-1])
        assert answer["move"]["by"] == "player"
        assert answer["match"]["you"]["seat"] == 0
        assert server.stop(signal.SIGINT) == ""
        assert server.process.returncode == 0


def test_what_a_killed_server_left_undone_the_next_one_does(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        match_id = match_of_ais(server, rounds=20)
        server.stop(signal.SIGKILL)
    with serving(tmp_path) as server:
        begun = server.ask("GET", f"matches/{match_id}")["version"]
        assert until_finished(server, match_id)["version"] >= begun
        assert server.stop(signal.SIGTERM) == ""
        assert server.process.returncode == 0


def test_who_thinks_for_a_while_goes_on_by_the_same_connection(tmp_path: Path) -> None:
    with serving(tmp_path) as server, closing(HTTPConnection("127.0.0.1", server.port, timeout=20)) as client:
        addresses = set()
        for seconds in (0, 7):
            time.sleep(seconds)
            client.request("GET", "/healthz")
            client.getresponse().read()
            assert client.sock is not None
            addresses.add(client.sock.getsockname())
    assert len(addresses) == 1


def wait_for_the_other(_: HttpRequest) -> HttpResponse:
    both_ask.wait()
    return HttpResponse("both")


both_ask = threading.Barrier(2, timeout=20)
urlpatterns = [path("both", wait_for_the_other)]


def test_requests_are_answered_side_by_side(settings: Settings) -> None:
    """Neither of these two is answered before the other is being answered."""
    settings.ROOT_URLCONF = __name__
    settings.MIDDLEWARE = []
    scope = {"type": "http", "method": "GET", "path": "/both", "headers": [], "query_string": b""}

    async def answer() -> int:
        communicator: Any = ApplicationCommunicator
        asked = communicator(get_asgi_application(), dict(scope))
        await asked.send_input({"type": "http.request", "body": b""})
        start, _ = await asked.receive_output(timeout=20), await asked.receive_output(timeout=20)
        await asked.wait(timeout=20)
        return int(start["status"])

    async def answers() -> list[int]:
        return list(await asyncio.gather(answer(), answer()))

    assert asyncio.run(answers()) == [200, 200]


def test_a_port_that_is_taken_is_said_so_and_nothing_is_started(tmp_path: Path) -> None:
    with listen(0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse, match=rf"Port {port} cannot be used"):
            listen(port)


def test_the_printed_lines_name_the_address_that_is_served(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert re.search(rf"http://127\.0\.0\.1:{server.port}/api/v1", server.said)
        assert (tmp_path / "haggis.sqlite3").exists()


def test_a_seed_may_be_given_after_the_anchor_was_shown_and_the_deals_are_proven(tmp_path: Path) -> None:
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
