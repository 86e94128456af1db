"""Send tasks to the broker without waiting for it, through a circuit breaker."""

import logging
from functools import cache
from typing import Any, Final

from celery import Task, current_app
from kombu import Connection
from kombu.exceptions import ChannelError, KombuError, OperationalError
from kombu.pools import producers
from redis.exceptions import RedisError

from games.core.circuit_breakers import BREAKER_SECONDS, CircuitBreaker

# How long a request may wait for an unresponsive broker.
SEND_TIMEOUT_SECONDS: Final = 0.5

log = logging.getLogger(__name__)

_breaker: Final = CircuitBreaker()


def send_task(task: "Task[Any, Any]", *ids: str | int) -> bool:
    """Send a task with ids as arguments; return `False` if the broker fails or the breaker is open."""
    if _breaker.is_open():
        return False
    try:
        with producers[_connection()].acquire(block=True, timeout=SEND_TIMEOUT_SECONDS) as producer:
            task.apply_async(ids, producer=producer, retry=False, ignore_result=True)
    except (OperationalError, OSError) as error:
        _open_breaker(error)
        return False
    return True


def count_messages(queue: str) -> int | None:
    """Return how many messages wait in a queue; `None` if the broker fails or the breaker is open."""
    if _breaker.is_open():
        return None
    try:
        with producers[_connection()].acquire(block=True, timeout=SEND_TIMEOUT_SECONDS) as producer:
            return queue_length(producer.channel, queue)
    except (KombuError, RedisError, OSError) as error:
        _open_breaker(error)
        return None


def queue_length(channel: Any, queue: str) -> int:  # noqa: ANN401 -- depends on the transport
    """Return the length of a queue; in Redis an empty queue does not exist."""
    try:
        return int(channel.queue_declare(queue=queue, passive=True).message_count)
    except ChannelError:
        return 0


def _open_breaker(error: Exception) -> None:
    _breaker.trip()
    log.warning(
        "The broker does not answer (%s): sending no tasks for %s seconds",
        type(error).__name__,
        BREAKER_SECONDS,
    )


@cache
def _connection() -> Connection:
    return short_timeout_connection(None)


def short_timeout_connection(address: str | None) -> Connection:
    """Return a connection to the broker that fails fast; a worker's connection would wait and retry."""
    return current_app.connection_for_write(
        address,
        connect_timeout=SEND_TIMEOUT_SECONDS,
        transport_options={
            "socket_timeout": SEND_TIMEOUT_SECONDS,
            "socket_connect_timeout": SEND_TIMEOUT_SECONDS,
            "max_retries": 0,
        },
    )
