"""The proxy sends what may wait to one kind of process, the rest to the other: a real nginx, two servers."""

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from games.errors import CODES
from haggis_service.stack import proxy
from tests.chaos.servers import Running, usual_environment, wait_for
from tests.ports import HOST, free_port

pytestmark = pytest.mark.needs("nginx")

Answer = http.client.HTTPResponse


class Told(BaseHTTPRequestHandler):
    """Says which server it is, and what it was told of the client."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        server: Any = self.server
        self.send_response(200)
        for name in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Request-ID", "Host"):
            self.send_header(f"Told-{name}", self.headers.get(name, ""))
        self.send_header("Content-Length", str(len(server.name)))
        self.end_headers()
        self.wfile.write(server.name)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the name it has there
        """Say nothing."""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Where the proxy listens; a third server is named that is not there."""
    folder: Path = tmp_path_factory.mktemp("proxy")
    servers = {name: ThreadingHTTPServer((HOST, 0), Told) for name in ("web", "events")}
    for name, server in servers.items():
        vars(server)["name"] = name.encode()
        threading.Thread(target=server.serve_forever, daemon=True).start()
    listening = free_port()
    ports = {name: [server.server_address[1]] for name, server in servers.items()}
    command = proxy.write_config(folder, port=listening, ports={**ports, "web": [*ports["web"], free_port()]})
    running = Running(command, folder / "log", usual_environment())
    running.begin()
    wait_for("the proxy", lambda: answers(listening))
    yield listening
    running.kill()
    for server in servers.values():
        server.shutdown()
        server.server_close()


def answers(port: int) -> bool:
    try:
        ask(port, "/")
    except OSError:
        return False
    return True


def ask(port: int, address: str, **headers: str) -> tuple[bytes, Answer]:
    connection = http.client.HTTPConnection(HOST, port, timeout=10)
    connection.request(
        "GET", address, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return body, answer


@pytest.mark.parametrize(
    "address",
    (
        "/api/v1/matches/m_1/events",
        "/api/v1/matches/m_1/events/",
        "/api/v1/matches/m_1/events?after=3",
        "/api/v1/me/events",
        "/api/v1/me/events?wait=0",
        "/api/v1/matches/m_1?wait=25&after=3",
        "/api/v1/matches/m_1/moves?after=3&wait=1",
        "/api/v1/matches/m_1?wait=0&wait=25",
        "/api/v1/matches/m_1?wait=%32%35",
    ),
)
def test_what_may_wait_goes_to_those_that_can(port: int, address: str) -> None:
    assert ask(port, address)[0] == b"events"


@pytest.mark.parametrize(
    "address",
    (
        "/",
        "/api/v1/matches",
        "/api/v1/matches/m_1",
        "/api/v1/matches/m_1/moves?after=25",
        "/api/v1/matches/m_1?wait=0",
        "/api/v1/matches/m_1?wait=",
        "/api/v1/matches/m_1?await=9",
        "/api/v1/events",
        "/healthz",
    ),
)
def test_the_rest_goes_to_the_quick_ones_also_while_one_of_them_is_down(port: int, address: str) -> None:
    assert {ask(port, address)[0] for _ in range(4)} == {b"web"}


def test_the_service_is_told_who_asked_and_cannot_be_told_otherwise(port: int) -> None:
    _, answer = ask(
        port, "/", X_Forwarded_For="192.0.2.1", X_Forwarded_Proto="http", Host="haggis.example:81"
    )
    assert answer.headers["Told-X-Forwarded-For"] == "192.0.2.1, 127.0.0.1"
    assert answer.headers["Told-X-Forwarded-Proto"] == "https"
    assert answer.headers["Told-Host"] == "haggis.example:81"


def test_every_request_has_an_id_its_own_or_a_new_one(port: int) -> None:
    assert (
        ask(port, "/", X_Request_ID="given-by-a-client")[1].headers["Told-X-Request-ID"]
        == "given-by-a-client"
    )
    assert len(ask(port, "/")[1].headers["Told-X-Request-ID"]) == 32


@pytest.mark.parametrize(
    ("request_line", "header", "status", "code"),
    (
        ("NONSENSE", "", 400, "bad_request"),
        ("GET /api/v1/matches/%zz HTTP/1.1", "", 400, "bad_request"),
        (f"GET /api/v1/matches?x={'x' * 20_000} HTTP/1.1", "", 400, "bad_request"),
        ("GET /api/v1/matches HTTP/1.1", f"X: {'x' * 40_000}", 400, "bad_request"),
        ("TRACE /api/v1/matches HTTP/1.1", "", 405, "method_not_allowed"),
        ("POST /api/v1/records/verify HTTP/1.1", "Content-Length: 6000000", 413, "body_too_large"),
    ),
)
def test_what_the_proxy_refuses_is_refused_in_the_usual_form(
    port: int, request_line: str, header: str, status: int, code: str
) -> None:
    lines = [request_line, "Host: haggis.example", *([header] if header else []), "", ""]
    with socket.create_connection((HOST, port), timeout=10) as connection:
        connection.sendall("\r\n".join(lines).encode())
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        problem = json.loads(answer.read())
    assert answer.status == problem["status"] == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert (problem["code"], problem["status"], problem["title"]) == (code, *CODES[code])


def test_while_nobody_answers_clients_are_told_so_in_the_usual_form(tmp_path: Path) -> None:
    listening = free_port()
    command = proxy.write_config(
        tmp_path, port=listening, ports={"web": [free_port()], "events": [free_port()]}
    )
    running = Running(command, tmp_path / "log", usual_environment())
    running.begin()
    try:
        wait_for("the proxy", lambda: answers(listening))
        for address in ("/api/v1/matches", "/api/v1/me/events", "/api/v1/matches/m_1?after=3&wait=5"):
            body, answer = ask(listening, address)
            assert answer.status == 503
            assert answer.headers["Content-Type"] == "application/problem+json"
            assert answer.headers["Retry-After"] == "2"
            assert b'"code":"unavailable"' in body
    finally:
        running.kill()
