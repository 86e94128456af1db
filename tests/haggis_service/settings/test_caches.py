import secrets

import pytest
from django.conf import settings
from django.core.cache.backends.redis import RedisCache

from haggis_service.settings.caches import TIMEOUT_SECONDS, redis_cache


def cache_at(address: str) -> RedisCache:
    parameters = redis_cache(address)
    return RedisCache(parameters.pop("LOCATION"), parameters)


@pytest.mark.needs("redis")
def test_what_one_process_puts_into_the_cache_another_finds() -> None:
    key = secrets.token_hex(8)
    cache_at(settings.REDIS_URL).set(key, "a round of Haggis", timeout=5)
    assert cache_at(settings.REDIS_URL).get(key) == "a round of Haggis"


def test_a_frozen_redis_holds_a_request_for_half_a_second_at_most() -> None:
    options = redis_cache("redis://cache/0")["OPTIONS"]
    assert options == {"socket_connect_timeout": TIMEOUT_SECONDS, "socket_timeout": TIMEOUT_SECONDS}
    assert TIMEOUT_SECONDS <= 0.5
