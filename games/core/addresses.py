"""Determine the client address of a request behind trusted proxies."""

import ipaddress
from typing import Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

UNKNOWN_ADDRESS: Final = "unknown"
# A client usually has a whole /64 network, so its IPv6 addresses are counted as one.
_IPV6_NETWORK: Final = 64


class Source(NamedTuple):
    """Where a request comes from: the address of the client and the program that it names."""

    address: str
    user_agent: str = ""


def request_source(request: Request | HttpRequest) -> Source:
    """Return where a request comes from."""
    return Source(client_address(request), request.META.get("HTTP_USER_AGENT", ""))


def client_address(request: Request | HttpRequest) -> str:
    """Return the address of the client as seen by the trusted proxies.

    Each of the n trusted proxies appends the address it sees to X-Forwarded-For, so the n-th entry from the
    end was written by the first of them; earlier entries were sent by the client and are ignored. A request
    without the header passed no proxy: its own remote address is used.
    """
    trusted: int = settings.HAGGIS_TRUSTED_PROXIES
    address = request.META.get("REMOTE_ADDR", "")
    if trusted > 0 and "HTTP_X_FORWARDED_FOR" in request.META:
        forwarded = request.META["HTTP_X_FORWARDED_FOR"].split(",")
        if len(forwarded) >= trusted:
            address = forwarded[-trusted]
    return _normalised_address(address.strip())


def passed_unknown_proxy(request: Request | HttpRequest) -> bool:
    """Return whether an untrusted proxy forwarded the request, so that the address may be the proxy's.

    An address that grants access counts only if this is false: a proxy on the same machine would otherwise
    lend its own address to every visitor.
    """
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR")
    trusted: int = settings.HAGGIS_TRUSTED_PROXIES
    return forwarded is not None and not 0 < trusted <= len(forwarded.split(","))


def _normalised_address(text: str) -> str:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return UNKNOWN_ADDRESS
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((int(address), _IPV6_NETWORK), strict=False))
    return str(address)
