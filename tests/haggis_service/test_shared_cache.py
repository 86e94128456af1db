"""The shared cache increments as Django's cache API requires."""

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
    parameters = redis_cache(settings.REDIS_URL)
    cache = SharedCache(parameters["LOCATION"], {**parameters, "KEY_PREFIX": "test-of-the-shared-cache"})
    cache.delete("counter")
    return cache


def test_incr_adds_to_an_existing_key(shared: SharedCache) -> None:
    shared.add("counter", 1, 10)
    assert [shared.incr("counter"), shared.incr("counter", 5)] == [2, 7]
    assert shared.get("counter") == 7


def test_incr_of_a_missing_key_raises_value_error(shared: SharedCache) -> None:
    with pytest.raises(ValueError, match="not found"):
        shared.incr("counter")
    assert shared.get("counter") is None


def test_redis_client_is_cached(shared: SharedCache) -> None:
    client = shared._cache.get_client(None, write=True)
    assert shared._cache.get_client("counter", write=True) is client


def test_lost_connection_is_reestablished(shared: SharedCache) -> None:
    shared.add("counter", 1, 10)
    shared.incr("counter")
    connection = _last_connection(shared)
    connection._sock.shutdown(socket.SHUT_RDWR)
    assert shared.incr("counter") == 3
    assert _last_connection(shared) is connection


def _last_connection(shared: SharedCache) -> Any:
    """Return the connection that was used last."""
    client: Any = shared._cache
    return client._idle[-1]


def _time_out() -> None:
    raise RedisTimeoutError


def test_late_reply_is_not_read_by_the_next_command(
    shared: SharedCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared.add("counter", 1, 10)
    shared.incr("counter")
    connection = _last_connection(shared)
    with monkeypatch.context() as late:
        late.setattr(connection, "read_response", _time_out)
        with pytest.raises(RedisTimeoutError):
            shared.incr("counter", 10)
    assert shared.get("counter") == 12
    assert shared.incr("counter") == 13


def test_threads_do_not_mix_replies(shared: SharedCache) -> None:
    shared.add("counter", 0, 10)
    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(lambda _: shared.incr("counter"), range(200))) == list(range(1, 201))
