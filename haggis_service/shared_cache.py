"""The shared cache: it counts in one trip to Redis instead of two, by a client that is not made each time.

Every request is counted, so this is on the way of every move.
"""

from typing import Any, Final

from django.core.cache.backends.redis import RedisCache, RedisCacheClient

# As the interface of caches has it: what is not there is not counted from nothing.
_INCREASE: Final = """
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
return redis.call('INCRBY', KEYS[1], ARGV[1])
"""


class KeptClient(RedisCacheClient):
    """Django's client, with one connection pool behind one object."""

    def __init__(self, *servers: Any, **options: Any) -> None:  # noqa: ANN401 -- as Django's
        super().__init__(*servers, **options)
        self._kept: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:  # noqa: ANN401 -- as Django's
        """The client for reading or for writing; it may be used by many threads."""
        if write not in self._kept:
            self._kept[write] = super().get_client(key, write=write)
        return self._kept[write]

    def incr(self, key: Any, delta: int) -> int:  # noqa: ANN401 -- as Django's
        """Add to a number that is there."""
        increased = self.get_client(key, write=True).eval(_INCREASE, 1, key, delta)
        if increased is None:
            raise ValueError(f"Key '{key}' not found.")
        return int(increased)


class SharedCache(RedisCache):
    """Django's cache on Redis, with that client."""

    def __init__(self, server: str | list[str], params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = KeptClient
