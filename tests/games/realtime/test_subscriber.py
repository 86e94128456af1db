"""Tests of change messages between threads and, through Redis, between processes."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import monotonic

import pytest
from django.conf import settings as service_settings
from pytest_django import Settings

from games.matches.publish import (
    MatchChanged,
    RedisPublisher,
    _notify,
    format_message,
    parse_message,
    parse_messages,
    publish_to_redis,
)
from games.realtime.subscriber import subscribe_locally, subscribe_to_redis, unsubscribe_locally

MOVED = MatchChanged("m_1", 42, needs_service_turn=False, players=(7, 9))


@pytest.mark.parametrize("moved", (MOVED, MatchChanged("m_2", 1, needs_service_turn=False)))
def test_a_message_survives_a_round_trip(moved: MatchChanged) -> None:
    assert parse_message(format_message(moved).encode()) == moved


@pytest.mark.parametrize("line", (b"", b"m_1", b"m_1 x 1", b"m_1 1 x", b"m_1 1 1 1", b"\xff 1 1"))
def test_a_malformed_message_is_parsed_as_none(line: bytes) -> None:
    assert parse_message(line) is None


def test_malformed_lines_of_a_message_are_skipped() -> None:
    other = MatchChanged("m_2", 1, needs_service_turn=False)
    message = "\n".join((format_message(MOVED), "m_3 x 1", format_message(other)))
    assert parse_messages(message.encode()) == [MOVED, other]


@asynccontextmanager
async def subscribed(received: list[MatchChanged]) -> AsyncIterator[None]:
    """Collect the messages from Redis during the block."""
    connected = asyncio.Event()
    receiving = asyncio.create_task(
        subscribe_to_redis(service_settings.REDIS_URL, received.append, connected.set)
    )
    await asyncio.wait_for(connected.wait(), 20)
    yield
    receiving.cancel()
    with suppress(asyncio.CancelledError):
        await receiving


@pytest.mark.needs("redis")
def test_a_burst_of_messages_is_received_completely_and_in_order() -> None:
    received: list[MatchChanged] = []
    mine = [MatchChanged(f"m_{id(received)}", version, needs_service_turn=False) for version in range(250)]

    async def listen() -> None:
        async with subscribed(received):
            publisher = RedisPublisher(service_settings.REDIS_URL)
            for moved in mine:
                publisher.enqueue(moved)
            async with asyncio.timeout(20):
                while not set(mine) <= set(received):  # noqa: ASYNC110 -- other tests may publish on this Redis
                    await asyncio.sleep(0.01)

    asyncio.run(listen())
    assert [moved for moved in received if moved in mine] == mine


@pytest.mark.needs("redis")
def test_a_message_reaches_another_process_through_redis() -> None:
    received: list[MatchChanged] = []

    async def listen() -> None:
        async with subscribed(received):
            mine = MatchChanged(f"m_{id(received)}", 42, needs_service_turn=False, players=(7, 9))
            RedisPublisher(service_settings.REDIS_URL).enqueue(mine)
            async with asyncio.timeout(20):
                while mine not in received:  # noqa: ASYNC110 -- other tests may publish on this Redis
                    await asyncio.sleep(0.01)

    asyncio.run(listen())


def test_the_subscriber_retries_until_redis_is_available(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    async def listen() -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(subscribe_to_redis(f"redis://127.0.0.1:{port}", print, print), 0.3)

    asyncio.run(listen())
    assert "Cannot receive messages from Redis" in caplog.text


def test_publishing_does_not_block_on_an_unresponsive_redis(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as frozen:  # accepts connections but never responds
        settings.HAGGIS_NEWS_URL = f"redis://127.0.0.1:{frozen.getsockname()[1]}"
        began = monotonic()
        for _ in range(5_000):
            publish_to_redis(MOVED)
        assert monotonic() - began < 0.4


def test_a_change_in_another_thread_reaches_the_event_loop() -> None:
    received: list[MatchChanged] = []

    async def listen() -> None:
        notified = asyncio.Event()

        def receive(moved: MatchChanged) -> None:
            received.append(moved)
            notified.set()

        subscribe_locally(receive)
        thread = threading.Thread(target=_notify, args=(MOVED,))
        thread.start()
        await asyncio.wait_for(notified.wait(), 20)
        unsubscribe_locally(receive)
        thread.join()
        _notify(MOVED)
        await asyncio.sleep(0.01)

    asyncio.run(listen())
    assert received == [MOVED]
