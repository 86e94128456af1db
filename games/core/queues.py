"""Send tasks to the broker without waiting for it, through a circuit breaker."""

import logging
from dataclasses import dataclass
from functools import cache
from time import monotonic
from typing import Any, Final

from celery import Task, current_app
from kombu import Connection
from kombu.exceptions import OperationalError
from kombu.pools import producers

# How long a request may be held up by a broker that does not answer, and how long that is then left alone.
SEND_TIMEOUT_SECONDS: Final = 0.5
BREAKER_SECONDS: Final = 5.0

log = logging.getLogger(__name__)


@dataclass(slots=True)
class CircuitBreaker:
    """Whether the broker is being left alone, and until when."""

    silent_until: float = 0.0


_breaker: Final = CircuitBreaker()


def send_task(task: "Task[Any, Any]", *ids: str | int) -> bool:
    """Send a task the ids it is about; False when the broker did not take it in time, or is left alone."""
    if monotonic() < _breaker.silent_until:
        return False
    try:
        with producers[_connection()].acquire(block=True, timeout=SEND_TIMEOUT_SECONDS) as producer:
            task.apply_async(ids, producer=producer, retry=False, ignore_result=True)
    except (OperationalError, OSError) as error:
        _breaker.silent_until = monotonic() + BREAKER_SECONDS
        log.warning("The broker does not answer (%s): left alone for a while", type(error).__name__)
        return False
    return True


@cache
def _connection() -> Connection:
    return short_timeout_connection(None)


def short_timeout_connection(address: str | None) -> Connection:
    """A way to the broker, or to the one at this address, that gives up where that of a worker waits."""
    return current_app.connection_for_write(
        address,
        connect_timeout=SEND_TIMEOUT_SECONDS,
        transport_options={
            "socket_timeout": SEND_TIMEOUT_SECONDS,
            "socket_connect_timeout": SEND_TIMEOUT_SECONDS,
            "max_retries": 0,
        },
    )
