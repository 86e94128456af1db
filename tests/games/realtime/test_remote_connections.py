"""Tests of the connection counts that processes share."""

import asyncio
import time
from collections import Counter
from contextlib import suppress

import pytest
from django.core.cache import cache
from pytest_django import Settings
from redis.exceptions import ConnectionError as RedisIsAway

from games.api.long_polling import ConnectionSlots
from games.core.errors import Problem
from games.core.rate_limits import breaker
from games.realtime import remote_connections
from games.realtime.handler import DatabaseThreadPool
from games.realtime.remote_connections import (
    PROCESS_EXPIRY_SECONDS,
    SLOTS,
    RemoteConnections,
    exchange_counts,
)


@pytest.fixture(autouse=True)
def _empty_cache(settings: Settings) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()


def test_each_process_receives_the_sum_of_the_counts_of_all_others() -> None:
    assert exchange_counts(SLOTS, "a", {"p1": 2, "p2": 1}) == Counter()
    assert exchange_counts(SLOTS, "b", {"p1": 3}) == {"p1": 2, "p2": 1}
    assert exchange_counts(SLOTS, "c", {}) == {"p1": 5, "p2": 1}
    assert exchange_counts(SLOTS, "a", {"p2": 1}) == {"p1": 3}
    assert exchange_counts(SLOTS, "c", {}) == {"p1": 3, "p2": 1}


def test_the_counts_of_a_silent_process_expire(monkeypatch: pytest.MonkeyPatch) -> None:
    exchange_counts(SLOTS, "a", {"p1": 2})
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + PROCESS_EXPIRY_SECONDS + 1)
    assert exchange_counts(SLOTS, "b", {}) == Counter()


def test_streams_in_other_processes_count_towards_the_limit(settings: Settings) -> None:
    settings.HAGGIS_MOST_STREAMS_EACH = 3
    slots = ConnectionSlots()
    slots.remote = Counter({"p1": 2})
    slots.acquire("p1")
    with pytest.raises(Problem, match="3 streams"):
        slots.acquire("p1")
    slots.acquire("p2")


def run_exchange_for(slots: ConnectionSlots, seconds: float) -> None:
    """Exchange counts for some seconds, then stop."""

    async def go_on() -> None:
        pool = DatabaseThreadPool(1)
        with suppress(TimeoutError):
            await asyncio.wait_for(RemoteConnections(slots, pool).run(), seconds)
        pool.close()

    asyncio.run(go_on())


def test_a_process_exchanges_counts_repeatedly_and_clears_its_own_on_exit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(remote_connections, "EXCHANGE_INTERVAL_SECONDS", 0.01)
    exchange_counts(SLOTS, "other", {"p1": 2})
    slots = ConnectionSlots()
    slots.acquire("p2")
    run_exchange_for(slots, 0.3)
    assert slots.remote == {"p1": 2}
    assert exchange_counts(SLOTS, "other", {}) == Counter()


def test_each_process_counts_only_its_own_streams_without_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Counter[str]:
        raise RedisIsAway

    monkeypatch.setattr(remote_connections, "exchange_counts", fail)
    monkeypatch.setattr(breaker, "open_until", 0.0)
    slots = ConnectionSlots()
    slots.remote = Counter({"p1": 2})
    run_exchange_for(slots, 0.1)
    assert slots.remote == Counter()
    assert breaker.is_open()
    monkeypatch.setattr(breaker, "open_until", 0.0)
