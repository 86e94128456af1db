"""Where webhooks may be sent: never into a private network, whatever a name claims to be.

An address is read strictly when it is given, and looked up anew for every sending. What is connected to is
the very address that was looked up and judged: a name that changes its mind in between gains nothing.
"""

import ipaddress
import re
import socket
from dataclasses import dataclass
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


class Unusable(Exception):
    """No webhook is sent to this address; the message says why."""


class Undeliverable(Exception):
    """Nothing could be sent; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Place:
    """An address as it was read."""

    scheme: str
    host: str
    port: int
    path: str


def read_address(url: str) -> Place:
    """Read the address of an endpoint; `Unusable` if nothing would ever be sent there.

    >>> read_address("https://bots.example/haggis?table=1")
    Place(scheme='https', host='bots.example', port=443, path='/haggis?table=1')
    """
    if not _PRINTABLE.fullmatch(url) or _FORBIDDEN.search(url):
        raise Unusable("It is no address.")
    try:
        parts = urlsplit(url)
        port = parts.port
        host = parts.hostname or ""
    except ValueError as error:
        raise Unusable("It is no address.") from error
    if parts.scheme not in _DEFAULT_PORTS or (parts.scheme == "http" and not settings.HAGGIS_WEBHOOKS_LOCAL):
        raise Unusable("It has to begin with https://.")
    if "@" in parts.netloc or parts.fragment:
        raise Unusable("It may hold neither a name with a password nor a fragment.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    place = Place(parts.scheme, host, _DEFAULT_PORTS[parts.scheme] if port is None else port, path)
    _refuse_host(place)
    return place


def _refuse_host(place: Place) -> None:
    literal = _literal(place.host)
    if literal is None and not _HOST.fullmatch(place.host):
        raise Unusable("It names no host.")
    if literal is not None and not may_be_reached(place, literal):
        raise Unusable("It leads into a network that nothing is sent to.")
    if place.port == 0 or not (place.port in settings.HAGGIS_WEBHOOK_PORTS or settings.HAGGIS_WEBHOOKS_LOCAL):
        ports = ", ".join(map(str, settings.HAGGIS_WEBHOOK_PORTS))
        raise Unusable(f"Its port has to be one of {ports}.")


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def look_up(place: Place) -> str:
    """The one address to connect to. A name that leads anywhere closed is refused altogether."""
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Undeliverable("unknown_host") from error
    addresses = [_literal(str(each[4][0])) for each in found]
    if not addresses or not all(each is not None and may_be_reached(place, each) for each in addresses):
        raise Undeliverable("forbidden_address")
    return str(addresses[0])


def may_be_reached(place: Place, address: Address) -> bool:
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
