"""Notify subscribers, workers and other processes of changed matches after the commit."""

import logging
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from time import sleep
from typing import Final

from django.conf import settings
from django.db import transaction
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from games.core.circuit_breakers import BREAKER_SECONDS, CircuitBreaker
from games.core.processes import cached_per_process
from games.matches.store import MatchRow


@dataclass(frozen=True, slots=True)
class MatchChanged:
    """A new version of a match.

    `needs_service_turn` is true if a worker can act now, for an AI or a standing order. `players` are the
    players of all seats, including invited ones, whose personal event streams have to be updated.
    """

    match_id: str
    version: int
    needs_service_turn: bool
    players: tuple[int, ...] = ()


Subscriber = Callable[[MatchChanged], None]

_subscribers: Final[list[Subscriber]] = []
_service_turn_subscribers: Final[list[Subscriber]] = []


def subscribe(subscriber: Subscriber, *, service_turns_only: bool = False) -> None:
    """Call this function with every match that changed, or that needs a service turn, after the commit."""
    subscribers = _service_turn_subscribers if service_turns_only else _subscribers
    if subscriber not in subscribers:
        subscribers.append(subscriber)


def publish(row: MatchRow, *, dispatch: bool = True) -> MatchChanged:
    """Notify the subscribers after the commit of the running transaction, if any.

    Without `dispatch` no task is sent, because the calling worker continues with the match itself.
    """
    needs_service_turn = row.wake_at is not None and row.wake_at <= row.now
    players = tuple([seat.player_id for seat in row.seats if seat.player_id is not None])
    changed = MatchChanged(row.id, row.version, needs_service_turn=needs_service_turn, players=players)
    published = changed if dispatch else replace(changed, needs_service_turn=False)
    transaction.on_commit(lambda: _notify(published), robust=True)
    return changed


def publish_to_player(player_id: int) -> None:
    """Notify the streams of a player of something apart from matches, after the commit.

    It is published like a match without an id, which the processes of earlier releases understand too.
    """
    changed = MatchChanged("", 0, needs_service_turn=False, players=(player_id,))
    transaction.on_commit(lambda: _notify(changed), robust=True)


def _notify(changed: MatchChanged) -> None:
    for subscriber in _subscribers:
        subscriber(changed)
    if changed.needs_service_turn:
        for subscriber in _service_turn_subscribers:
            subscriber(changed)


CHANNEL: Final = "haggis:moved"
PUBLISH_TIMEOUT_SECONDS: Final = 0.5
# How long changes are collected for one message. Under load, most messages carry several.
BATCH_WINDOW_SECONDS: Final = 0.003
QUEUE_SIZE: Final = 1_000
MAX_BATCH: Final = 100

log = logging.getLogger(__name__)


def publish_to_redis(changed: MatchChanged) -> None:
    """Queue a change for publication to other processes, if Redis is configured."""
    if settings.HAGGIS_NEWS_URL is not None:
        _publisher(settings.HAGGIS_NEWS_URL).enqueue(changed)


@cached_per_process
def _publisher(address: str) -> "RedisPublisher":
    """Return the publisher of this process."""
    return RedisPublisher(address)


def format_message(changed: MatchChanged) -> str:
    """Format a change as one line of a message.

    >>> format_message(MatchChanged("m_1", 42, needs_service_turn=False, players=(7, 9)))
    'm_1 42 7,9'
    """
    return f"{changed.match_id} {changed.version} {','.join(map(str, changed.players))}"


def parse_messages(lines: bytes) -> list[MatchChanged]:
    """Parse a message with a line for each match, ignoring malformed lines."""
    return [changed for line in lines.split(b"\n") if (changed := parse_message(line)) is not None]


def parse_message(line: bytes) -> MatchChanged | None:
    """Parse one line of a message; return `None` if it is malformed.

    >>> parse_message(b"m_1 42 7,9")
    MatchChanged(match_id='m_1', version=42, needs_service_turn=False, players=(7, 9))
    """
    try:
        match_id, version, players = line.decode("ascii").split(" ")
        ids = tuple(int(each) for each in players.split(",") if each)
        return MatchChanged(match_id, int(version), needs_service_turn=False, players=ids)
    except ValueError:
        return None


class RedisPublisher:
    """A background thread that publishes changes to Redis in batches."""

    def __init__(self, address: str) -> None:
        # Unlike `Queue` it is written in C and needs no locks of Python, which took 2 % of a move.
        self._queue: Final[queue.SimpleQueue[MatchChanged]] = queue.SimpleQueue()
        self._redis: Final = Redis.from_url(
            address,
            socket_timeout=PUBLISH_TIMEOUT_SECONDS,
            socket_connect_timeout=PUBLISH_TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self._breaker: Final = CircuitBreaker()
        threading.Thread(target=self._run, name="redis-publisher", daemon=True).start()

    def enqueue(self, changed: MatchChanged) -> None:
        """Queue a change for publication, or drop it if the queue is full."""
        if self._queue.qsize() < QUEUE_SIZE:
            self._queue.put(changed)
        else:
            log.debug("The queue of changes to publish is full: a change was dropped")

    def _run(self) -> None:
        while True:
            batch = [self._queue.get()]
            sleep(BATCH_WINDOW_SECONDS)
            with suppress(queue.Empty):
                while len(batch) < MAX_BATCH:
                    batch.append(self._queue.get_nowait())
            if not self._breaker.is_open():
                self._publish(batch)

    def _publish(self, batch: list[MatchChanged]) -> None:
        try:
            self._redis.publish(CHANNEL, "\n".join(map(format_message, batch)))
        except (RedisError, OSError) as error:
            self._breaker.trip()
            log.warning(
                "Redis does not answer (%s): publishing nothing for %s seconds",
                type(error).__name__,
                BREAKER_SECONDS,
            )
