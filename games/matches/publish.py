"""Notify subscribers, workers and other processes of a changed match after the commit."""

import logging
import os
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from time import monotonic, sleep
from typing import Final

from celery import current_app
from django.conf import settings
from django.db import transaction
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from games.core.queues import send_task
from games.matches.store import MatchRow


@dataclass(frozen=True, slots=True)
class MatchChanged:
    """A match has a new version. `wakes` says that a worker has to act next: an AI begins to think.

    `players` are those who hold its seats, taken or offered: their own event streams are concerned too.
    """

    match_id: str
    version: int
    wakes: bool
    players: tuple[int, ...] = ()


Subscriber = Callable[[MatchChanged], None]

_subscribers: Final[list[Subscriber]] = []


def subscribe(subscriber: Subscriber) -> None:
    """Call this function with every match that changed, after the commit."""
    if subscriber not in _subscribers:
        _subscribers.append(subscriber)


def publish(row: MatchRow, *, nudge: bool = True) -> MatchChanged:
    """Notify the subscribers once the running transaction, if any, is committed; return what has changed.

    A worker that goes on with the match itself has no other worker nudged.
    """
    wakes = row.wake_at is not None and (row.wake_at <= row.now or _is_automatic(row))
    players = tuple([seat.player_id for seat in row.seats if seat.player_id is not None])
    changed = MatchChanged(row.id, row.version, wakes=wakes, players=players)
    published = changed if nudge else replace(changed, wakes=False)
    transaction.on_commit(lambda: _notify(published), robust=True)
    return changed


def _is_automatic(row: MatchRow) -> bool:
    """Whether an AI is to act, which thinks before its time to answer has come."""
    return row.to_act is not None and row.seats[row.to_act].is_automatic


def _notify(changed: MatchChanged) -> None:
    for subscriber in _subscribers:
        subscriber(changed)


CHANNEL: Final = "haggis:moved"
PUBLISH_TIMEOUT_SECONDS: Final = 0.5
# So long more news is waited for, to be said in one breath: where much is played that is most of them.
BATCH_WINDOW_SECONDS: Final = 0.003
BREAKER_SECONDS: Final = 5.0
QUEUE_SIZE: Final = 1_000
MAX_BATCH: Final = 100

log = logging.getLogger(__name__)


def publish_to_redis(moved: MatchChanged) -> None:
    """Have it said, if there is anywhere to say it."""
    if settings.HAGGIS_NEWS_URL is not None:
        _publisher(settings.HAGGIS_NEWS_URL, os.getpid()).tell(moved)


@cache
def _publisher(address: str, _process: int) -> "RedisPublisher":
    """The teller of this process: a thread does not follow into a process that is forked."""
    return RedisPublisher(address)


def format_message(moved: MatchChanged) -> str:
    """The ids on one line.

    >>> written_news(MatchChanged("m_1", 42, wakes=False, players=(7, 9)))
    'm_1 42 7,9'
    """
    return f"{moved.match_id} {moved.version} {','.join(map(str, moved.players))}"


def parse_messages(lines: bytes) -> list[MatchChanged]:
    """What one message says: a line for each match."""
    return [moved for line in lines.split(b"\n") if (moved := parse_message(line)) is not None]


def parse_message(line: bytes) -> MatchChanged | None:
    """What such a line says; None for what is none.

    >>> read_news(b"m_1 42 7,9")
    MatchChanged(match_id='m_1', version=42, wakes=False, players=(7, 9))
    """
    try:
        match_id, version, players = line.decode("ascii").split(" ")
        ids = tuple(int(each) for each in players.split(",") if each)
        return MatchChanged(match_id, int(version), wakes=False, players=ids)
    except ValueError:
        return None


class RedisPublisher:
    """A thread that says what it is given, as fast as Redis takes it."""

    def __init__(self, address: str) -> None:
        self._unsaid: Final[queue.Queue[MatchChanged]] = queue.Queue(QUEUE_SIZE)
        self._redis: Final = Redis.from_url(
            address,
            socket_timeout=PUBLISH_TIMEOUT_SECONDS,
            socket_connect_timeout=PUBLISH_TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self._silent_until = 0.0
        threading.Thread(target=self._keep_telling, name="news", daemon=True).start()

    def tell(self, moved: MatchChanged) -> None:
        """Put it in the line; dropped when the line is too long already."""
        try:
            self._unsaid.put_nowait(moved)
        except queue.Full:
            log.debug("too much news at once")

    def _keep_telling(self) -> None:
        while True:
            news = [self._unsaid.get()]
            sleep(BATCH_WINDOW_SECONDS)
            with suppress(queue.Empty):
                while len(news) < MAX_BATCH:
                    news.append(self._unsaid.get_nowait())
            if monotonic() >= self._silent_until:
                self._say(news)

    def _say(self, news: list[MatchChanged]) -> None:
        try:
            self._redis.publish(CHANNEL, "\n".join(map(format_message, news)))
        except (RedisError, OSError) as error:
            self._silent_until = monotonic() + BREAKER_SECONDS
            log.warning("Redis takes no news (%s): left alone for a while", type(error).__name__)


def nudge_workers(changed: MatchChanged) -> None:
    """Nudge the workers if a match that changed is the service's to act in."""
    if changed.wakes:
        send_task(current_app.tasks["games.tasks.turns.take_turns"], changed.match_id, changed.version)
