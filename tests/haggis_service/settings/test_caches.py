import secrets

import pytest
from django.conf import settings
from django.core.cache.backends.redis import RedisCache

from haggis_service.settings.caches import TIMEOUT_SECONDS, redis_cache


def redis_cache_for(address: str) -> RedisCache:
    parameters = redis_cache(address)
    return RedisCache(parameters.pop("LOCATION"), parameters)


@pytest.mark.needs("redis")
def test_cache_is_shared_between_clients() -> None:
    key = secrets.token_hex(8)
    redis_cache_for(settings.REDIS_URL).set(key, "a round of Haggis", timeout=5)
    assert redis_cache_for(settings.REDIS_URL).get(key) == "a round of Haggis"


def test_redis_timeouts_are_at_most_half_a_second() -> None:
    options = redis_cache("redis://cache/0")["OPTIONS"]
    assert options == {"socket_connect_timeout": TIMEOUT_SECONDS, "socket_timeout": TIMEOUT_SECONDS}
    assert TIMEOUT_SECONDS <= 0.5
