"""Share the counts of open streams and long polls between processes."""

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Mapping
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

_PROCESSES_KEY: Final = "streams"


class RemoteConnections:
    """Publishes the slots in use in this process and reads those of the others."""

    def __init__(self, slots: ConnectionSlots, pool: DatabaseThreadPool) -> None:
        self._slots: Final = slots
        self._pool: Final = pool
        self._process: Final = secrets.token_hex(8)

    async def run(self) -> None:
        """Exchange the counts forever; on cancellation, publish that no slot is in use here."""
        try:
            while True:
                exchange = partial(_exchange_or_empty, self._process, self._slots.in_use())
                self._slots.remote = await self._pool.run(exchange)
                await asyncio.sleep(EXCHANGE_INTERVAL_SECONDS)
        finally:
            await asyncio.to_thread(_exchange_or_empty, self._process, {})


def _exchange_or_empty(process: str, counts: Mapping[str, int]) -> Counter[str]:
    if breaker.is_open():
        return Counter()
    try:
        return exchange_counts(process, counts)
    except (RedisError, OSError):
        breaker.trip()
        return Counter()


def exchange_counts(process: str, counts: Mapping[str, int]) -> Counter[str]:
    """Publish the counts of this process and return the sum of those of all other processes.

    All processes write the same list of processes. A concurrent write may drop one from it until that
    process publishes its counts again.
    """
    now = time.time()
    listed: dict[str, float] = cache.get(_PROCESSES_KEY, {})
    others = {
        each: at for each, at in listed.items() if each != process and at > now - PROCESS_EXPIRY_SECONDS
    }
    cache.set_many(
        {_PROCESSES_KEY: {**others, process: now}, _key(process): dict(counts)}, PROCESS_EXPIRY_SECONDS
    )
    remote: Counter[str] = Counter()
    for remote_counts in cache.get_many([_key(each) for each in others]).values():
        remote.update(remote_counts)
    return remote


def _key(process: str) -> str:
    return f"{_PROCESSES_KEY}:{process}"
