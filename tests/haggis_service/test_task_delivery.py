"""Workers reconnect after a failed acknowledgement, and redeliver a message once."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from celery import current_app
from celery.worker import state
from kombu import Connection, Queue
from kombu.asynchronous import Hub, get_event_loop, set_event_loop
from kombu.exceptions import OperationalError
from kombu.message import Message

from games.sweep.tasks import sweep
from haggis_service import task_delivery
from haggis_service.task_delivery import PersistentConnection, Request

UNAVAILABLE = ConnectionError("Redis is unavailable")


@pytest.fixture
def hub() -> Iterator[Hub]:
    """Provide the event loop of a worker, not running."""
    before, loop = get_event_loop(), Hub()
    set_event_loop(loop)
    yield loop
    loop.close()
    set_event_loop(before)


@pytest.fixture
def message() -> Iterator[Message]:
    """Provide a message received from a queue."""
    with Connection("memory://") as connection:
        headers = {"id": "1", "task": "games.tasks.sweeping.sweep", "lang": "py"}
        queue = Queue("tests")(connection.default_channel)
        queue.declare()
        with connection.Producer() as producer:
            producer.publish([(), {}, {}], routing_key="tests", headers=headers)
        received = queue.get()
        assert received is not None
        yield received


def request_for(message: Message, hub: Hub | None = None) -> Request:
    """Return the request of a message; with a loop it is acknowledged there, as in a worker."""

    def acknowledge_later(*about: Any) -> None:
        assert hub is not None
        hub.call_soon(message.ack_log_error, *about)

    return Request(
        message,
        on_ack=message.ack_log_error if hub is None else acknowledge_later,
        on_reject=message.reject_log_error,
        connection_errors=(ConnectionError,),
        app=current_app,
        task=sweep,
    )


@pytest.fixture(autouse=True)
def check_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_delivery, "ACKNOWLEDGEMENT_CHECK_SECONDS", 0)


def run_timers(hub: Hub) -> None:
    """Run the timers of the loop and what they schedule."""
    for _ in range(2):
        hub.run_once()


def make_broker_unavailable(message: Message, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise UNAVAILABLE

    monkeypatch.setattr(message.channel, "basic_ack", fail)
    monkeypatch.setattr(message.channel, "basic_reject", fail)


def test_failed_acknowledgement_is_handled_as_a_lost_connection(
    hub: Hub, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_broker_unavailable(message, monkeypatch)
    request_for(message).acknowledge()
    with pytest.raises(ConnectionError):
        run_timers(hub)


def test_failed_rejection_is_handled_as_a_lost_connection(
    hub: Hub, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_broker_unavailable(message, monkeypatch)
    request_for(message).reject(requeue=True)
    with pytest.raises(ConnectionError):
        run_timers(hub)


def test_acknowledgement_on_a_closed_channel_is_handled_as_a_lost_connection(
    hub: Hub, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_broker_unavailable(message, monkeypatch)
    monkeypatch.setattr(message.channel, "closed", True)
    request_for(message).acknowledge()
    with pytest.raises(ConnectionError):
        run_timers(hub)


def test_acknowledgement_scheduled_by_celery_is_not_a_lost_connection(
    hub: Hub, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task_delivery, "ACKNOWLEDGEMENT_CHECK_SECONDS", 0.05)
    request_for(message, hub=hub).acknowledge()
    acknowledged = [message.acknowledged]
    hub.run_once()
    acknowledged.append(message.acknowledged)
    assert acknowledged == [False, True]
    time.sleep(0.06)
    run_timers(hub)


def test_successful_acknowledgement_is_not_a_lost_connection(hub: Hub, message: Message) -> None:
    request_for(message).acknowledge()
    assert message.acknowledged
    run_timers(hub)


def test_connection_retries_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("kombu.utils.functional.sleep", lambda _: None)
    with current_app.connection_for_read("redis://127.0.0.1:1/0") as connection:
        assert isinstance(connection, PersistentConnection)
        with pytest.raises(OperationalError):
            connection.ensure_connection(lambda _, wait: waits.append(wait), max_retries=9)
    assert waits == [2.0, 4.0, *[5.0] * 7]


def test_number_of_remembered_revoked_tasks_is_limited() -> None:
    for number in range(3 * task_delivery.MAX_REVOKED_TASKS):
        state.revoked.add(f"expired {number}")
    assert len(state.revoked) <= task_delivery.MAX_REVOKED_TASKS
    state.revoked.clear()
