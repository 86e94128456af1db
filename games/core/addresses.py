"""Where a request comes from, as far as that can be believed."""

import ipaddress
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

UNKNOWN_ADDRESS: Final = "unknown"
# Whoever has one IPv6 address has 2**64 of them.
_IPV6_NETWORK: Final = 64


def client_address(request: Request | HttpRequest) -> str:
    """The address of the client: what our own proxies say, never what the client says of itself.

    With n proxies of ours, each adds the address that it sees to the end of X-Forwarded-For, so the n-th from
    the end was seen by the first of them; whatever stands before was sent by the client. A request without
    the header passed no proxy: it comes from a machine beside ours.
    """
    trusted: int = settings.HAGGIS_TRUSTED_PROXIES
    seen = request.META.get("REMOTE_ADDR", "")
    if trusted > 0 and "HTTP_X_FORWARDED_FOR" in request.META:
        forwarded = request.META["HTTP_X_FORWARDED_FOR"].split(",")
        if len(forwarded) >= trusted:
            seen = forwarded[-trusted]
    return _normalised_address(seen.strip())


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
