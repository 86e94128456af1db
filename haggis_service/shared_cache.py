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
_INCREMENT_IF_PRESENT: Final = """
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
return redis.call('INCRBY', KEYS[1], ARGV[1])
"""


class PersistentRedisClient(RedisCacheClient):
    """Django's client, with one connection pool behind one object."""

    def __init__(self, *servers: Any, **options: Any) -> None:  # noqa: ANN401 -- as Django's
        super().__init__(*servers, **options)
        self._clients: dict[bool, Any] = {}
        self._idle: list[Any] = []  # connections, of whose functions Redis' client does not say the types

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:  # noqa: ANN401 -- as Django's
        """The client for reading or for writing; it may be used by many threads."""
        if write not in self._clients:
            self._clients[write] = super().get_client(key, write=write)
        return self._clients[write]

    def incr(self, key: Any, delta: int) -> int:  # noqa: ANN401 -- as Django's
        """Add to a number that is there."""
        try:
            value = self._execute("EVAL", _INCREMENT_IF_PRESENT, 1, key, delta)
        except Disconnected:  # Redis may have begun anew since this thread asked last
            value = self._execute("EVAL", _INCREMENT_IF_PRESENT, 1, key, delta)
        if value is None:
            raise ValueError(f"Key '{key}' not found.")
        return int(value)

    def _execute(self, *command: str | int) -> Any:  # noqa: ANN401 -- what Redis answers
        """One command and its answer."""
        connection = self._take_connection()
        try:
            connection.send_packed_command(connection.pack_command(*command))
            return connection.read_response()
        except BaseException:
            # Whatever it was: an answer that nobody has read would be taken for the next one.
            connection.disconnect()
            raise
        finally:
            self._idle.append(connection)

    def _take_connection(self) -> Any:  # noqa: ANN401 -- as above
        """A connection that nobody uses: the one used last, so that a second try has the same again."""
        while self._idle:
            with suppress(IndexError):  # another thread was first
                connection = self._idle.pop()
                if connection.pid == os.getpid():
                    return connection
        pool = self.get_client(write=True).connection_pool
        return pool.connection_class(**pool.connection_kwargs)


class SharedCache(RedisCache):
    """Django's cache on Redis, with that client."""

    def __init__(self, server: str | list[str], params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = PersistentRedisClient

    def validate_key(self, key: str) -> None:
        """Take every key: what Django warns of, letter by letter, is a limit of memcached."""
