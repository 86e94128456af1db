"""Exchange counts of open connections between processes."""

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
# Whoever was at a process that was killed is soon at another one.
SECONDS_KEPT: Final = 5

_PROCESSES: Final = "streams"


class RemoteConnections:
    """Tells the others of these places, and these of the others."""

    def __init__(self, places: ConnectionSlots, pool: DatabaseThreadPool) -> None:
        self._places: Final = places
        self._pool: Final = pool
        self._process: Final = secrets.token_hex(8)

    async def keep_telling(self) -> None:
        """Tell and be told, for ever; at the end, that nobody has any open here."""
        try:
            while True:
                tell = partial(_exchange_or_empty, self._process, self._places.taken())
                self._places.elsewhere = await self._pool.run(tell)
                await asyncio.sleep(EXCHANGE_INTERVAL_SECONDS)
        finally:
            await asyncio.to_thread(_exchange_or_empty, self._process, {})


def _exchange_or_empty(process: str, taken: Mapping[str, int]) -> Counter[str]:
    if breaker.is_open():
        return Counter()
    try:
        return exchange_counts(process, taken)
    except (RedisError, OSError):
        breaker.trip()
        return Counter()


def exchange_counts(process: str, taken: Mapping[str, int]) -> Counter[str]:
    """Tell what is taken in this process; what is taken in all others.

    The list of processes is written by all of them: one that another has just written over is there again
    with its next telling.
    """
    now = time.time()
    listed: dict[str, float] = cache.get(_PROCESSES, {})
    others = {each: at for each, at in listed.items() if each != process and at > now - SECONDS_KEPT}
    cache.set_many({_PROCESSES: {**others, process: now}, _key(process): dict(taken)}, SECONDS_KEPT)
    elsewhere: Counter[str] = Counter()
    for told in cache.get_many([_key(each) for each in others]).values():
        elsewhere.update(told)
    return elsewhere


def _key(process: str) -> str:
    return f"{_PROCESSES}:{process}"
