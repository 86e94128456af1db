"""All that waits on one event loop, with what serves it: threads, news, and the keeper."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic
from typing import Any, Final

from django.conf import settings
from django.http import HttpResponse

from games.api.events.door import Awaited, Door, Places
from games.api.events.openings import OfMatch, Opening
from games.matches.publish import MatchChanged
from games.streams.asking import Asking, Scope
from games.streams.elsewhere import Elsewhere
from games.streams.keeper import Keeper, Open
from games.streams.match_stream import MatchStream
from games.streams.news import receive_from, receive_here, receive_no_more
from games.streams.player_stream import PlayerStream
from games.streams.pool import Pool
from games.streams.stream import Receive, Send
from games.streams.topics import Topics

Work = Callable[[], Coroutine[Any, Any, None]]

SECONDS_TO_END: Final = 1.0
SECONDS_AFTER_A_FAULT: Final = 1.0

log = logging.getLogger(__name__)


class Waiter:
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

    def __init__(self, asking: Asking, places: Places) -> None:
        self.asking: Final = asking
        self.places: Final = places
        self.loop: Final = asyncio.get_running_loop()
        self.pool: Final = Pool(settings.HAGGIS_STREAM_THREADS)
        self.topics: Final = Topics(self.pool)
        self.keeper: Final = Keeper(self.topics, self.pool)
        self.is_closed = False
        receive_here(self._moved)
        self._open_now: Final[set[asyncio.Task[Any]]] = set()
        self._tasks: Final = [asyncio.create_task(_for_ever(each)) for each in self._work()]

    def _work(self) -> list[Work]:
        """What goes on beside the streams."""
        work: list[Work] = [
            self.topics.keep_reading,
            self.keeper.keep_beating,
            self.keeper.keep_looking,
        ]
        address = settings.HAGGIS_NEWS_URL
        if address is not None:
            work.append(partial(receive_from, address, self._moved, self.keeper.look_soon))
            work.append(Elsewhere(self.places, self.pool).keep_telling)
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

    async def ask(self, scope: Scope, door: Door) -> HttpResponse:
        """Have a view answer; it may have to be waited for."""
        response = await self.pool.run(partial(self.asking.answer, scope, door))
        awaited: Awaited | None = getattr(response, "awaited", None)
        if awaited is None:
            return response
        door.again = True
        return await self._ask_again(scope, door, awaited)

    async def _ask_again(self, scope: Scope, door: Door, awaited: Awaited) -> HttpResponse:
        """Ask whenever something has happened, until there is an answer or the time is up."""
        until, waiter = monotonic() + awaited.seconds, Waiter()
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

    def _wait_for(self, awaited: Awaited, waiter: Waiter) -> None:
        if awaited.player_id is not None:
            self.topics.follow(awaited.player_id, waiter)
        else:
            self.topics.watch(awaited.match_id, awaited.version, waiter)

    def _leave(self, awaited: Awaited, waiter: Waiter) -> None:
        if awaited.player_id is not None:
            self.topics.unfollow(awaited.player_id, waiter)
        else:
            self.topics.leave(awaited.match_id, waiter)

    async def stream(self, opening: Opening, receive: Receive, send: Send) -> None:
        """Write a stream until it ends."""
        stream = self._open(opening, send)
        self.keeper.streams.add(stream)
        try:
            await stream.run(receive)
        finally:
            self.keeper.streams.discard(stream)
            stream.leave()

    def _open(self, opening: Opening, send: Send) -> Open:
        if isinstance(opening, OfMatch):
            return MatchStream(opening, send, self.topics, self.pool)
        return PlayerStream(opening, send, self.topics, self.pool)

    async def close(self) -> None:
        """End every stream in good order and answer whoever waits: clients come back to the next server."""
        self.is_closed = True
        receive_no_more(self._moved)
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


async def _for_ever(work: Work) -> None:
    """Go on with it whatever happens: all streams depend on it."""
    while True:
        try:
            await work()
        except Exception:  # whatever it is, streams that nobody serves would be worse
            log.exception("a fault in what serves the streams")
        await asyncio.sleep(SECONDS_AFTER_A_FAULT)
