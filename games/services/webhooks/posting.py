"""One request to an endpoint: to an address that was judged, within a time, little read of the answer."""

import http.client
import re
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import Final

from games.services.webhooks.addresses import Place, Undeliverable, Unusable, look_up, read_address

SECONDS_TO_CONNECT: Final = 5.0
SECONDS_IN_ALL: Final = 10.0
MOST_READ: Final = 16 * 1024

# The first answer that is final: what comes before it (1xx) is skipped, what comes after this line not read.
_STATUS: Final = re.compile(rb"(?:\A|\r?\n\r?\n)HTTP/1\.[01] ([2-5][0-9]{2})(?=[ \r\n])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """How a request went: the status that came back, or why none did."""

    status: int | None = None
    error: str | None = None
    milliseconds: int = 0

    @property
    def is_taken(self) -> bool:
        """Whether the receiver has it. A redirect is not followed, and is no yes."""
        return self.status is not None and 200 <= self.status < 300  # noqa: PLR2004 -- statuses as they are known


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answered:
    """Send a body to an address."""
    begun = time.monotonic()
    try:
        status = _send(read_address(url), body, headers, begun + SECONDS_IN_ALL)
        answered = Answered(status=status, milliseconds=_since(begun))
    except Undeliverable as why:
        answered = Answered(error=why.code, milliseconds=_since(begun))
    except Unusable:  # the rules have changed since it was given
        answered = Answered(error="forbidden_address", milliseconds=_since(begun))
    return answered


def _since(begun: float) -> int:
    return round((time.monotonic() - begun) * 1000)


def _send(place: Place, body: bytes, headers: Mapping[str, str], until: float) -> int:
    address = look_up(place)
    try:
        with closing(_connected(address, place.port)) as plain:
            plain.settimeout(_left(until))
            with closing(_secured(plain, place)) as sock:
                _write(sock, place, body, headers)
                return _read_status(sock, until)
    except TimeoutError as error:
        raise Undeliverable("timeout") from error
    except ssl.SSLError as error:
        raise Undeliverable("tls") from error
    except OSError as error:
        raise Undeliverable("connection") from error
    except (http.client.HTTPException, ValueError) as error:  # a name that TLS or HTTP cannot say
        raise Undeliverable("unknown_host") from error


def _connected(address: str, port: int) -> socket.socket:
    """A connection to this very address: nothing is looked up any more."""
    plain = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    plain.settimeout(SECONDS_TO_CONNECT)
    try:
        plain.connect((address, port))
    except OSError:
        plain.close()
        raise
    return plain


def _secured(plain: socket.socket, place: Place) -> socket.socket:
    """The connection under the name that was asked for, whatever address it goes to."""
    if place.scheme == "http":
        return plain
    return _tls().wrap_socket(plain, server_hostname=place.host)


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _write(sock: socket.socket, place: Place, body: bytes, headers: Mapping[str, str]) -> None:
    connection = _spoken_to(place)
    connection.sock = sock  # it is connected, and is not to look anything up again
    connection.request("POST", place.path, body, {**headers, "Connection": "close"})


def _spoken_to(place: Place) -> http.client.HTTPConnection:
    if place.scheme == "https":
        return http.client.HTTPSConnection(place.host, place.port, context=_tls())
    return http.client.HTTPConnection(place.host, place.port)


def _read_status(sock: socket.socket, until: float) -> int:
    """The status alone: what else the receiver says is not read, nor kept."""
    head = b""
    while len(head) < MOST_READ:
        sock.settimeout(_left(until))
        part = sock.recv(1024)
        head += part
        found = _STATUS.search(head)
        if found:
            return int(found[1])
        if not part:
            break
    raise Undeliverable("no_http")


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
