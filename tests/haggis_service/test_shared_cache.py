"""The shared cache counts as the interface of caches has it."""

import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import settings
from redis.exceptions import TimeoutError as RedisTimeoutError

from haggis_service.settings.caches import redis_cache
from haggis_service.shared_cache import SharedCache

pytestmark = pytest.mark.needs("redis")


@pytest.fixture
def shared() -> SharedCache:
    made = redis_cache(settings.REDIS_URL)
    cache = SharedCache(made["LOCATION"], {**made, "KEY_PREFIX": "test-of-the-shared-cache"})
    cache.delete("counter")
    return cache


def test_it_counts_what_is_there(shared: SharedCache) -> None:
    shared.add("counter", 1, 10)
    assert [shared.incr("counter"), shared.incr("counter", 5)] == [2, 7]
    assert shared.get("counter") == 7


def test_what_is_not_there_is_not_counted(shared: SharedCache) -> None:
    with pytest.raises(ValueError, match="not found"):
        shared.incr("counter")
    assert shared.get("counter") is None


def test_its_client_is_made_once(shared: SharedCache) -> None:
    client = shared._cache.get_client(None, write=True)
    assert shared._cache.get_client("counter", write=True) is client


def test_a_connection_that_was_lost_is_made_anew(shared: SharedCache) -> None:
    shared.add("counter", 1, 10)
    shared.incr("counter")
    line = _line(shared)
    line._sock.shutdown(socket.SHUT_RDWR)
    assert shared.incr("counter") == 3
    assert _line(shared) is line


def _line(shared: SharedCache) -> Any:
    """The connection that was used last."""
    client: Any = shared._cache
    return client._idle[-1]


def _too_late() -> None:
    raise RedisTimeoutError


def test_an_answer_that_came_too_late_is_not_taken_for_the_next_one(
    shared: SharedCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared.add("counter", 1, 10)
    shared.incr("counter")
    line = _line(shared)
    with monkeypatch.context() as late:
        late.setattr(line, "read_response", _too_late)
        with pytest.raises(RedisTimeoutError):
            shared.incr("counter", 10)
    assert shared.get("counter") == 12
    assert shared.incr("counter") == 13


def test_threads_do_not_take_each_others_answers(shared: SharedCache) -> None:
    shared.add("counter", 0, 10)
    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(lambda _: shared.incr("counter"), range(200))) == list(range(1, 201))
