"""Count requests in fixed windows in the shared cache."""

import logging
import time
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

# How long the breaker stays open after a failure, so that only one request waits for the cache.
BREAKER_SECONDS: Final = 5.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RateLimitState:
    """The use of a rate limit in the current window."""

    name: str
    limit: int
    window: int
    used: int
    seconds_left: int

    @property
    def is_exceeded(self) -> bool:
        """Whether this request exceeds the limit."""
        return self.used > self.limit

    @property
    def headers(self) -> dict[str, str]:
        """The headers `RateLimit` and `RateLimit-Policy`."""
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.limit};w={self.window}',
            "RateLimit": f'"{self.name}";r={max(0, self.limit - self.used)};t={self.seconds_left}',
        }


class CircuitBreaker:
    """A circuit breaker for the cache, one for each process."""

    open_until = 0.0

    def is_open(self) -> bool:
        """Return whether the cache is skipped for now."""
        return time.monotonic() < self.open_until

    def trip(self) -> None:
        """Open the breaker for `BREAKER_SECONDS`."""
        self.open_until = time.monotonic() + BREAKER_SECONDS


breaker: Final = CircuitBreaker()


def count_request(name: str, client: str, *, now: float | None = None) -> RateLimitState | None:
    """Count one request of a client; return `None` if no limit applies or the cache is unavailable."""
    rate: tuple[int, int] | None = settings.HAGGIS_LIMITS.get(name)
    if rate is None or breaker.is_open():
        return None
    limit, window = rate
    timestamp = time.time() if now is None else now
    number, elapsed = divmod(int(timestamp), window)
    try:
        used = _increment(f"limit:{name}:{client}:{number}", window)
    except (RedisError, OSError):
        breaker.trip()
        logger.warning("The cache does not answer: rate limits are off for %s seconds", BREAKER_SECONDS)
        return None
    return RateLimitState(name, limit, window, used, window - elapsed)


def _increment(key: str, seconds: int) -> int:
    """Increment a counter atomically, creating it with the first request of a window."""
    try:
        return cache.incr(key)
    except ValueError:
        return 1 if cache.add(key, 1, seconds + 1) else cache.incr(key)
