"""One request to an endpoint: pinned, bounded in time and size, never led elsewhere."""

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
    """All of it: whoever closes with something unread takes their answer back."""
    request = b""
    while not request.endswith(BODY):
        part = client.recv(65536)
        if not part:
            raise ConnectionError
        request += part


@contextmanager
def saying(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    """A server that does whatever it likes with each connection; its port."""
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


def test_what_is_sent_arrives(receiver: Receiver) -> None:
    answered = post(f"{receiver.url}?a=b", BODY, {"webhook-id": "msg_1"})
    assert (answered.status, answered.error, answered.is_success) == (204, None, True)
    [received] = receiver.received
    assert (received.path, received.body, received.id) == ("/hook?a=b", BODY, "msg_1")
    assert received.headers["host"] == f"{HOST}:{receiver.port}"


@pytest.mark.parametrize("status", (301, 302, 303, 307, 308))
def test_a_redirect_is_not_followed_and_is_no_yes(receiver: Receiver, status: int) -> None:
    receiver.answer = lambda _: status
    answered = post(receiver.url, BODY, {})
    assert (answered.status, answered.is_success) == (status, False)
    assert len(receiver.received) == 1


def test_nothing_is_sent_where_nothing_may_be_sent(receiver: Receiver, settings: Any) -> None:
    settings.HAGGIS_WEBHOOKS_LOCAL = False
    assert post(receiver.url, BODY, {}).error == "forbidden_address"
    assert post(f"https://localhost:{receiver.port}/", BODY, {}).error == "forbidden_address"
    assert receiver.received == []


def test_a_name_that_changes_its_mind_is_connected_to_where_it_was_judged(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        address = HOST if len(asked) == 1 else "10.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    url = f"http://bots.example:{receiver.port}/hook"
    assert post(url, BODY, {}).status == 204
    assert asked == ["bots.example"]
    assert receiver.received[0].headers["host"] == f"bots.example:{receiver.port}"
    assert post(url, BODY, {}).error == "forbidden_address"
    assert len(receiver.received) == 1


def test_who_does_not_answer_is_waited_for_no_longer_than_that(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_client, "TOTAL_TIMEOUT_SECONDS", 0.3)
    receiver.slow = 1.0
    begun = time.monotonic()
    assert post(receiver.url, BODY, {}).error == "timeout"
    assert time.monotonic() - begun < 0.9


def test_who_answers_a_letter_at_a_time_is_waited_for_no_longer_than_that(
    local: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_client, "TOTAL_TIMEOUT_SECONDS", 0.4)

    def drip(client: socket.socket) -> None:
        for letter in b"HTTP/1.1 100 Continue\r\nX: " + b"x" * 100:
            client.sendall(bytes([letter]))
            time.sleep(0.05)

    with saying(drip) as port:
        begun = time.monotonic()
        assert post(f"http://{HOST}:{port}/", BODY, {}).error == "timeout"
        assert time.monotonic() - begun < 2


@pytest.mark.parametrize(
    "answer",
    (b"", b"hello", b"HTTP/2 200\r\n\r\n", b"HTTP/1.1 999 x\r\n", b"x" * 100_000, b"HTTP/1.1 100 C\r\n\r\n"),
)
def test_what_is_no_answer_is_none(local: None, answer: bytes) -> None:
    with saying(lambda client: client.sendall(answer)) as port:
        assert post(f"http://{HOST}:{port}/", BODY, {}).error in {"no_http", "connection"}


def test_an_endless_answer_is_not_read(local: None) -> None:
    def endless(client: socket.socket) -> None:
        client.sendall(b"HTTP/1.1 200 OK\r\n")
        for _ in range(10_000):
            client.sendall(b"x" * 10_000)

    with saying(endless) as port:
        begun = time.monotonic()
        assert post(f"http://{HOST}:{port}/", BODY, {}).status == 200
        assert time.monotonic() - begun < 2


def test_what_comes_before_the_answer_does_not_count(local: None) -> None:
    said = b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 201 Created\r\n\r\n"
    with saying(lambda client: client.sendall(said)) as port:
        assert post(f"http://{HOST}:{port}/", BODY, {}).status == 201


@pytest.mark.parametrize("host", ("a..b", "x" * 64, ".".join(["x" * 63] * 4)))
def test_a_name_that_cannot_be_one_leads_nowhere(local: None, host: str) -> None:
    assert post(f"https://{host}/", BODY, {}).error in {"unknown_host", "forbidden_address"}


def test_nobody_there_is_said_so(local: None) -> None:
    with socket.create_server((HOST, 0)) as server:
        port = server.getsockname()[1]
    assert post(f"http://{HOST}:{port}/", BODY, {}).error == "connection"


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A certificate for bots.example, which the service believes."""
    made, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    asked = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=bots"]
    names = ["-addext", "subjectAltName=DNS:bots.example", "-keyout", str(key), "-out", str(made)]
    subprocess.run([*asked, *names], check=True, capture_output=True, timeout=60)
    believing = ssl.create_default_context(cafile=str(made))
    monkeypatch.setattr(http_client, "_tls_context", lambda: believing)
    return made


def serve_tls(certificate: Path, seen: list[str | None]) -> Callable[[socket.socket], None]:
    """Answer by TLS, and keep the name that was asked for."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate.with_name("key.pem"))
    context.sni_callback = lambda _, name, __: seen.append(name)

    def answer(client: socket.socket) -> None:
        with context.wrap_socket(client, server_side=True) as secured:
            read_request(secured)
            secured.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

    return answer


@contextmanager
def listening(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    """A server that speaks first of TLS; its port."""
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
def test_by_https_the_name_is_asked_for_and_proved_whatever_address_is_connected_to(
    local: None, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def getaddrinfo(_: str, port: int, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (HOST, port))]

    seen: list[str | None] = []
    with listening(serve_tls(certificate, seen)) as port:
        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
        assert post(f"https://bots.example:{port}/", BODY, {}).status == 200
        assert post(f"https://others.example:{port}/", BODY, {}).error == "tls"
    assert seen == ["bots.example", "others.example"]
