"""Send HTTP requests to user-supplied URLs without reaching private networks (SSRF protection)."""

import http.client
import ipaddress
import os
import re
import socket
import ssl
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from games.core.languages import Text, message

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

CONNECT_TIMEOUT_SECONDS: Final = 5.0
TOTAL_TIMEOUT_SECONDS: Final = 10.0
MAX_RESPONSE_BYTES: Final = 16 * 1024
# How long a request waits for the addresses of a name, and how many do at a time in one process.
RESOLVE_SECONDS: Final = 2.0
MAX_RESOLVERS: Final = 4

# The first final status line: 1xx responses before it are skipped, and nothing after it is read.
_STATUS: Final = re.compile(rb"(?:\A|\r?\n\r?\n)HTTP/1\.[01] ([2-5][0-9]{2})(?=[ \r\n])")

_TOO_MANY_REQUESTS: Final = 429
_HEAD_END: Final = re.compile(rb"\r?\n\r?\n")
_RETRY_AFTER: Final = re.compile(rb"(?im)^retry-after:[ \t]*([0-9]{1,6}(?:\.[0-9]{1,6})?)[ \t]*\r?$")

# Networks that are not public hosts: private, shared, loopback, link-local, reserved, documentation,
# benchmarking, multicast, 6to4 relays, and the internal address of the Azure platform.
_BLOCKED_NETWORKS: Final = tuple(
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
        "2001::/23",  # includes Teredo
        "2001:db8::/32",
        "2002::/16",  # 6to4
        "3fff::/20",
    )
)
# Other IPv6 addresses are not global unicast: IPv4-mapped, NAT64, unique local, link-local, multicast.
_GLOBAL_UNICAST_IPV6: Final = ipaddress.ip_network("2000::/3")

_DEFAULT_PORTS: Final = {"https": 443, "http": 80}
_HOST: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?", re.ASCII)
# A name whose last label is a number is an IPv4 address in one of the old notations (decimal, octal, hex).
_NUMERIC_LABEL: Final = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII | re.IGNORECASE)
_PRINTABLE: Final = re.compile(r"[!-~]+", re.ASCII)
_FORBIDDEN: Final = re.compile(r"[\\\"<>^`{|}]")


class InvalidAddress(Exception):
    """The service does not send requests to this URL; the message, which is lazy, says why."""

    @property
    def reason(self) -> Text:
        """The message, still to be translated."""
        reason: Text = self.args[0]
        return reason


class DeliveryFailed(Exception):
    """The request failed; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class ParsedUrl:
    """The parts of a URL that a request needs."""

    scheme: str
    host: str
    port: int
    path: str


def parse_url(url: str) -> ParsedUrl:
    """Parse and validate the URL of an endpoint, or raise `InvalidAddress`.

    >>> parse_url("https://bots.example/haggis?table=1")
    ParsedUrl(scheme='https', host='bots.example', port=443, path='/haggis?table=1')
    """
    if not _PRINTABLE.fullmatch(url) or _FORBIDDEN.search(url):
        raise InvalidAddress(message("This is not a valid URL."))
    try:
        parts = urlsplit(url)
        port = parts.port
        host = parts.hostname or ""
    except ValueError as error:
        raise InvalidAddress(message("This is not a valid URL.")) from error
    if parts.scheme not in _DEFAULT_PORTS or (parts.scheme == "http" and not settings.HAGGIS_WEBHOOKS_LOCAL):
        raise InvalidAddress(message("The URL must start with https://."))
    if "@" in parts.netloc or parts.fragment:
        raise InvalidAddress(message("The URL must contain neither credentials nor a fragment."))
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    target = ParsedUrl(parts.scheme, host, _DEFAULT_PORTS[parts.scheme] if port is None else port, path)
    _validate_host(target)
    return target


def _validate_host(target: ParsedUrl) -> None:
    literal = _parse_ip(target.host)
    if literal is None and not _is_host_name(target.host):
        raise InvalidAddress(message("The URL has no valid host name."))
    if literal is not None and not is_allowed(target, literal):
        raise InvalidAddress(message("The host must be on the public internet."))
    if target.port == 0 or not (
        target.port in settings.HAGGIS_WEBHOOK_PORTS or settings.HAGGIS_WEBHOOKS_LOCAL
    ):
        ports = ", ".join(map(str, settings.HAGGIS_WEBHOOK_PORTS))
        raise InvalidAddress(message("The port must be one of {ports}.", ports=ports))


def _is_host_name(host: str) -> bool:
    """Return whether this may be a name on the internet; `HAGGIS_WEBHOOKS_LOCAL` also allows `localhost`."""
    if not _HOST.fullmatch(host) or _NUMERIC_LABEL.fullmatch(host.rpartition(".")[2]):
        return False
    return "." in host or bool(settings.HAGGIS_WEBHOOKS_LOCAL)


def check_url(url: str) -> None:
    """Raise `InvalidAddress` for a URL that would be refused when a request is sent to it.

    The name is resolved as it is for each request, and refused if any of its addresses is forbidden. A name
    that cannot be resolved in time is accepted, since it may be resolved later, and is judged again then.
    """
    target = parse_url(url)
    try:
        _resolvers(os.getpid()).submit(resolve, target).result(timeout=RESOLVE_SECONDS)
    except DeliveryFailed as error:
        if error.code == "forbidden_address":
            raise InvalidAddress(message("The host must be on the public internet.")) from error
    except TimeoutError:
        return


@cache
def _resolvers(_process: int) -> ThreadPoolExecutor:
    """Return the few threads in which a process resolves names for requests; a fork has none of them."""
    return ThreadPoolExecutor(MAX_RESOLVERS, thread_name_prefix="resolver")


def _parse_ip(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def resolve(target: ParsedUrl) -> str:
    """Return the address to connect to. Raise if any address of the name is forbidden."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise DeliveryFailed("unknown_host") from error
    addresses = [_parse_ip(str(each[4][0])) for each in found]
    if not addresses or not all(each is not None and is_allowed(target, each) for each in addresses):
        raise DeliveryFailed("forbidden_address")
    return str(addresses[0])


def is_allowed(target: ParsedUrl, address: Address) -> bool:
    """Return whether requests to the target may connect to this address.

    `HAGGIS_WEBHOOKS_LOCAL` also allows loopback addresses, over plain HTTP and at any port, for development.
    """
    if settings.HAGGIS_WEBHOOKS_LOCAL and address.is_loopback:
        return True
    return is_public(address) and target.scheme == "https" and target.port in settings.HAGGIS_WEBHOOK_PORTS


def is_public(address: Address) -> bool:
    """Return whether the address is a host on the public internet.

    >>> is_public(ipaddress.ip_address("9.9.9.9")), is_public(ipaddress.ip_address("::ffff:9.9.9.9"))
    (True, False)
    """
    if isinstance(address, ipaddress.IPv6Address) and (
        address.scope_id or address not in _GLOBAL_UNICAST_IPV6
    ):
        return False
    return not any(address in network for network in _BLOCKED_NETWORKS if network.version == address.version)


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResult:
    """The outcome of a request: the status of the response, or an error code.

    `retry_after` is what a response with the status 429 asks for.
    """

    status: int | None = None
    error: str | None = None
    milliseconds: int = 0
    retry_after: timedelta | None = None

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx. Redirects are not followed and count as failures."""
        return self.status is not None and 200 <= self.status < 300  # noqa: PLR2004 -- well-known HTTP statuses


def post(url: str, body: bytes, headers: Mapping[str, str]) -> HttpResult:
    """POST a body to a URL and return the outcome. It never raises on network errors."""
    started = time.monotonic()
    try:
        head = _send(parse_url(url), body, headers, started + TOTAL_TIMEOUT_SECONDS)
        result = HttpResult(
            status=head.status, milliseconds=_elapsed_milliseconds(started), retry_after=head.retry_after
        )
    except DeliveryFailed as error:
        result = HttpResult(error=error.code, milliseconds=_elapsed_milliseconds(started))
    except InvalidAddress:  # the settings have changed since the URL was validated
        result = HttpResult(error="forbidden_address", milliseconds=_elapsed_milliseconds(started))
    return result


def _elapsed_milliseconds(started: float) -> int:
    return round((time.monotonic() - started) * 1000)


class _ResponseHead(NamedTuple):
    """What is read of a response."""

    status: int
    retry_after: timedelta | None = None


def _send(target: ParsedUrl, body: bytes, headers: Mapping[str, str], deadline: float) -> _ResponseHead:
    address = resolve(target)
    try:
        with closing(_connect(address, target.port)) as plain:
            plain.settimeout(_remaining(deadline))
            with closing(_wrap_tls(plain, target)) as sock:
                _write_request(sock, target, body, headers)
                return _read_head(sock, deadline)
    except TimeoutError as error:
        raise DeliveryFailed("timeout") from error
    except ssl.SSLError as error:
        raise DeliveryFailed("tls") from error
    except OSError as error:
        raise DeliveryFailed("connection") from error
    except (http.client.HTTPException, ValueError) as error:  # the host name is invalid for TLS or HTTP
        raise DeliveryFailed("unknown_host") from error


def _connect(address: str, port: int) -> socket.socket:
    """Connect to the checked address, without another DNS lookup (DNS rebinding)."""
    plain = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    plain.settimeout(CONNECT_TIMEOUT_SECONDS)
    try:
        plain.connect((address, port))
    except OSError:
        plain.close()
        raise
    return plain


def _wrap_tls(plain: socket.socket, target: ParsedUrl) -> socket.socket:
    """Wrap the socket in TLS, and verify the certificate against the host name of the URL."""
    if target.scheme == "http":
        return plain
    return _tls_context().wrap_socket(plain, server_hostname=target.host)


@cache
def _tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _write_request(sock: socket.socket, target: ParsedUrl, body: bytes, headers: Mapping[str, str]) -> None:
    connection = _http_connection(target)
    connection.sock = sock  # already connected to the checked address
    connection.request("POST", target.path, body, {**headers, "Connection": "close"})


def _http_connection(target: ParsedUrl) -> http.client.HTTPConnection:
    if target.scheme == "https":
        return http.client.HTTPSConnection(target.host, target.port, context=_tls_context())
    return http.client.HTTPConnection(target.host, target.port)


def _read_head(sock: socket.socket, deadline: float) -> _ResponseHead:
    """Return the status, and read no more of the response than that, except the headers of a 429."""
    head, found = b"", None
    while len(head) < MAX_RESPONSE_BYTES:
        sock.settimeout(_remaining(deadline))
        part = sock.recv(1024)
        head += part
        found = _STATUS.search(head)
        if found and (int(found[1]) != _TOO_MANY_REQUESTS or _HEAD_END.search(head, found.end())):
            return _ResponseHead(int(found[1]), _parse_retry_after(head[found.end() :]))
        if not part:
            break
    if found:
        return _ResponseHead(int(found[1]))
    raise DeliveryFailed("no_http")


def _parse_retry_after(headers: bytes) -> timedelta | None:
    """Return the seconds of the header `Retry-After`; a date is ignored."""
    end = _HEAD_END.search(headers)
    found = _RETRY_AFTER.search(headers, 0, end.end()) if end else None
    return timedelta(seconds=float(found[1])) if found else None


def _remaining(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
