"""A real nginx sends requests that may wait to one test server and all others to another."""

import gzip
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from games.core.errors import CODES
from haggis_service.stack import proxy
from tests.support.processes import ManagedProcess, minimal_environment, wait_for
from tests.support.requirements import HOST, free_port

pytestmark = pytest.mark.needs("nginx")

Response = http.client.HTTPResponse
LONG_JSON = json.dumps(["a card"] * 200).encode()


class EchoHandler(BaseHTTPRequestHandler):
    """Responds with the name of its server, and returns request headers as response headers."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        server: Any = self.server
        self.send_response(200)
        for name in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Request-ID", "Host"):
            self.send_header(f"Received-{name}", self.headers.get(name, ""))
        body = LONG_JSON if "long" in self.path else server.name
        if "long" in self.path:
            is_stream = "/events" in self.path
            self.send_header("Content-Type", "text/event-stream" if is_stream else "application/json")
            self.send_header("ETag", 'W/"tag"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- its name in the base class
        """Do not log."""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Provide the port of the proxy. One of its web servers does not exist."""
    folder: Path = tmp_path_factory.mktemp("proxy")
    servers = {name: ThreadingHTTPServer((HOST, 0), EchoHandler) for name in ("web", "events")}
    for name, server in servers.items():
        vars(server)["name"] = name.encode()
        threading.Thread(target=server.serve_forever, daemon=True).start()
    proxy_port = free_port()
    ports = {name: [server.server_address[1]] for name, server in servers.items()}
    command = proxy.write_config(
        folder, port=proxy_port, ports={**ports, "web": [*ports["web"], free_port()]}
    )
    running = ManagedProcess(command, folder / "log", minimal_environment())
    running.start()
    wait_for("the proxy", lambda: is_listening(proxy_port))
    yield proxy_port
    running.kill()
    for server in servers.values():
        server.shutdown()
        server.server_close()


def is_listening(port: int) -> bool:
    try:
        get(port, "/")
    except OSError:
        return False
    return True


def get(port: int, path: str, **headers: str) -> tuple[bytes, Response]:
    connection = http.client.HTTPConnection(HOST, port, timeout=10)
    connection.request(
        "GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return body, response


@pytest.mark.parametrize(
    "path",
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
def test_requests_that_may_wait_go_to_the_events_servers(port: int, path: str) -> None:
    assert get(port, path)[0] == b"events"


@pytest.mark.parametrize(
    "path",
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
def test_other_requests_go_to_the_web_servers_while_one_is_down(port: int, path: str) -> None:
    assert {get(port, path)[0] for _ in range(4)} == {b"web"}


def test_forwarded_headers_of_clients_are_not_trusted(port: int) -> None:
    _, response = get(
        port, "/", X_Forwarded_For="192.0.2.1", X_Forwarded_Proto="http", Host="haggis.example:81"
    )
    assert response.headers["Received-X-Forwarded-For"] == "192.0.2.1, 127.0.0.1"
    assert response.headers["Received-X-Forwarded-Proto"] == "https"
    assert response.headers["Received-Host"] == "haggis.example:81"


def test_request_id_is_passed_on_or_generated(port: int) -> None:
    assert (
        get(port, "/", X_Request_ID="given-by-a-client")[1].headers["Received-X-Request-ID"]
        == "given-by-a-client"
    )
    assert len(get(port, "/")[1].headers["Received-X-Request-ID"]) == 32


@pytest.mark.parametrize(
    ("request_line", "header", "status", "code"),
    (
        ("NONSENSE", "", 400, "bad_request"),
        ("GET /api/v1/matches/%zz HTTP/1.1", "", 400, "bad_request"),
        (f"GET /api/v1/matches?x={'x' * 20_000} HTTP/1.1", "", 400, "bad_request"),
        ("GET /api/v1/matches HTTP/1.1", f"X: {'x' * 40_000}", 400, "bad_request"),
        ("TRACE /api/v1/matches HTTP/1.1", "", 405, "method_not_allowed"),
        ("POST /api/v1/records/verify HTTP/1.1", "Content-Length: 6000000", 413, "body_too_large"),
        ("POST /api/v1/auth/token HTTP/1.1", "Content-Length: 65537", 413, "body_too_large"),
        ("GET /api/v1/me/events HTTP/1.1", "Content-Length: 2000", 413, "body_too_large"),
    ),
)
def test_proxy_rejects_requests_with_problem_documents(
    port: int, request_line: str, header: str, status: int, code: str
) -> None:
    lines = [request_line, "Host: haggis.example", *([header] if header else []), "", ""]
    with socket.create_connection((HOST, port), timeout=10) as connection:
        connection.sendall("\r\n".join(lines).encode())
        response = http.client.HTTPResponse(connection)
        response.begin()
        problem = json.loads(response.read())
    assert response.status == problem["status"] == status
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert (problem["code"], problem["status"], problem["title"]) == (code, *CODES[code])


@pytest.mark.parametrize(
    ("path", "size", "largest"),
    (("/api/v1/auth/token", 65_537, "65536"), ("/api/v1/records/verify/", 4_194_305, "4194304")),
)
def test_413_names_the_limit_of_the_route(port: int, path: str, size: int, largest: str) -> None:
    with _unfinished_request(port, path, size) as connection:
        response = http.client.HTTPResponse(connection)
        response.begin()
        assert largest in json.loads(response.read())["detail"]


def test_open_requests_of_one_client_are_limited(port: int) -> None:
    """Records that are still being sent are open requests; the limit for them is the lowest."""
    with ExitStack() as still_sending:
        for _ in range(8):
            still_sending.enter_context(_unfinished_request(port, "/api/v1/records/verify", 4_000_000))
        with _unfinished_request(port, "/api/v1/records/verify", 4_000_000) as connection:
            response = http.client.HTTPResponse(connection)
            response.begin()
            problem = json.loads(response.read())
        assert get(port, "/")[1].status == 200
    assert (response.status, problem["code"]) == (429, "rate_limited")
    assert response.headers["Retry-After"] == str(problem["retry_after"]) == "1"
    assert response.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    ("addresses", "status"),
    (
        ([f"2001:db8:1:2::{number}" for number in range(9)], 429),
        ([f"2001:db8:1:2:{number}:2:3:4" for number in range(9)], 429),
        ([f"2001:db8::{number}" for number in range(9)], 429),
        ([f"2001:db8:1:{number}::1" for number in range(9)], None),
        ([f"::ffff:192.0.2.{number}" for number in range(9)], None),
        ([f"192.0.2.{number}" for number in range(9)], None),
    ),
)
def test_an_ipv6_network_is_one_client(port: int, addresses: list[str], status: int | None) -> None:
    with ExitStack() as still_sending:
        *_, last = [
            still_sending.enter_context(
                _unfinished_request(port, "/api/v1/records/verify", 4_000_000, f"X-Forwarded-For: {address}")
            )
            for address in addresses
        ]
        last.settimeout(0.5)
        try:
            first_line = last.recv(13).decode()
        except TimeoutError:
            first_line = ""
    assert first_line == ("" if status is None else f"HTTP/1.1 {status} ")


def _unfinished_request(port: int, path: str, size: int, *lines: str) -> socket.socket:
    """Return a connection that has sent the head of a request and the beginning of its body."""
    connection = socket.create_connection((HOST, port), timeout=10)
    head = [f"POST {path} HTTP/1.1", "Host: x", f"Content-Length: {size}", *lines, "", " "]
    connection.sendall("\r\n".join(head).encode())
    return connection


def test_proxy_returns_503_problem_if_it_cannot_store_a_body(tmp_path: Path) -> None:
    proxy_port = free_port()
    ports = {"web": [free_port()], "events": [free_port()]}
    command = proxy.write_config(tmp_path, port=proxy_port, ports=ports)
    running = ManagedProcess(command, tmp_path / "log", minimal_environment())
    running.start()
    try:
        wait_for("the proxy", lambda: is_listening(proxy_port))
        (tmp_path / "body").rmdir()
        with _unfinished_request(proxy_port, "/api/v1/records/verify", 200_000) as connection:
            connection.sendall(b" " * 199_999)
            response = http.client.HTTPResponse(connection)
            response.begin()
            problem = json.loads(response.read())
    finally:
        running.kill()
    assert (response.status, problem["code"]) == (503, "unavailable")


def test_proxy_returns_503_problem_while_servers_are_down(tmp_path: Path) -> None:
    proxy_port = free_port()
    command = proxy.write_config(
        tmp_path,
        port=proxy_port,
        ports={"web": [free_port()], "events": [free_port()]},
        exports=str(tmp_path),
    )
    running = ManagedProcess(command, tmp_path / "log", minimal_environment())
    running.start()
    try:
        wait_for("the proxy", lambda: is_listening(proxy_port))
        for path in ("/api/v1/matches", "/api/v1/me/events", "/api/v1/matches/m_1?after=3&wait=5"):
            body, response = get(proxy_port, path)
            assert response.status == 503
            assert response.headers["Content-Type"] == "application/problem+json"
            assert response.headers["Retry-After"] == "2"
            assert b'"code":"unavailable"' in body
    finally:
        running.kill()


@pytest.mark.parametrize("accepted", ("gzip", "br, gzip;q=0.5", "identity"))
def test_json_is_compressed_if_the_client_accepts_it(port: int, accepted: str) -> None:
    body, response = get(port, "/api/v1/rulesets?long", Accept_Encoding=accepted)
    is_compressed = "gzip" in accepted
    assert response.getheader("Content-Encoding") == ("gzip" if is_compressed else None)
    assert (gzip.decompress(body) if is_compressed else body) == LONG_JSON
    assert response.getheader("ETag") == 'W/"tag"'
    assert response.getheader("Vary") == "Accept-Encoding"


def test_streams_are_not_compressed(port: int) -> None:
    body, response = get(port, "/api/v1/me/events?long", Accept_Encoding="gzip")
    assert (response.getheader("Content-Encoding"), body) == (None, LONG_JSON)


class _AllowDownload(BaseHTTPRequestHandler):
    """A server that lets the proxy send a file, as the service does."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("X-Accel-Redirect", "/protected-exports/month.parquet")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


def test_proxy_sends_files_that_the_service_allows_with_ranges(tmp_path: Path) -> None:
    exports, content = tmp_path / "exports", bytes(range(256)) * 100
    exports.mkdir()
    (exports / "month.parquet").write_bytes(content)
    web = ThreadingHTTPServer(("127.0.0.1", 0), _AllowDownload)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    port, upstream = free_port(), [web.server_address[1]]
    command = proxy.write_config(
        tmp_path, port=port, ports={"web": upstream, "events": upstream}, exports=str(exports)
    )
    running = ManagedProcess(command, tmp_path / "log", minimal_environment())
    running.start()
    try:
        wait_for("the proxy", lambda: is_listening(port))

        def download(path: str, **headers: str) -> tuple[int, bytes, str]:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            with closing(connection):
                return response.status, response.read(), response.getheader("ETag", "")

        status, whole, tag = download("/api/v1/exports/month.parquet")
        assert (status, whole, tag[:1]) == (200, content, '"')
        part = download("/api/v1/exports/month.parquet", **{"Range": "bytes=100-199", "If-Range": tag})
        assert part[:2] == (206, content[100:200])
        assert download("/protected-exports/month.parquet")[0] == 404
    finally:
        running.kill()
        web.shutdown()
        web.server_close()
