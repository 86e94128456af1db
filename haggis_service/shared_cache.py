"""Django's Redis cache with a faster `incr`: one round trip instead of two, on persistent connections.

The rate limiter counts every request. Through Django's client, redis-py and its pool that took a twelfth of
the CPU time of a move.
"""

import os
from contextlib import suppress
from typing import Any, Final

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import ConnectionError as Disconnected

# The cache API requires `incr` to fail for a missing key.
_INCREMENT_IF_PRESENT: Final = """
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
return redis.call('INCRBY', KEYS[1], ARGV[1])
"""


class PersistentRedisClient(RedisCacheClient):
    """Django's client with a cached Redis client and its own idle connections."""

    def __init__(self, *servers: Any, **options: Any) -> None:  # noqa: ANN401 -- Django's signature
        super().__init__(*servers, **options)
        self._clients: dict[bool, Any] = {}
        self._idle: list[Any] = []  # connections, whose methods redis-py does not type

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:  # noqa: ANN401 -- Django's signature
        """Return the cached client for reading or for writing, which is thread-safe."""
        if write not in self._clients:
            self._clients[write] = super().get_client(key, write=write)
        return self._clients[write]

    def incr(self, key: Any, delta: int) -> int:  # noqa: ANN401 -- Django's signature
        """Increment an existing number."""
        try:
            value = self._execute("EVAL", _INCREMENT_IF_PRESENT, 1, key, delta)
        except Disconnected:  # Redis may have restarted since the last command
            value = self._execute("EVAL", _INCREMENT_IF_PRESENT, 1, key, delta)
        if value is None:
            raise ValueError(f"Key '{key}' not found.")
        return int(value)

    def _execute(self, *command: str | int) -> Any:  # noqa: ANN401 -- any reply of Redis
        """Send one command and return its reply."""
        connection = self._take_connection()
        try:
            connection.send_packed_command(connection.pack_command(*command))
            return connection.read_response()
        except BaseException:
            # Any exception: an unread reply would be taken for the reply to the next command.
            connection.disconnect()
            raise
        finally:
            self._idle.append(connection)

    def _take_connection(self) -> Any:  # noqa: ANN401 -- as above
        """Return an idle connection, the last used first, so that a retry uses the same one; or open one."""
        while self._idle:
            with suppress(IndexError):  # another thread took it
                connection = self._idle.pop()
                if connection.pid == os.getpid():
                    return connection
        pool = self.get_client(write=True).connection_pool
        return pool.connection_class(**pool.connection_kwargs)


class SharedCache(RedisCache):
    """Django's Redis cache with the faster client."""

    def __init__(self, server: str | list[str], params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = PersistentRedisClient

    def validate_key(self, key: str) -> None:
        """Accept every key: Django's check, character by character, is for memcached."""
