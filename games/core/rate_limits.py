"""Limit the requests of each client in fixed windows, counted in the shared cache.

A limit of more than 100 requests a minute is counted in steps: a process reserves up to ten requests of a
client at once, and asks the cache again when they are used up or after ten seconds. Counting each request in
Redis took a tenth of the CPU time of a move. All processes together never accept more than the limit; one
may refuse a client while others still have up to nine requests reserved each. Lower limits are counted one by
one.
"""

import logging
import os
import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

from games.core.circuit_breakers import BREAKER_SECONDS, CircuitBreaker

# Limits up to this many requests a minute are counted one by one.
EXACT_PER_MINUTE: Final = 100
# A step is this part of the limit, and never larger than ten requests.
STEPS_PER_LIMIT: Final = 50
LARGEST_STEP: Final = 10
# Clients of one limit whose reservations a process remembers. It counts those of further ones one by one.
MAX_CLIENTS: Final = 10_000
# A request that is answered with 304 costs a tenth of one.
UNMODIFIED_REFUND_TENTHS: Final = 9
# After this time the cache is asked again, so that `RateLimit` includes the requests to other processes.
REFRESH_SECONDS: Final = 10.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RateLimitState:
    """The use of a rate limit in the current window, after a request; `remaining` is -1 if it exceeds it."""

    name: str
    limit: int
    window: int
    remaining: int
    seconds_left: int

    @property
    def is_exceeded(self) -> bool:
        """Whether this request exceeds the limit."""
        return self.remaining < 0

    @property
    def headers(self) -> dict[str, str]:
        """The headers `RateLimit` and `RateLimit-Policy`."""
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.limit};w={self.window}',
            "RateLimit": f'"{self.name}";r={max(0, self.remaining)};t={self.seconds_left}',
        }


@dataclass(slots=True)
class _Reservation:
    """Requests of one client: reserved by this process and unused, and unreserved when it asked last."""

    reserved: int
    unreserved: int
    asked_at: float
    refunded_tenths: int = 0

    def use_one(self) -> int:
        """Use a reserved request; return how many requests remain, or -1 if none was reserved."""
        if not self.reserved:
            return -1
        self.reserved -= 1
        return self.reserved + self.unreserved


class _Reservations:
    """What this process has reserved in the current window of one limit, by client."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._window_number = -1
        self._by_client: dict[str, _Reservation] = {}

    def take(self, client: str, window_number: int, now: float) -> int | None:
        """Use a reserved request and return as `use_one` does, or `None` if the cache has to be asked."""
        with self._lock:
            self._start_window(window_number)
            found = self._by_client.get(client)
            if found is None:
                return None
            is_current = found.reserved and now - found.asked_at < REFRESH_SECONDS
            return None if found.unreserved and not is_current else found.use_one()

    def refund(self, client: str, tenths: int, *, limit: int) -> None:
        """Return some tenths of a request. Each whole request can be used again, within the limit."""
        with self._lock:
            found = self._by_client.get(client)
            if found is not None and found.reserved + found.unreserved < limit:
                requests, found.refunded_tenths = divmod(found.refunded_tenths + tenths, 10)
                found.reserved += requests

    def missing(self, client: str, step: int) -> int:
        """Return how many requests to reserve: those that complete a step, or one if there is no room."""
        found = self._by_client.get(client)
        if found is not None:
            return max(1, step - found.reserved)
        return step if len(self._by_client) < MAX_CLIENTS else 1

    def add_and_take(
        self, client: str, window_number: int, now: float, *, count: int, unreserved: int
    ) -> int:
        """Add requests whose reservation left this many unreserved, and use one as `use_one` does."""
        with self._lock:
            self._start_window(window_number)
            found = self._by_client.get(client) or _Reservation(0, 0, now)
            found.reserved += max(0, count + min(0, unreserved))
            found.unreserved, found.asked_at = max(0, unreserved), now
            if count > 1:
                self._by_client[client] = found
            return found.use_one()

    def _start_window(self, number: int) -> None:
        if number != self._window_number:
            self._window_number = number
            self._by_client.clear()


breaker: Final = CircuitBreaker()
_reservations: Final[dict[str, _Reservations]] = defaultdict(_Reservations)
# The parent process keeps what it has reserved.
os.register_at_fork(after_in_child=_reservations.clear)


def count_request(name: str, client: str, *, now: float | None = None) -> RateLimitState | None:
    """Count one request of a client; return `None` if no limit applies or the cache is unavailable."""
    rate: tuple[int, int] | None = settings.HAGGIS_LIMITS.get(name)
    if rate is None:
        return None
    limit, window = rate
    timestamp = time.time() if now is None else now
    number, elapsed = divmod(int(timestamp), window)
    reservations = _reservations[name]
    remaining = reservations.take(client, number, timestamp)
    if remaining is None:
        if breaker.is_open():
            return None
        count = reservations.missing(client, step_size(limit, window))
        try:
            total = _increment(f"limit:{name}:{client}:{number}", count, window)
        except (RedisError, OSError):
            breaker.trip()
            logger.warning("The cache does not answer: rate limits are off for %s seconds", BREAKER_SECONDS)
            return None
        remaining = reservations.add_and_take(
            client, number, timestamp, count=count, unreserved=limit - total
        )
    return RateLimitState(name, limit, window, remaining, window - elapsed)


def refund_request(name: str, client: str) -> None:
    """Let a counted request cost a tenth, because it was answered with 304.

    Limits that are counted one by one have no reservations, so their requests cost the same with any answer.
    """
    rate: tuple[int, int] | None = settings.HAGGIS_LIMITS.get(name)
    if rate is not None:
        _reservations[name].refund(client, UNMODIFIED_REFUND_TENTHS, limit=rate[0])


def read_limits(clients: Mapping[str, str], *, now: float | None = None) -> list[RateLimitState]:
    """Return the state of limits without counting a request, given the client of each by its name.

    What processes have reserved counts as used. If the cache is unavailable, every limit is unused.
    """
    timestamp = time.time() if now is None else now
    windows = {name: divmod(int(timestamp), settings.HAGGIS_LIMITS[name][1]) for name in clients}
    keys = {name: f"limit:{name}:{client}:{windows[name][0]}" for name, client in clients.items()}
    totals: dict[str, int] = {}
    if not breaker.is_open():
        try:
            totals = cache.get_many(keys.values())
        except (RedisError, OSError):
            breaker.trip()
    states = []
    for name, key in keys.items():
        limit, window = settings.HAGGIS_LIMITS[name]
        remaining = max(0, limit - totals.get(key, 0))
        states.append(RateLimitState(name, limit, window, remaining, window - windows[name][1]))
    return states


def step_size(limit: int, window: int) -> int:
    """Return how many requests a process reserves at once.

    >>> step_size(600, 60), step_size(300, 60), step_size(100, 60), step_size(120, 3600), step_size(20, 1)
    (10, 6, 1, 1, 1)
    """
    if limit * 60 <= EXACT_PER_MINUTE * window:
        return 1
    return min(LARGEST_STEP, max(1, limit // STEPS_PER_LIMIT))


def reset_reservations() -> None:
    """Drop what this process has reserved, for tests that empty the cache."""
    _reservations.clear()


def _increment(key: str, step: int, seconds: int) -> int:
    """Add to a counter atomically, creating it with the first request of a window."""
    try:
        return cache.incr(key, step)
    except ValueError:
        return step if cache.add(key, step, seconds + 1) else cache.incr(key, step)
