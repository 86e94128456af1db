"""Share counts of connections between processes: of the slots in use, and of watchers."""

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from django.core.cache import cache
from redis.exceptions import RedisError

from games.api.long_polling import ConnectionSlots
from games.core.rate_limits import breaker
from games.realtime.handler import DatabaseThreadPool

EXCHANGE_INTERVAL_SECONDS: Final = 1.5
# Short, since the clients of a killed process soon reconnect to another one.
PROCESS_EXPIRY_SECONDS: Final = 5

# What is counted: slots by client, watchers by match, and who has a stream by player.
SLOTS: Final = "streams"
WATCHERS: Final = "watchers"
ONLINE: Final = "online"


class RemoteConnections:
    """Publishes the slots in use in this process and reads those of the others."""

    def __init__(self, slots: ConnectionSlots, pool: DatabaseThreadPool) -> None:
        self._slots: Final = slots
        self._pool: Final = pool
        self._process: Final = secrets.token_hex(8)

    async def run(self) -> None:
        """Exchange the counts forever; on cancellation, publish that this process uses no slot."""
        try:
            while True:
                exchange = partial(exchange_or_empty, SLOTS, self._process, self._slots.in_use())
                self._slots.remote = await self._pool.run(exchange)
                await asyncio.sleep(EXCHANGE_INTERVAL_SECONDS)
        finally:
            await asyncio.to_thread(exchange_or_empty, SLOTS, self._process, {})


def exchange_or_empty(kind: str, process: str, counts: Mapping[str, int]) -> Counter[str]:
    """Exchange counts as `exchange_counts` does; return no counts while the cache is not available."""
    if breaker.is_open():
        return Counter()
    try:
        return exchange_counts(kind, process, counts)
    except (RedisError, OSError):
        breaker.trip()
        return Counter()


def exchange_counts(kind: str, process: str, counts: Mapping[str, int]) -> Counter[str]:
    """Publish the counts of this process and return the sum of those of all other processes.

    All processes write the same list of processes. A concurrent write may drop one from it until that
    process publishes its counts again.
    """
    now = time.time()
    listed: dict[str, float] = cache.get(kind, {})
    others = {
        each: at for each, at in listed.items() if each != process and at > now - PROCESS_EXPIRY_SECONDS
    }
    cache.set_many(
        {kind: {**others, process: now}, _key(kind, process): dict(counts)}, PROCESS_EXPIRY_SECONDS
    )
    return _sum_counts(kind, others)


def read_counts(kind: str) -> Counter[str]:
    """Return the sum of the counts of all processes, or no counts while the cache is not available."""
    if breaker.is_open():
        return Counter()
    try:
        return _sum_counts(kind, cache.get(kind, {}))
    except (RedisError, OSError):
        breaker.trip()
        return Counter()


def _sum_counts(kind: str, processes: Iterable[str]) -> Counter[str]:
    total: Counter[str] = Counter()
    for counts in cache.get_many([_key(kind, process) for process in processes]).values():
        total.update(counts)
    return total


def _key(kind: str, process: str) -> str:
    return f"{kind}:{process}"
