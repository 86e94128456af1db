"""The cache shared by all processes. Losing its content costs speed only."""

from typing import Any

# A hanging Redis must not block requests: time out soon, and do not retry within the request.
TIMEOUT_SECONDS = 0.5


def redis_cache(address: str) -> dict[str, Any]:
    """Return Django's cache settings for a Redis URL."""
    return {
        "BACKEND": "haggis_service.shared_cache.SharedCache",
        "LOCATION": address,
        "KEY_PREFIX": "haggis",
        "OPTIONS": {"socket_connect_timeout": TIMEOUT_SECONDS, "socket_timeout": TIMEOUT_SECONDS},
    }
