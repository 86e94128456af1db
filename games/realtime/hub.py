"""Everything that waits on one event loop, and its periodic checks."""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Final, TypeVar

from django.conf import settings
from django.db import Error
from django.http import HttpResponse

from games.api.long_polling import ConnectionSlots, LongPollContext, WaitCondition
from games.matches.publish import MatchChanged
from games.realtime.formats import MatchStreamRequest, StreamRequest
from games.realtime.handler import DatabaseThreadPool, DjangoHandler, Scope
from games.realtime.queries import activity_marks, players_allowed, valid_tokens, versions_of
from games.realtime.remote_connections import RemoteConnections
from games.realtime.streams import MatchStream, PlayerStream, Receive, Send
from games.realtime.subscriber import subscribe_locally, subscribe_to_redis, unsubscribe_locally
from games.realtime.topics import Topics

log = logging.getLogger(__name__)

Key = TypeVar("Key", str, int)

SECONDS_BETWEEN_LOOKS: Final = 5.0
SECONDS_BETWEEN_BEATS: Final = 1.0
AT_ONCE: Final = 1_000

Open = MatchStream | PlayerStream


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What one look at the database has found."""

    versions: dict[str, int]
    marks: dict[int, tuple[int, int]]
    tokens: set[str]
    admitted: dict[str, set[int]]


class StreamMonitor:
    """Looks after the streams of one event loop."""

    def __init__(self, topics: Topics, pool: DatabaseThreadPool) -> None:
        self._topics: Final = topics
        self._pool: Final = pool
        self.streams: Final[set[Open]] = set()
        self._marks: dict[int, tuple[int, int] | None] = {}
        self._soon: Final = asyncio.Event()

    def look_soon(self) -> None:
        """Do not wait for the next time: news may just have been lost."""
        self._soon.set()

    async def keep_beating(self) -> None:
        """Let no stream be silent for long."""
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_BEATS)
            now = monotonic()
            for stream in tuple(self.streams):
                stream.beat(now)

    async def keep_looking(self) -> None:
        """Look, for ever."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._soon.wait(), SECONDS_BETWEEN_LOOKS)
            self._soon.clear()
            try:
                await self.look()
            except Error as error:
                log.warning("Streams cannot be looked after (%s)", type(error).__name__)

    async def look(self) -> None:
        """Find what news did not tell, and close the streams of whoever may not read them any more."""
        matches, players, streams = (
            list(self._topics.matches),
            list(self._topics.players),
            tuple(self.streams),
        )
        tokens = {stream.reader.token for stream in streams if stream.reader.token is not None}
        self._topics.forget_lines()
        if not matches and not players:
            return
        seen = await self._pool.run(partial(_look, matches, players, tokens))
        for stream in streams:
            if not _is_allowed(stream, seen):
                stream.close()
        self._wake(seen, players)

    def _wake(self, seen: Snapshot, players: Collection[int]) -> None:
        """Wake whoever was not told."""
        for match_id, version in seen.versions.items():
            self._topics.moved(match_id, version, ())
        for player_id in players:
            if player_id not in self._marks or self._marks[player_id] != seen.marks.get(player_id):
                self._topics.wake_player(player_id)
        self._marks = {player_id: seen.marks.get(player_id) for player_id in players}


def _look(matches: list[str], players: list[int], tokens: Collection[str]) -> Snapshot:
    """Look at everything, a bounded number of keys at a time."""
    return Snapshot(
        versions=_all(versions_of, matches),
        marks=_all(activity_marks, players),
        tokens={token for some in _parts(list(tokens)) for token in valid_tokens(some)},
        admitted=_all(players_allowed, matches),
    )


def _all(find: Callable[[Collection[Key]], dict[Key, Any]], keys: list[Key]) -> dict[Key, Any]:
    return {key: value for some in _parts(keys) for key, value in find(some).items()}


def _parts(keys: list[Key]) -> Iterator[list[Key]]:
    return (keys[start : start + AT_ONCE] for start in range(0, len(keys), AT_ONCE))


def _is_allowed(stream: Open, seen: Snapshot) -> bool:
    """Whether its token still lets somebody in, and the match, where it is one, is still theirs to see."""
    reader = stream.reader
    if reader.token is not None and reader.token not in seen.tokens:
        return False
    if isinstance(stream, PlayerStream):
        return True
    admitted = seen.admitted.get(stream.match_id)
    return stream.match_id in seen.versions and (admitted is None or reader.player_id in admitted)


Work = Callable[[], Coroutine[Any, Any, None]]

SECONDS_TO_END: Final = 1.0
SECONDS_AFTER_A_FAULT: Final = 1.0


class OneShotEvent:
    """Somebody who waits for one thing, once."""

    def __init__(self) -> None:
        self._woken: Final = asyncio.Event()

    def wake(self) -> None:
        """It has come."""
        self._woken.set()

    async def wait(self, seconds: float) -> None:
        """Wait for it, for so long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), seconds)
        self._woken.clear()


class Hub:
    """Begun with the first who waits on an event loop, and ended with the server."""

    def __init__(self, asking: DjangoHandler, places: ConnectionSlots) -> None:
        self.asking: Final = asking
        self.places: Final = places
        self.loop: Final = asyncio.get_running_loop()
        self.pool: Final = DatabaseThreadPool(settings.HAGGIS_STREAM_THREADS)
        self.topics: Final = Topics(self.pool)
        self.keeper: Final = StreamMonitor(self.topics, self.pool)
        self.is_closed = False
        subscribe_locally(self._moved)
        self._open_now: Final[set[asyncio.Task[Any]]] = set()
        self._tasks: Final = [asyncio.create_task(_run_forever(each)) for each in self._work()]

    def _work(self) -> list[Work]:
        """What goes on beside the streams."""
        work: list[Work] = [
            self.topics.keep_reading,
            self.keeper.keep_beating,
            self.keeper.keep_looking,
        ]
        address = settings.HAGGIS_NEWS_URL
        if address is not None:
            work.append(partial(subscribe_to_redis, address, self._moved, self.keeper.look_soon))
            work.append(RemoteConnections(self.places, self.pool).keep_telling)
        return work

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Count the running task among those that wait."""
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("What waits is a task.")
        self._open_now.add(task)
        try:
            yield
        finally:
            self._open_now.discard(task)

    def _moved(self, moved: MatchChanged) -> None:
        self.topics.moved(moved.match_id, moved.version, moved.players)

    async def ask(self, scope: Scope, door: LongPollContext) -> HttpResponse:
        """Have a view answer; it may have to be waited for."""
        response = await self.pool.run(partial(self.asking.answer, scope, door))
        awaited: WaitCondition | None = getattr(response, "awaited", None)
        if awaited is None:
            return response
        door.again = True
        return await self._ask_again(scope, door, awaited)

    async def _ask_again(self, scope: Scope, door: LongPollContext, awaited: WaitCondition) -> HttpResponse:
        """Ask whenever something has happened, until there is an answer or the time is up."""
        until, waiter = monotonic() + awaited.seconds, OneShotEvent()
        self._wait_for(awaited, waiter)
        try:
            while True:
                # At once for the first time: what came before the waiter was there has woken nobody.
                response = await self.pool.run(partial(self.asking.answer, scope, door))
                left = until - monotonic()
                if getattr(response, "awaited", None) is None or left <= 0 or self.is_closed:
                    return response
                await waiter.wait(left)
        finally:
            self._leave(awaited, waiter)

    def _wait_for(self, awaited: WaitCondition, waiter: OneShotEvent) -> None:
        if awaited.player_id is not None:
            self.topics.follow(awaited.player_id, waiter)
        else:
            self.topics.watch(awaited.match_id, awaited.version, waiter)

    def _leave(self, awaited: WaitCondition, waiter: OneShotEvent) -> None:
        if awaited.player_id is not None:
            self.topics.unfollow(awaited.player_id, waiter)
        else:
            self.topics.leave(awaited.match_id, waiter)

    async def stream(self, opening: StreamRequest, receive: Receive, send: Send) -> None:
        """Write a stream until it ends."""
        stream = self._open(opening, send)
        self.keeper.streams.add(stream)
        try:
            await stream.run(receive)
        finally:
            self.keeper.streams.discard(stream)
            stream.leave()

    def _open(self, opening: StreamRequest, send: Send) -> Open:
        if isinstance(opening, MatchStreamRequest):
            return MatchStream(opening, send, self.topics, self.pool)
        return PlayerStream(opening, send, self.topics, self.pool)

    async def close(self) -> None:
        """End every stream in good order and answer whoever waits: clients come back to the next server."""
        self.is_closed = True
        unsubscribe_locally(self._moved)
        for task in self._tasks:
            task.cancel()
        for stream in tuple(self.keeper.streams):
            stream.close()
        for topic in tuple(self.topics.matches.values()):
            for watcher in tuple(topic.watchers):
                watcher.wake()
        for player_id in tuple(self.topics.players):
            self.topics.wake_player(player_id)
        if self._open_now:
            await asyncio.wait(self._open_now, timeout=SECONDS_TO_END)
        await asyncio.to_thread(self.pool.close)


async def _run_forever(work: Work) -> None:
    """Go on with it whatever happens: all streams depend on it."""
    while True:
        try:
            await work()
        except Exception:  # whatever it is, streams that nobody serves would be worse
            log.exception("a fault in what serves the streams")
        await asyncio.sleep(SECONDS_AFTER_A_FAULT)
