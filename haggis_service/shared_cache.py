"""The shared cache: it counts in one trip to Redis instead of two, on connections that are kept.

Every request is counted, so this is on the way of every move: through the layers of Django's client and of
Redis' own, and its pool, counting was a twelfth of the CPU time of one.
"""

import os
from contextlib import suppress
from typing import Any, Final

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import ConnectionError as Disconnected

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
        self._idle: list[Any] = []  # connections, of whose functions Redis' client does not say the types

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:  # noqa: ANN401 -- as Django's
        """The client for reading or for writing; it may be used by many threads."""
        if write not in self._kept:
            self._kept[write] = super().get_client(key, write=write)
        return self._kept[write]

    def incr(self, key: Any, delta: int) -> int:  # noqa: ANN401 -- as Django's
        """Add to a number that is there."""
        try:
            increased = self._ask("EVAL", _INCREASE, 1, key, delta)
        except Disconnected:  # Redis may have begun anew since this thread asked last
            increased = self._ask("EVAL", _INCREASE, 1, key, delta)
        if increased is None:
            raise ValueError(f"Key '{key}' not found.")
        return int(increased)

    def _ask(self, *command: str | int) -> Any:  # noqa: ANN401 -- what Redis answers
        """One command and its answer."""
        line = self._idle_line()
        try:
            line.send_packed_command(line.pack_command(*command))
            return line.read_response()
        except BaseException:
            # Whatever it was: an answer that nobody has read would be taken for the next one.
            line.disconnect()
            raise
        finally:
            self._idle.append(line)

    def _idle_line(self) -> Any:  # noqa: ANN401 -- as above
        """A connection that nobody uses: the one used last, so that a second try has the same again."""
        while self._idle:
            with suppress(IndexError):  # another thread was first
                line = self._idle.pop()
                if line.pid == os.getpid():
                    return line
        pool = self.get_client(write=True).connection_pool
        return pool.connection_class(**pool.connection_kwargs)


class SharedCache(RedisCache):
    """Django's cache on Redis, with that client."""

    def __init__(self, server: str | list[str], params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = KeptClient

    def validate_key(self, key: str) -> None:
        """Take every key: what Django warns of, letter by letter, is a limit of memcached."""
