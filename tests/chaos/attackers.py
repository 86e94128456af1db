"""Hostile clients, and a visitor who must not notice them.

Attackers speak HTTP over plain sockets, since they send what no library would: bodies that are never
finished, bytes one by one, connections that are reset in the middle of a body.
"""

import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Final, Self

from tests.chaos.load import Request
from tests.support.requirements import HOST

LARGE: Final = 4 * 1024 * 1024
BODIES_PER_SECOND: Final = 5
SLOW_CONNECTIONS: Final = 40
FLOODING_CONNECTIONS: Final = 12
VISITS_PER_SECOND: Final = 10
SERVER_ERROR: Final = 500
_SOCKET_TIMEOUT_SECONDS: Final = 30
# Closing a socket with this option resets the connection.
_RESET: Final = struct.pack("ii", 1, 0)

# What the log-in refuses by its size, and what the verification of records reads.
LOG_IN: Final = "/api/v1/auth/token"
VERIFY: Final = "/api/v1/records/verify"


def head(path: str, *headers: str, method: str = "POST") -> bytes:
    """Return the head of a request with a JSON body."""
    lines = (f"{method} {path} HTTP/1.1", f"Host: {HOST}", "Content-Type: application/json", *headers)
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def brackets(size: int) -> bytes:
    """Return JSON of this size with as many values as are not refused by their number."""
    return (b'{"record":{"a":[' + b"[]," * 490_000 + b"[]]}}").ljust(size)


@dataclass
class Attack:
    """Threads that repeat one attack until it is stopped; `answers` counts the status codes."""

    name: str
    once: Callable[[threading.Event], str]
    threads: int = 1
    pause: float = 1 / BODIES_PER_SECOND
    answers: Counter[str] = field(default_factory=Counter)

    def __enter__(self) -> Self:
        """Start the threads."""
        self.stop_requested = threading.Event()
        self.running = [threading.Thread(target=self._repeat, daemon=True) for _ in range(self.threads)]
        for thread in self.running:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the threads."""
        self.stop_requested.set()
        for thread in self.running:
            thread.join(_SOCKET_TIMEOUT_SECONDS)

    def _repeat(self) -> None:
        while not self.stop_requested.is_set():
            started = time.monotonic()
            try:
                self.answers[self.once(self.stop_requested)] += 1
            except OSError as error:
                self.answers[type(error).__name__] += 1
            self.stop_requested.wait(max(0.0, self.pause - (time.monotonic() - started)))


def _connect(port: int) -> socket.socket:
    return socket.create_connection((HOST, port), timeout=_SOCKET_TIMEOUT_SECONDS)


def _status(connection: socket.socket) -> str:
    """Return the status code of the response, or `closed` without one."""
    answer = b""
    while b"\r\n" not in answer and (read := connection.recv(65536)):
        answer += read
    return answer.split()[1].decode() if answer else "closed"


def send_body(port: int, request: bytes, body: bytes) -> str:
    """Send a request with its body and return the status, also if the server stops reading the body."""
    with _connect(port) as connection:
        with suppress(ConnectionError):
            connection.sendall(request)
            connection.sendall(body)
        return _status(connection)


def large_bodies(port: int, path: str, body: bytes, *headers: str) -> Attack:
    """Return the attack of sending a large body five times a second."""
    request = head(path, f"Content-Length: {len(body)}", *headers)
    return Attack(
        f"bodies to {path}", lambda _: send_body(port, request, body), threads=BODIES_PER_SECOND, pause=1
    )


def chunked_bodies(port: int, path: str) -> Attack:
    """Return the attack of sending large chunked bodies, whose length is not declared."""
    chunk = b"10000\r\n" + b"[" * 0x10000 + b"\r\n"
    body = chunk * (LARGE // 0x10000) + b"0\r\n\r\n"
    request = head(path, "Transfer-Encoding: chunked")
    return Attack(
        f"chunks to {path}", lambda _: send_body(port, request, body), threads=BODIES_PER_SECOND, pause=1
    )


def aborted_uploads(port: int, path: str) -> Attack:
    """Return the attack of resetting connections in the middle of a body."""
    request, part = head(path, f"Content-Length: {LARGE}"), b" " * (LARGE // 4)

    def once(_: threading.Event) -> str:
        with _connect(port) as connection:
            with suppress(ConnectionError):
                connection.sendall(request)
                connection.sendall(part)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        return "aborted"

    return Attack(f"aborted uploads to {path}", once)


def slow_senders(port: int, path: str, size: int) -> Attack:
    """Return the attack of many connections that send a body byte by byte."""
    request = head(path, f"Content-Length: {size}")

    def once(stop_requested: threading.Event) -> str:
        with _connect(port) as connection:
            connection.sendall(request)
            connection.settimeout(0.5)
            while not stop_requested.is_set():
                connection.sendall(b" ")
                with suppress(TimeoutError):
                    return _status(connection)
        return "still sending"

    return Attack(f"slow senders to {path}", once, threads=SLOW_CONNECTIONS, pause=0.1)


def flood(port: int, path: str) -> Attack:
    """Return the attack of as many requests as one address can send."""
    request = head(path, "Connection: close", method="GET")
    return Attack(
        f"flood of {path}", lambda _: send_body(port, request, b""), threads=FLOODING_CONNECTIONS, pause=0
    )


@dataclass
class Visitor:
    """Another client, who reads and writes ten times a second over new connections."""

    port: int
    token: str
    answers: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    @contextmanager
    def visiting(self) -> Iterator[None]:
        """Send requests during the block."""
        leave = threading.Event()
        thread = threading.Thread(target=self._visit, args=(leave,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            leave.set()
            thread.join(_SOCKET_TIMEOUT_SECONDS)

    def _visit(self, leave: threading.Event) -> None:
        cards = {"players": 2, "cards": ["3r", "J", "Q"]}
        requests = (
            Request("GET", "me", self.token),
            Request("POST", "rulesets/classic/readings", self.token, cards),
        )
        for number in count():
            started = time.monotonic()
            try:
                status, _ = requests[number % 2].send(self.port)
            except OSError:
                status = SERVER_ERROR
            took = time.monotonic() - started
            self.answers[status] += 1
            self.seconds.append(took)
            if leave.wait(max(0.0, 1 / VISITS_PER_SECOND - took)):
                return

    @property
    def failures(self) -> int:
        """The number of requests that the server did not answer well."""
        return sum(times for status, times in self.answers.items() if status >= SERVER_ERROR)

    def percentile(self, share: float) -> float:
        """Return the response time that this share of the requests did not exceed."""
        return sorted(self.seconds)[int(share * (len(self.seconds) - 1))]
