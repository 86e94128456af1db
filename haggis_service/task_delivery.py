"""Delivery of task messages: at most one redelivery, and reconnection after a failed acknowledgement.

Celery redelivers a message whenever a worker is lost, so a message that kills its worker would kill every
worker for ever. The work is recorded in the database, where the sweep finds it and counts the attempts, so a
message is dropped when a second worker is lost over it.

Celery still counts a message as in progress if it could not be acknowledged because Redis was unavailable. A
worker whose prefetch limit is used up by such messages fetches no more, never notices that its connection is
lost and stays idle for ever. So a failed acknowledgement is treated as a lost connection.

Celery remembers up to 50,000 expired messages as revoked. Where AIs play all the time, one expires every
second; the sweep sends their work again, so remembering a few is enough.
"""

from typing import Any, Final, Self

import celery
from celery.app import amqp
from celery.worker import request, state
from kombu import Connection
from kombu.asynchronous import Hub, get_event_loop

# The longest pause between attempts to reconnect to the broker. Celery's default is 32 seconds.
MAX_BROKER_RETRY_SECONDS: Final = 5
ACKNOWLEDGEMENT_CHECK_SECONDS: Final = 1.0
MAX_REVOKED_TASKS: Final = 1_000


def limit_revoked_tasks() -> None:
    """Limit how many revoked tasks this process remembers."""
    state.revoked.maxlen = MAX_REVOKED_TASKS


class Request(request.Request):
    """A task message that a worker has received."""

    def acknowledge(self) -> None:
        """Acknowledge the message and check later that this succeeded."""
        super().acknowledge()
        self._schedule_acknowledgement_check()

    def reject(self, requeue: bool = False) -> None:  # noqa: FBT001, FBT002 -- Celery's signature
        """Reject the message; requeue it only if it was not redelivered before."""
        super().reject(requeue=requeue and not self.delivery_info["redelivered"])
        self._schedule_acknowledgement_check()

    def _schedule_acknowledgement_check(self) -> None:
        """Check later: Celery acknowledges in its event loop, and only logs a failure."""
        loop = get_event_loop()
        if loop is not None:
            loop.call_later(ACKNOWLEDGEMENT_CHECK_SECONDS, self._check_acknowledged, loop)

    def _check_acknowledged(self, loop: Hub) -> None:
        if not self.message.acknowledged:
            loop.call_soon(_raise_connection_error)


def _raise_connection_error() -> None:
    """Make the worker's event loop handle a lost connection."""
    raise ConnectionError("could not acknowledge a message")


class Task(celery.Task):  # type: ignore[type-arg]  # generic only for type checkers
    """A task whose messages are redelivered at most once."""

    Request = "haggis_service.task_delivery:Request"


class PersistentConnection(Connection):
    """A connection to the broker that retries every few seconds."""

    def ensure_connection(self, *args: Any, **options: Any) -> Self:  # noqa: ANN401 -- passed on
        """Retry until the connection is established."""
        return super().ensure_connection(*args, **{"interval_max": MAX_BROKER_RETRY_SECONDS, **options})


class Amqp(amqp.AMQP):
    """Celery's AMQP interface with persistent connections."""

    Connection = PersistentConnection
