"""Receive changed matches from this process and from Redis."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from games.matches.publish import CHANNEL, MatchChanged, parse_messages, subscribe

Receiver = Callable[[MatchChanged], None]

CONNECT_TIMEOUT_SECONDS: Final = 2.0
PING_INTERVAL_SECONDS: Final = 5
RECONNECT_DELAY_SECONDS: Final = 1.0

log = logging.getLogger(__name__)

# The receivers of this process, usually none or one.
_local_receivers: Final[dict[Receiver, asyncio.AbstractEventLoop]] = {}


def subscribe_locally(receiver: Receiver) -> None:
    """Call the receiver on this event loop for each change made by any thread of this process."""
    _local_receivers[receiver] = asyncio.get_running_loop()
    subscribe(_notify_local)


def unsubscribe_locally(receiver: Receiver) -> None:
    """Stop calling the receiver."""
    _local_receivers.pop(receiver, None)


def _notify_local(changed: MatchChanged) -> None:
    for receiver, loop in list(_local_receivers.items()):
        if not loop.is_closed():
            loop.call_soon_threadsafe(receiver, changed)


async def subscribe_to_redis(address: str, receiver: Receiver, connected: Callable[[], None]) -> None:
    """Pass the changes published by other processes to the receiver, forever.

    Messages published while disconnected are lost, so `connected` is called after each (re)connection.
    """
    while True:
        try:
            await _receive(address, receiver, connected)
        except (RedisError, OSError) as error:
            log.warning(
                "Cannot receive messages from Redis (%s); streams fall back to polling the database",
                type(error).__name__,
            )
        await asyncio.sleep(RECONNECT_DELAY_SECONDS)


async def _receive(address: str, receiver: Receiver, connected: Callable[[], None]) -> None:
    redis = Redis.from_url(
        address, socket_connect_timeout=CONNECT_TIMEOUT_SECONDS, health_check_interval=PING_INTERVAL_SECONDS
    )
    async with redis, redis.pubsub(ignore_subscribe_messages=True) as channel:
        await channel.subscribe(CHANNEL)
        connected()
        while True:
            message = await channel.get_message(timeout=PING_INTERVAL_SECONDS)
            for changed in () if message is None else parse_messages(message["data"]):
                receiver(changed)
