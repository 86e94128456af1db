"""Count requests in fixed windows in the shared cache."""

import logging
import time
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

# A cache that did not answer is left alone for so long: one request waits for it, not every one.
BREAKER_SECONDS: Final = 5.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RateLimitState:
    """How much of a limit is used up, and when its window ends."""

    name: str
    limit: int
    window: int
    used: int
    ends_in: int

    @property
    def is_over(self) -> bool:
        """Whether this request is one too many."""
        return self.used > self.limit

    @property
    def headers(self) -> dict[str, str]:
        """What is left, as the headers `RateLimit` and `RateLimit-Policy` say it."""
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.limit};w={self.window}',
            "RateLimit": f'"{self.name}";r={max(0, self.limit - self.used)};t={self.ends_in}',
        }


class CircuitBreaker:
    """Remembers, in this process, that the cache failed."""

    open_until = 0.0

    def is_open(self) -> bool:
        """Return whether the cache is not to be asked for now."""
        return time.monotonic() < self.open_until

    def trip(self) -> None:
        """Open the breaker for a while."""
        self.open_until = time.monotonic() + BREAKER_SECONDS


breaker: Final = CircuitBreaker()


def count_request(name: str, whom: str, *, now: float | None = None) -> RateLimitState | None:
    """Count one request of `whom`; None where nothing limits it, or where the cache cannot tell."""
    rate: tuple[int, int] | None = settings.HAGGIS_LIMITS.get(name)
    if rate is None or breaker.is_open():
        return None
    limit, window = rate
    moment = time.time() if now is None else now
    number, passed = divmod(int(moment), window)
    try:
        used = _increment(f"limit:{name}:{whom}:{number}", window)
    except (RedisError, OSError):
        breaker.trip()
        logger.warning("the cache does not answer: requests are not limited for a while")
        return None
    return RateLimitState(name, limit, window, used, window - passed)


def _increment(key: str, seconds: int) -> int:
    """Add one, atomically; the first one of a window makes its counter."""
    try:
        return cache.incr(key)
    except ValueError:
        return 1 if cache.add(key, 1, seconds + 1) else cache.incr(key)
