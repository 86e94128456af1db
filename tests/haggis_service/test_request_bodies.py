"""Request bodies are received within bounds, and refused ones are discarded."""

import asyncio
import io
import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

import pytest
import uvicorn
from django.http import HttpResponse
from django.urls import URLPattern, get_resolver

from games.api.content import MAX_BODY
from games.records.api import MAX_RECORD
from haggis_service.asgi import application
from haggis_service.serving import request_bodies, server
from haggis_service.stack.proxy import TEMPLATE
from tests.support.requirements import HOST, free_port

LOG_IN: Final = "/api/v1/auth/token"
VERIFY: Final = "/api/v1/records/verify"
Message = dict[str, Any]


class Client:
    """The ASGI messages of one client, and what it receives."""

    def __init__(self, chunks: Sequence[bytes], *, finishes: bool = True, endless: bool = False) -> None:
        self.left: list[Message] = [{"body": chunk, "more_body": True} for chunk in chunks]
        self.left += [{"body": b"", "more_body": False}] if finishes else []
        self.endless = endless
        self.received: list[Message] = []
        self.chunks_read = 0

    async def receive(self) -> Message:
        if not self.left and not self.endless:
            await asyncio.Event().wait()
        self.chunks_read += 1
        message = self.left[0] if self.endless else self.left.pop(0)
        return {"type": "http.request", **message}

    async def send(self, message: Message) -> None:
        self.received.append(message)

    def request(self, path: str, *headers: tuple[bytes, bytes], method: str = "POST") -> tuple[int, Any]:
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": b"",
            "headers": [(b"host", b"testserver"), (b"content-type", b"application/json"), *headers],
        }
        asyncio.run(application(scope, self.receive, self.send))
        return self.received[0]["status"], json.loads(
            b"".join(each.get("body", b"") for each in self.received)
        )

    @property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.received[0]["headers"])


def length(size: int) -> tuple[bytes, bytes]:
    return b"content-length", str(size).encode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("path", "more", "status", "code"),
    (
        (LOG_IN, (), 413, "body_too_large"),
        (VERIFY, ((b"authorization", b"Bearer haggis_none"),), 401, "not_authenticated"),
    ),
)
def test_a_refused_body_is_discarded_before_the_connection_is_closed(
    path: str, more: tuple[tuple[bytes, bytes], ...], status: int, code: str
) -> None:
    client = Client([b" " * 65_536] * 80)
    answer = client.request(path, length(80 * 65_536), *more)
    assert (answer[0], answer[1]["code"]) == (status, code)
    assert client.headers[b"connection"] == b"close"
    assert client.left == []


@pytest.mark.django_db(transaction=True)
def test_an_endless_refused_body_is_discarded_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "MAX_DISCARDED_BYTES", 1_000_000)
    client = Client([b" " * 10_000], endless=True)
    assert client.request(LOG_IN, length(10**12))[0] == 413
    assert client.chunks_read <= 101


@pytest.mark.parametrize("path", (LOG_IN, VERIFY, "/api/v1/me/events"))
def test_a_body_that_arrives_too_slowly_is_answered_with_408(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_bodies, "GRACE_SECONDS", 0.05)
    monkeypatch.setattr(request_bodies, "MIN_BYTES_PER_SECOND", 10**9)
    monkeypatch.setattr(request_bodies, "MAX_DISCARD_SECONDS", 0.05)
    client = Client([b"{"], finishes=False)
    status, problem = client.request(path, length(60))
    assert (status, problem["status"], problem["code"]) == (408, 408, "request_timeout")
    assert client.headers[b"access-control-allow-origin"] == b"*"
    assert client.received[-1]["more_body"] is False


@pytest.mark.parametrize("path", ("/api/v1/me/events", "/api/v1/matches/m_1?wait=5"))
def test_a_stream_with_a_large_body_never_starts(path: str) -> None:
    client = Client([b" " * 10_000])
    status, problem = client.request(path, length(MAX_BODY + 1), method="GET")
    assert (status, problem["code"]) == (413, "body_too_large")


def test_only_some_large_bodies_are_received_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "MAX_LARGE_BODIES", 0)
    client = Client([b" " * 70_000])
    status, problem = client.request(VERIFY, length(70_000))
    assert (status, problem["code"], problem["retry_after"]) == (429, "rate_limited", 1)


def test_a_client_that_disconnects_gets_no_answer() -> None:
    client = Client([b"{"], finishes=False)
    client.left.append({"type": "http.disconnect"})
    asyncio.run(
        application(
            {"type": "http", "method": "POST", "path": LOG_IN, "query_string": b"", "headers": [length(60)]},
            client.receive,
            client.send,
        )
    )
    assert client.received == []


@pytest.mark.parametrize(
    ("method", "status", "is_drained"),
    (
        ("POST", 201, False),
        ("POST", 413, True),
        ("PUT", 401, True),
        ("GET", 200, True),
        ("DELETE", 204, True),
    ),
)
def test_wsgi_drains_the_unread_rest_of_a_body(method: str, status: int, *, is_drained: bool) -> None:
    body = io.BytesIO(b" " * 200_000)
    response = HttpResponse(b"answer", status=status)
    handle = request_bodies.drain_unread_bodies(lambda _environ, _start: response)
    request = {"REQUEST_METHOD": method, "wsgi.input": body, "CONTENT_LENGTH": "200000"}
    assert handle(request, lambda *_: None) is response
    assert (body.read() == b"") is is_drained


def _patterns() -> Iterator[tuple[str, URLPattern]]:
    pending: list[tuple[str, Any]] = [("", each) for each in get_resolver().url_patterns]
    while pending:
        prefix, pattern = pending.pop()
        path = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLPattern):
            yield path, pattern
        else:
            pending += [(path, each) for each in pattern.url_patterns]


def test_the_proxy_has_a_location_for_each_view_with_a_larger_body() -> None:
    views = {path: getattr(pattern.callback, "view_class", None) for path, pattern in _patterns()}
    large = {path: getattr(view, "largest_body", MAX_BODY) for path, view in views.items()}
    assert {f"/{path}": size for path, size in large.items() if size != MAX_BODY} == {VERIFY: MAX_RECORD}
    template = TEMPLATE.read_text()
    assert f"location ~ ^{VERIFY}/?$ {{" in template
    assert template.count("client_max_body_size 4m") == 1
    assert request_bodies.largest_body(f"{VERIFY}/") == MAX_RECORD


@pytest.fixture
def serving(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Provide the port of a server that accepts connections, with a short time for heads."""
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.5)
    port = free_port()

    async def answer(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [length(2)]})
        await send({"type": "http.response.body", "body": b"ok"})

    config = uvicorn.Config(answer, http=server.Protocol, lifespan="off", log_level="error")
    running = uvicorn.Server(config)
    listening = server.listen(port)
    listening.listen()
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield port
    running.should_exit = True
    thread.join(10)
    listening.close()


@pytest.mark.parametrize("before", (b"", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
def test_a_head_that_is_never_finished_ends_the_connection(serving: int, before: bytes) -> None:
    with socket.create_connection((HOST, serving), timeout=10) as connection:
        if before:
            connection.sendall(before)
            answer = b""
            while not answer.endswith(b"ok"):
                answer += connection.recv(1000)
            time.sleep(0.8)  # a finished head does not count
        connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert connection.recv(1000) == b""
