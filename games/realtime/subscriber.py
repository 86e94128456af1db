"""Receive changed matches from this process and from Redis."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from games.matches.publish import CHANNEL, MatchChanged, parse_messages, subscribe

Receiver = Callable[[MatchChanged], None]

SECONDS_TO_CONNECT: Final = 2.0
SECONDS_BETWEEN_PINGS: Final = 5
SECONDS_TO_TRY_AGAIN: Final = 1.0

log = logging.getLogger(__name__)

# Who waits in this process: mostly one, or none.
_local_receivers: Final[dict[Receiver, asyncio.AbstractEventLoop]] = {}


def subscribe_locally(receiver: Receiver) -> None:
    """Have this event loop told of what this process writes, in whatever thread that is."""
    _local_receivers[receiver] = asyncio.get_running_loop()
    subscribe(_notify_local)


def unsubscribe_locally(receiver: Receiver) -> None:
    """Stop that."""
    _local_receivers.pop(receiver, None)


def _notify_local(moved: MatchChanged) -> None:
    for receiver, loop in list(_local_receivers.items()):
        if not loop.is_closed():
            loop.call_soon_threadsafe(receiver, moved)


async def subscribe_to_redis(address: str, receiver: Receiver, connected: Callable[[], None]) -> None:
    """Pass on the news of other processes, for ever.

    Whatever is said while there is no connection is lost: `connected` is called whenever there is one again.
    """
    while True:
        try:
            await _receive(address, receiver, connected)
        except (RedisError, OSError) as error:
            log.warning("Redis gives no news (%s): streams look for themselves", type(error).__name__)
        await asyncio.sleep(SECONDS_TO_TRY_AGAIN)


async def _receive(address: str, receiver: Receiver, connected: Callable[[], None]) -> None:
    redis = Redis.from_url(
        address, socket_connect_timeout=SECONDS_TO_CONNECT, health_check_interval=SECONDS_BETWEEN_PINGS
    )
    async with redis, redis.pubsub(ignore_subscribe_messages=True) as channel:
        await channel.subscribe(CHANNEL)
        connected()
        while True:
            message = await channel.get_message(timeout=SECONDS_BETWEEN_PINGS)
            for moved in () if message is None else parse_messages(message["data"]):
                receiver(moved)
