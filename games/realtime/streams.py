"""One open stream of a match or of a player."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from functools import partial
from time import monotonic
from typing import Any, Final

from django.db import Error

from games.realtime.api import event_frame, start_frame
from games.realtime.formats import MatchStreamRequest, PlayerStreamRequest, StreamReader, keep_alive_frame
from games.realtime.handler import DatabaseThreadPool
from games.realtime.queries import Batch, entries_after, events_after
from games.realtime.topics import EncodedEntry, Topics

Send = Callable[[Any], Awaitable[None]]
Receive = Callable[[], Awaitable[Any]]

# One is promised every 15 seconds, and looked after once a second.
SECONDS_OF_SILENCE: Final = 13.5
SECONDS_TO_TAKE_IT: Final = 30.0
SECONDS_AFTER_A_FAULT: Final = 1.0

log = logging.getLogger(__name__)


class Stream(ABC):
    """What all streams have in common. Subclasses say what is to be written."""

    __slots__ = (
        "_behind",
        "_first",
        "_main",
        "_quiet",
        "_send",
        "_task",
        "ended",
        "reader",
        "writing_since",
        "written_at",
    )

    def __init__(self, reader: StreamReader, send: Send, first: bytes) -> None:
        self.reader: Final = reader
        self._send: Final = send
        self._first = first
        self._main: asyncio.Task[Any] | None = None
        self._task: asyncio.Task[None] | None = None
        self._behind = True
        self._quiet = False
        self.ended = False
        self.writing_since: float | None = None
        self.written_at = monotonic()

    @abstractmethod
    async def catch_up(self) -> bool:
        """Write what there is to be written; False when there will be nothing more."""

    async def run(self, receive: Receive) -> None:
        """Write until the client has gone, or there is nothing more."""
        self._main = asyncio.current_task()
        try:
            self.wake()
            while not self.ended:
                message = await receive()
                if message["type"] == "http.disconnect":
                    break
        except asyncio.CancelledError:
            if not self.ended or self._main is None:
                raise
            self._main.uncancel()
        finally:
            self.ended, self._main = True, None
            if self._task is not None:
                self._task.cancel()

    def wake(self) -> None:
        """There is something to read."""
        self._behind = True
        self._work()

    def beat(self, now: float) -> None:
        """Say that nothing has happened, if nothing was said for a while; cut off whoever does not listen."""
        if self.writing_since is not None:
            if now - self.writing_since > SECONDS_TO_TAKE_IT:
                self.cut()
        elif now - self.written_at >= SECONDS_OF_SILENCE:
            self._quiet = True
            self._work()

    def close(self) -> None:
        """End it in good order, or at once where the reader takes nothing."""
        if self.writing_since is not None:
            self.cut()
        elif not self.ended:
            self.ended = True
            task = self._task
            if task is not None:
                task.cancel()
            self._task = asyncio.create_task(self._finish())

    def cut(self) -> None:
        """End it at once."""
        self.ended = True
        if self._main is not None:
            self._main.cancel()

    async def write(self, content: bytes) -> None:
        """Write, and wait until the reader has taken enough of what was written before."""
        self.writing_since = monotonic()
        await self._send({"type": "http.response.body", "body": content, "more_body": True})
        self.writing_since = None
        self.written_at = monotonic()

    def _work(self) -> None:
        if self._task is None and not self.ended and self._main is not None:
            self._task = asyncio.create_task(self._keep_up())

    async def _keep_up(self) -> None:
        try:
            while not self.ended and (self._behind or self._quiet):
                await self._step()
        except OSError:
            self.cut()  # the client has gone
        except Exception:  # whatever it is, a stream that says nothing more would be worse than one that ends
            log.exception("a fault in a stream")
            self.cut()
        finally:
            if self._task is asyncio.current_task():
                self._task = None

    async def _step(self) -> None:
        quiet, self._quiet = self._quiet, False
        if self._first:
            first, self._first = self._first, b""
            await self.write(first)
        elif self._behind:
            self._behind = False
            try:
                if not await self.catch_up():
                    self.ended = True
                    await self._finish()
            except Error as error:
                log.warning("A stream cannot read (%s): once more in a while", type(error).__name__)
                self._behind = True
                await asyncio.sleep(SECONDS_AFTER_A_FAULT)
        elif quiet:
            await self.write(keep_alive_frame(self.reader.form))

    async def _finish(self) -> None:
        """Say that this was all."""
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})
        self.cut()


# What is read at once for a reader who is behind: enough to be quick, little enough to be held.
LINES_AT_ONCE: Final = 100


class MatchStream(Stream):
    """Somebody who watches a match."""

    __slots__ = ("_over", "_pool", "_topics", "after", "match_id")

    def __init__(
        self, opening: MatchStreamRequest, send: Send, topics: Topics, pool: DatabaseThreadPool
    ) -> None:
        super().__init__(opening.reader, send, opening.first)
        self.match_id: Final = opening.match_id
        self.after = opening.after
        self._over = opening.over
        self._topics: Final = topics
        self._pool: Final = pool
        topics.watch(self.match_id, opening.version, self)

    def leave(self) -> None:
        """Be woken no more."""
        self._topics.leave(self.match_id, self)

    async def catch_up(self) -> bool:
        """Write the lines after the last one that was written."""
        if self._over:
            return False
        while lines := await self._lines():
            self.after = lines[-1].version
            await self.write(b"".join(line.frame(self.reader.form) for line in lines))
            if lines[-1].last:
                return False
        return True

    async def _lines(self) -> list[EncodedEntry]:
        """From what has just been read for everybody; from the database for who is further behind."""
        topic = self._topics.matches[self.match_id]
        lines = topic.after(self.after)
        if lines is None:
            places = {self.match_id: self.after}
            found = await self._pool.run(lambda: entries_after(places, limit=LINES_AT_ONCE))
            return [EncodedEntry.of(version, entry) for _, version, entry in found]
        return lines[:LINES_AT_ONCE]


EVENTS_AT_ONCE: Final = 100


class PlayerStream(Stream):
    """A player who follows their own tables."""

    __slots__ = ("_pool", "_topics", "place", "player_id")

    def __init__(
        self, opening: PlayerStreamRequest, send: Send, topics: Topics, pool: DatabaseThreadPool
    ) -> None:
        super().__init__(opening.reader, send, opening.first)
        self.player_id: Final = opening.player_id
        self.place = opening.place
        self._topics: Final = topics
        self._pool: Final = pool
        topics.follow(self.player_id, self)

    def leave(self) -> None:
        """Be woken no more."""
        self._topics.unfollow(self.player_id, self)

    async def catch_up(self) -> bool:
        """Write what has happened since the last time."""
        more = True
        while more:
            batch = await self._pool.run(
                partial(events_after, self.player_id, self.place, limit=EVENTS_AT_ONCE)
            )
            self.place, more = batch.place, batch.more
            if content := self._written(batch):
                await self.write(content)
        return True

    def _written(self, batch: Batch) -> bytes:
        form = self.reader.form
        if batch.anew:
            return start_frame(form, batch.place, missed=True)
        return b"".join(event_frame(form, told) for told in batch.told)
