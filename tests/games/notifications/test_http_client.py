"""Requests to endpoints: pinned addresses, limits of time and size, no redirects."""

import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from games.notifications import http_client
from games.notifications.http_client import post
from tests.support.receiver import HOST, Receiver

BODY = b'{"type":"test"}'


def read_request(client: socket.socket) -> None:
    """Read the whole request. Closing a socket with unread data would reset the connection."""
    request = b""
    while not request.endswith(BODY):
        part = client.recv(65536)
        if not part:
            raise ConnectionError
        request += part


@contextmanager
def tcp_server(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    """Run a server that calls `answer` for each connection, and yield its port."""
    server = socket.create_server((HOST, 0))

    def serve() -> None:
        while True:
            try:
                client, _ = server.accept()
            except OSError:
                return
            with client:
                try:
                    read_request(client)
                    answer(client)
                except OSError:
                    pass

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield server.getsockname()[1]
    finally:
        server.close()


def test_post_sends_path_body_and_headers(receiver: Receiver) -> None:
    result = post(f"{receiver.url}?a=b", BODY, {"webhook-id": "msg_1"})
    assert (result.status, result.error, result.is_success) == (204, None, True)
    [received] = receiver.received
    assert (received.path, received.body, received.id) == ("/hook?a=b", BODY, "msg_1")
    assert received.headers["host"] == f"{HOST}:{receiver.port}"


@pytest.mark.parametrize("status", (301, 302, 303, 307, 308))
def test_redirect_is_a_failure_and_is_not_followed(receiver: Receiver, status: int) -> None:
    receiver.answer = lambda _: status
    result = post(receiver.url, BODY, {})
    assert (result.status, result.is_success) == (status, False)
    assert len(receiver.received) == 1


def test_loopback_is_forbidden_unless_enabled(receiver: Receiver, settings: Any) -> None:
    settings.HAGGIS_WEBHOOKS_LOCAL = False
    assert post(receiver.url, BODY, {}).error == "forbidden_address"
    assert post(f"https://localhost:{receiver.port}/", BODY, {}).error == "forbidden_address"
    assert receiver.received == []


def test_connection_uses_the_checked_address_despite_dns_rebinding(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    lookups: list[str] = []

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        lookups.append(host)
        address = HOST if len(lookups) == 1 else "10.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    url = f"http://bots.example:{receiver.port}/hook"
    assert post(url, BODY, {}).status == 204
    assert lookups == ["bots.example"]
    assert receiver.received[0].headers["host"] == f"bots.example:{receiver.port}"
    assert post(url, BODY, {}).error == "forbidden_address"
    assert len(receiver.received) == 1


def test_slow_response_times_out(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "TOTAL_TIMEOUT_SECONDS", 0.3)
    receiver.slow = 1.0
    started = time.monotonic()
    assert post(receiver.url, BODY, {}).error == "timeout"
    assert time.monotonic() - started < 0.9


def test_dripping_response_times_out(allow_loopback: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "TOTAL_TIMEOUT_SECONDS", 0.4)

    def drip(client: socket.socket) -> None:
        for letter in b"HTTP/1.1 100 Continue\r\nX: " + b"x" * 100:
            client.sendall(bytes([letter]))
            time.sleep(0.05)

    with tcp_server(drip) as port:
        started = time.monotonic()
        assert post(f"http://{HOST}:{port}/", BODY, {}).error == "timeout"
        assert time.monotonic() - started < 2


@pytest.mark.parametrize(
    "answer",
    (b"", b"hello", b"HTTP/2 200\r\n\r\n", b"HTTP/1.1 999 x\r\n", b"x" * 100_000, b"HTTP/1.1 100 C\r\n\r\n"),
)
def test_invalid_response_is_an_error(allow_loopback: None, answer: bytes) -> None:
    with tcp_server(lambda client: client.sendall(answer)) as port:
        assert post(f"http://{HOST}:{port}/", BODY, {}).error in {"no_http", "connection"}


def test_endless_response_is_not_read(allow_loopback: None) -> None:
    def endless(client: socket.socket) -> None:
        client.sendall(b"HTTP/1.1 200 OK\r\n")
        for _ in range(10_000):
            client.sendall(b"x" * 10_000)

    with tcp_server(endless) as port:
        started = time.monotonic()
        assert post(f"http://{HOST}:{port}/", BODY, {}).status == 200
        assert time.monotonic() - started < 2


def test_informational_response_is_skipped(allow_loopback: None) -> None:
    response = b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 201 Created\r\n\r\n"
    with tcp_server(lambda client: client.sendall(response)) as port:
        assert post(f"http://{HOST}:{port}/", BODY, {}).status == 201


@pytest.mark.parametrize("host", ("a..b", "x" * 64, ".".join(["x" * 63] * 4)))
def test_invalid_host_name_is_an_error(allow_loopback: None, host: str) -> None:
    assert post(f"https://{host}/", BODY, {}).error in {"unknown_host", "forbidden_address"}


def test_refused_connection_is_reported(allow_loopback: None) -> None:
    with socket.create_server((HOST, 0)) as server:
        port = server.getsockname()[1]
    assert post(f"http://{HOST}:{port}/", BODY, {}).error == "connection"


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a certificate for bots.example that the HTTP client trusts."""
    path, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=bots"]
    names = ["-addext", "subjectAltName=DNS:bots.example", "-keyout", str(key), "-out", str(path)]
    subprocess.run([*command, *names], check=True, capture_output=True, timeout=60)
    context = ssl.create_default_context(cafile=str(path))
    monkeypatch.setattr(http_client, "_tls_context", lambda: context)
    return path


def serve_tls(certificate: Path, seen: list[str | None]) -> Callable[[socket.socket], None]:
    """Return a handler that responds over TLS and records the requested server names."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate.with_name("key.pem"))
    context.sni_callback = lambda _, name, __: seen.append(name)

    def answer(client: socket.socket) -> None:
        with context.wrap_socket(client, server_side=True) as secured:
            read_request(secured)
            secured.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

    return answer


@contextmanager
def tls_server(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    """Run a server that leaves TLS to the handler, and yield its port."""
    server = socket.create_server((HOST, 0))

    def serve() -> None:
        while True:
            try:
                client, _ = server.accept()
                answer(client)
            except ssl.SSLError:
                continue
            except OSError:
                return

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield server.getsockname()[1]
    finally:
        server.close()


@pytest.mark.needs("openssl")
def test_https_sends_sni_and_verifies_the_host_name(
    allow_loopback: None, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def getaddrinfo(_: str, port: int, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (HOST, port))]

    seen: list[str | None] = []
    with tls_server(serve_tls(certificate, seen)) as port:
        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
        assert post(f"https://bots.example:{port}/", BODY, {}).status == 200
        assert post(f"https://others.example:{port}/", BODY, {}).error == "tls"
    assert seen == ["bots.example", "others.example"]
