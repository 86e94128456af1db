"""Send one HTTP request to an address that was checked."""

import http.client
import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# What is not one machine of the public internet: private, shared, loopback, link-local, reserved, for
# documentation and benchmarks, multicast, relays of 6to4, and a host that one large provider keeps to itself.
_CLOSED: Final = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
        "168.63.129.16/32",
        "2001::/23",  # Teredo among them
        "2001:db8::/32",
        "2002::/16",  # 6to4
        "3fff::/20",
    )
)
# All else in IPv6 is no unicast of the internet: v4-mapped, NAT64, unique local, link-local, multicast.
_OPEN_IPV6: Final = ipaddress.ip_network("2000::/3")

_DEFAULT_PORTS: Final = {"https": 443, "http": 80}
_HOST: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?", re.ASCII)
_PRINTABLE: Final = re.compile(r"[!-~]+", re.ASCII)
_FORBIDDEN: Final = re.compile(r"[\\\"<>^`{|}]")


class InvalidAddress(Exception):
    """No webhook is sent to this address; the message says why."""


class DeliveryFailed(Exception):
    """Nothing could be sent; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class ParsedUrl:
    """An address as it was read."""

    scheme: str
    host: str
    port: int
    path: str


def parse_url(url: str) -> ParsedUrl:
    """Read the address of an endpoint; `Unusable` if nothing would ever be sent there.

    >>> read_address("https://bots.example/haggis?table=1")
    Place(scheme='https', host='bots.example', port=443, path='/haggis?table=1')
    """
    if not _PRINTABLE.fullmatch(url) or _FORBIDDEN.search(url):
        raise InvalidAddress("It is no address.")
    try:
        parts = urlsplit(url)
        port = parts.port
        host = parts.hostname or ""
    except ValueError as error:
        raise InvalidAddress("It is no address.") from error
    if parts.scheme not in _DEFAULT_PORTS or (parts.scheme == "http" and not settings.HAGGIS_WEBHOOKS_LOCAL):
        raise InvalidAddress("It has to begin with https://.")
    if "@" in parts.netloc or parts.fragment:
        raise InvalidAddress("It may hold neither a name with a password nor a fragment.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    place = ParsedUrl(parts.scheme, host, _DEFAULT_PORTS[parts.scheme] if port is None else port, path)
    _refuse_host(place)
    return place


def _refuse_host(place: ParsedUrl) -> None:
    literal = _literal(place.host)
    if literal is None and not _HOST.fullmatch(place.host):
        raise InvalidAddress("It names no host.")
    if literal is not None and not is_allowed(place, literal):
        raise InvalidAddress("It leads into a network that nothing is sent to.")
    if place.port == 0 or not (place.port in settings.HAGGIS_WEBHOOK_PORTS or settings.HAGGIS_WEBHOOKS_LOCAL):
        ports = ", ".join(map(str, settings.HAGGIS_WEBHOOK_PORTS))
        raise InvalidAddress(f"Its port has to be one of {ports}.")


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def resolve(place: ParsedUrl) -> str:
    """The one address to connect to. A name that leads anywhere closed is refused altogether."""
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise DeliveryFailed("unknown_host") from error
    addresses = [_literal(str(each[4][0])) for each in found]
    if not addresses or not all(each is not None and is_allowed(place, each) for each in addresses):
        raise DeliveryFailed("forbidden_address")
    return str(addresses[0])


def is_allowed(place: ParsedUrl, address: Address) -> bool:
    """Whether something may be sent to this address of that place.

    What is allowed for a desk is loopback alone, by http and at any port; all else stays as it is.
    """
    if settings.HAGGIS_WEBHOOKS_LOCAL and address.is_loopback:
        return True
    return is_public(address) and place.scheme == "https" and place.port in settings.HAGGIS_WEBHOOK_PORTS


def is_public(address: Address) -> bool:
    """Whether the address is a machine's of the public internet.

    >>> is_public(ipaddress.ip_address("9.9.9.9")), is_public(ipaddress.ip_address("::ffff:9.9.9.9"))
    (True, False)
    """
    if isinstance(address, ipaddress.IPv6Address) and (address.scope_id or address not in _OPEN_IPV6):
        return False
    return not any(address in network for network in _CLOSED if network.version == address.version)


SECONDS_TO_CONNECT: Final = 5.0
SECONDS_IN_ALL: Final = 10.0
MAX_READ: Final = 16 * 1024

# The first answer that is final: what comes before it (1xx) is skipped, what comes after this line not read.
_STATUS: Final = re.compile(rb"(?:\A|\r?\n\r?\n)HTTP/1\.[01] ([2-5][0-9]{2})(?=[ \r\n])")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResult:
    """How a request went: the status that came back, or why none did."""

    status: int | None = None
    error: str | None = None
    milliseconds: int = 0

    @property
    def is_taken(self) -> bool:
        """Whether the receiver has it. A redirect is not followed, and is no yes."""
        return self.status is not None and 200 <= self.status < 300  # noqa: PLR2004 -- statuses as they are known


def post(url: str, body: bytes, headers: Mapping[str, str]) -> HttpResult:
    """Send a body to an address."""
    begun = time.monotonic()
    try:
        status = _send(parse_url(url), body, headers, begun + SECONDS_IN_ALL)
        answered = HttpResult(status=status, milliseconds=_since(begun))
    except DeliveryFailed as why:
        answered = HttpResult(error=why.code, milliseconds=_since(begun))
    except InvalidAddress:  # the rules have changed since it was given
        answered = HttpResult(error="forbidden_address", milliseconds=_since(begun))
    return answered


def _since(begun: float) -> int:
    return round((time.monotonic() - begun) * 1000)


def _send(place: ParsedUrl, body: bytes, headers: Mapping[str, str], until: float) -> int:
    address = resolve(place)
    try:
        with closing(_connected(address, place.port)) as plain:
            plain.settimeout(_left(until))
            with closing(_wrap_tls(plain, place)) as sock:
                _write(sock, place, body, headers)
                return _read_status(sock, until)
    except TimeoutError as error:
        raise DeliveryFailed("timeout") from error
    except ssl.SSLError as error:
        raise DeliveryFailed("tls") from error
    except OSError as error:
        raise DeliveryFailed("connection") from error
    except (http.client.HTTPException, ValueError) as error:  # a name that TLS or HTTP cannot say
        raise DeliveryFailed("unknown_host") from error


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


def _wrap_tls(plain: socket.socket, place: ParsedUrl) -> socket.socket:
    """The connection under the name that was asked for, whatever address it goes to."""
    if place.scheme == "http":
        return plain
    return _tls().wrap_socket(plain, server_hostname=place.host)


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _write(sock: socket.socket, place: ParsedUrl, body: bytes, headers: Mapping[str, str]) -> None:
    connection = _http_connection(place)
    connection.sock = sock  # it is connected, and is not to look anything up again
    connection.request("POST", place.path, body, {**headers, "Connection": "close"})


def _http_connection(place: ParsedUrl) -> http.client.HTTPConnection:
    if place.scheme == "https":
        return http.client.HTTPSConnection(place.host, place.port, context=_tls())
    return http.client.HTTPConnection(place.host, place.port)


def _read_status(sock: socket.socket, until: float) -> int:
    """The status alone: what else the receiver says is not read, nor kept."""
    head = b""
    while len(head) < MAX_READ:
        sock.settimeout(_left(until))
        part = sock.recv(1024)
        head += part
        found = _STATUS.search(head)
        if found:
            return int(found[1])
        if not part:
            break
    raise DeliveryFailed("no_http")


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
