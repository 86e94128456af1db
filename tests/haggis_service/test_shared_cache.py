"""The shared cache counts as the interface of caches has it."""

import pytest
from django.conf import settings

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
