"""The cache that processes share. Losing it loses speed, never anything that matters."""

from typing import Any

# A frozen Redis must not hold a request: give up soon, and do not try again within the request.
TIMEOUT_SECONDS = 0.5


def redis_cache(address: str) -> dict[str, Any]:
    """Make Django's settings of the shared cache from the address of a Redis server."""
    return {
        "BACKEND": "haggis_service.shared_cache.SharedCache",
        "LOCATION": address,
        "KEY_PREFIX": "haggis",
        "OPTIONS": {"socket_connect_timeout": TIMEOUT_SECONDS, "socket_timeout": TIMEOUT_SECONDS},
    }
