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

from games.core.queues import nudge
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
SECONDS_TO_SAY_IT: Final = 0.5
# So long more news is waited for, to be said in one breath: where much is played that is most of them.
SECONDS_TO_GATHER: Final = 0.003
SECONDS_TO_LEAVE_ALONE: Final = 5.0
MOST_UNSAID: Final = 1_000
MOST_AT_ONCE: Final = 100

log = logging.getLogger(__name__)


def tell_streams(moved: MatchChanged) -> None:
    """Have it said, if there is anywhere to say it."""
    if settings.HAGGIS_NEWS_URL is not None:
        _teller(settings.HAGGIS_NEWS_URL, os.getpid()).tell(moved)


@cache
def _teller(address: str, _process: int) -> "Teller":
    """The teller of this process: a thread does not follow into a process that is forked."""
    return Teller(address)


def written_news(moved: MatchChanged) -> str:
    """The ids on one line.

    >>> written_news(MatchChanged("m_1", 42, wakes=False, players=(7, 9)))
    'm_1 42 7,9'
    """
    return f"{moved.match_id} {moved.version} {','.join(map(str, moved.players))}"


def read_all_news(lines: bytes) -> list[MatchChanged]:
    """What one message says: a line for each match."""
    return [moved for line in lines.split(b"\n") if (moved := read_news(line)) is not None]


def read_news(line: bytes) -> MatchChanged | None:
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


class Teller:
    """A thread that says what it is given, as fast as Redis takes it."""

    def __init__(self, address: str) -> None:
        self._unsaid: Final[queue.Queue[MatchChanged]] = queue.Queue(MOST_UNSAID)
        self._redis: Final = Redis.from_url(
            address,
            socket_timeout=SECONDS_TO_SAY_IT,
            socket_connect_timeout=SECONDS_TO_SAY_IT,
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
            sleep(SECONDS_TO_GATHER)
            with suppress(queue.Empty):
                while len(news) < MOST_AT_ONCE:
                    news.append(self._unsaid.get_nowait())
            if monotonic() >= self._silent_until:
                self._say(news)

    def _say(self, news: list[MatchChanged]) -> None:
        try:
            self._redis.publish(CHANNEL, "\n".join(map(written_news, news)))
        except (RedisError, OSError) as error:
            self._silent_until = monotonic() + SECONDS_TO_LEAVE_ALONE
            log.warning("Redis takes no news (%s): left alone for a while", type(error).__name__)


def nudge_workers(changed: MatchChanged) -> None:
    """Nudge the workers if a match that changed is the service's to act in."""
    if changed.wakes:
        nudge(current_app.tasks["games.tasks.turns.take_turns"], changed.match_id, changed.version)
