"""The queues of tests: in the process, empty at the beginning of each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from celery import current_app
from kombu.simple import SimpleQueue

QUEUES = ("default", "ai", "analysis")


@dataclass(frozen=True, slots=True)
class Message:
    """A message as a worker is given it, and all of it that a broker sees."""

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
    """Everything that waits in the queues."""
    take_all()
    return take_all


@pytest.fixture
def run_queued_tasks(take_messages: Callable[[], list[Message]]) -> Callable[[], int]:
    """Do what waits in the queues, and what comes of it, until nothing is left. How many tasks it was."""

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
    """Give at once what an AI's answer would wait for."""
    monkeypatch.setattr("games.ai.tasks.run_later", None)
