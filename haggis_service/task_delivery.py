"""How messages come to workers: once, once more if a worker died at one, and over connections that come back.

Celery gives a message out again whenever a worker is lost, so one that kills its worker would kill every
worker there is, for ever. What a message asked for stands in the database and is found there by the sweep,
which counts its attempts; so the second time that a worker is lost over it, the message is dropped.

A message that could not be acknowledged, because Redis was away, Celery goes on counting as worked on. Once
a worker has as many of those as it takes at a time, it asks for no more, so it never notices that its
connection is gone, and does nothing for ever. So here a failed acknowledgement is a lost connection.

A message that came too late to be of use is dropped, and Celery remembers it, with up to 50,000 others. Where
AIs play all the time there is one each second, and what they are about is asked for again: a few will do.
"""

from typing import Any, Final, Self

import celery
from celery.app import amqp
from celery.worker import request, state
from kombu import Connection
from kombu.asynchronous import Hub, get_event_loop

# A worker whose broker is away tries again this often at the least: Celery would wait for half a minute.
MAX_BROKER_RETRY_SECONDS: Final = 5
ACKNOWLEDGEMENT_CHECK_SECONDS: Final = 1.0
MAX_REVOKED_TASKS: Final = 1_000


def limit_revoked_tasks() -> None:
    """Have this process remember only so many messages that it has dropped."""
    state.revoked.maxlen = MAX_REVOKED_TASKS


class Request(request.Request):
    """A message that a worker holds."""

    def acknowledge(self) -> None:
        """Say that it is done."""
        super().acknowledge()
        self._schedule_acknowledgement_check()

    def reject(self, requeue: bool = False) -> None:  # noqa: FBT001, FBT002 -- Celery's own signature
        """Give it back only if it has not been given back before."""
        super().reject(requeue=requeue and not self.delivery_info["redelivered"])
        self._schedule_acknowledgement_check()

    def _schedule_acknowledgement_check(self) -> None:
        """Celery says it when its loop comes to it, and only logs that it could not: look a little later."""
        loop = get_event_loop()
        if loop is not None:
            loop.call_later(ACKNOWLEDGEMENT_CHECK_SECONDS, self._check_acknowledged, loop)

    def _check_acknowledged(self, loop: Hub) -> None:
        if not self.message.acknowledged:
            loop.call_soon(_raise_connection_error)


def _raise_connection_error() -> None:
    """Have the worker's loop find what it finds when it reads from a connection that is gone."""
    raise ConnectionError("a message could not be acknowledged")


class Task(celery.Task):  # type: ignore[type-arg]  # generic for checkers alone
    """A task whose messages are given out twice at most."""

    Request = "haggis_service.task_delivery:Request"


class PersistentConnection(Connection):
    """A way to the broker that is never left alone for long."""

    def ensure_connection(self, *args: Any, **options: Any) -> Self:  # noqa: ANN401 -- passed on
        """Try until it is there."""
        return super().ensure_connection(*args, **{"interval_max": MAX_BROKER_RETRY_SECONDS, **options})


class Amqp(amqp.AMQP):
    """Celery's queues, by such connections."""

    Connection = PersistentConnection
