"""Fixtures of the task queues, which are in memory and empty at the beginning of each test."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from celery import current_app
from kombu.simple import SimpleQueue

QUEUES = ("default", "ai", "analysis")


@dataclass(frozen=True, slots=True)
class Message:
    """A message as a worker receives it, with its headers and body as the broker stores them."""

    task: str
    arguments: tuple[Any, ...]
    headers: dict[str, Any]
    body: Any


def take(queue: SimpleQueue) -> list[Message]:
    taken: list[Message] = []
    while True:
        try:
            message = queue.get(block=False)
        except queue.Empty:
            return taken
        message.ack()
        arguments = tuple(message.payload[0])
        taken.append(Message(message.headers["task"], arguments, message.headers, message.payload))


def take_all() -> list[Message]:
    with current_app.connection_for_read() as connection:
        return [message for name in QUEUES for message in take(connection.SimpleQueue(name))]


@pytest.fixture
def take_messages() -> Callable[[], list[Message]]:
    """Return a function that removes all messages from the queues and returns them."""
    take_all()
    return take_all


@pytest.fixture
def run_queued_tasks(take_messages: Callable[[], list[Message]]) -> Callable[[], int]:
    """Return a function that runs queued tasks, and those that they queue, and returns their number."""

    def work() -> int:
        done = 0
        while messages := take_messages():
            for message in messages:
                current_app.tasks[message.task](*message.arguments)
                done += 1
        return done

    return work


@pytest.fixture(autouse=True)
def dispatch_without_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dispatch AI turns without the delay that players see."""
    monkeypatch.setattr("games.ai.tasks.run_later", None)
