"""What a worker does with a message whose broker is gone."""

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

from haggis_service import task_delivery
from haggis_service.task_delivery import PersistentConnection, Request

AWAY = ConnectionError("Redis is away")


@pytest.fixture
def hub() -> Iterator[Hub]:
    """The loop of a worker that is not running."""
    before, loop = get_event_loop(), Hub()
    set_event_loop(loop)
    yield loop
    loop.close()
    set_event_loop(before)


@pytest.fixture
def message() -> Iterator[Message]:
    """A message as it comes from a queue."""
    with Connection("memory://") as connection:
        headers = {"id": "1", "task": "games.tasks.sweeping.sweep", "lang": "py"}
        queue = Queue("tried")(connection.default_channel)
        queue.declare()
        with connection.Producer() as producer:
            producer.publish([(), {}, {}], routing_key="tried", headers=headers)
        got = queue.get()
        assert got is not None
        yield got


def request_for(message: Message, later: Hub | None = None) -> Request:
    """The request of a message; acknowledged when a loop comes to it, where there is one, as by a worker."""

    def said_later(*about: Any) -> None:
        assert later is not None
        later.call_soon(message.ack_log_error, *about)

    return Request(
        message,
        on_ack=message.ack_log_error if later is None else said_later,
        on_reject=message.reject_log_error,
        connection_errors=(ConnectionError,),
        app=current_app,
        task=current_app.tasks["games.tasks.sweeping.sweep"],
    )


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_delivery, "ACKNOWLEDGEMENT_CHECK_SECONDS", 0)


def look_again(hub: Hub) -> None:
    """Have the loop come to its timers, and to what these leave it to do."""
    for _ in range(2):
        hub.run_once()


def go_away(message: Message, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise AWAY

    monkeypatch.setattr(message.channel, "basic_ack", fail)
    monkeypatch.setattr(message.channel, "basic_reject", fail)


def test_a_message_that_cannot_be_acknowledged_ends_the_loop_as_a_lost_connection_does(
    hub: Hub, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_away(message, monkeypatch)
    request_for(message).acknowledge()
    with pytest.raises(ConnectionError):
        look_again(hub)


def test_so_does_one_that_cannot_be_given_back(
    hub: Hub, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_away(message, monkeypatch)
    request_for(message).reject(requeue=True)
    with pytest.raises(ConnectionError):
        look_again(hub)


def test_so_does_one_of_the_connection_before(
    hub: Hub, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_away(message, monkeypatch)
    monkeypatch.setattr(message.channel, "closed", True)
    request_for(message).acknowledge()
    with pytest.raises(ConnectionError):
        look_again(hub)


def test_one_that_celery_says_a_little_later_ends_nothing(
    hub: Hub, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task_delivery, "ACKNOWLEDGEMENT_CHECK_SECONDS", 0.05)
    request_for(message, later=hub).acknowledge()
    said = [message.acknowledged]
    hub.run_once()
    said.append(message.acknowledged)
    assert said == [False, True]
    time.sleep(0.06)
    look_again(hub)


def test_one_that_is_acknowledged_ends_nothing(hub: Hub, message: Message) -> None:
    request_for(message).acknowledge()
    assert message.acknowledged
    look_again(hub)


def test_a_broker_that_is_away_is_tried_again_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("kombu.utils.functional.sleep", lambda _: None)
    with current_app.connection_for_read("redis://127.0.0.1:1/0") as connection:
        assert isinstance(connection, PersistentConnection)
        with pytest.raises(OperationalError):
            connection.ensure_connection(lambda _, wait: waits.append(wait), max_retries=9)
    assert waits == [2.0, 4.0, *[5.0] * 7]


def test_of_the_messages_that_came_too_late_a_few_are_remembered() -> None:
    for number in range(3 * task_delivery.MAX_REVOKED_TASKS):
        state.revoked.add(f"late {number}")
    assert len(state.revoked) <= task_delivery.MAX_REVOKED_TASKS
    state.revoked.clear()
