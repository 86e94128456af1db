"""Open streams of a match or of a player."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from functools import partial
from time import monotonic
from typing import Any, Final

from django.db import Error

from games.realtime.api import event_frame, start_frame
from games.realtime.formats import MatchStreamRequest, PlayerStreamRequest, StreamReader, heartbeat_frame
from games.realtime.handler import DatabaseThreadPool
from games.realtime.queries import Batch, entries_after, events_after
from games.realtime.topics import EncodedEntry, Topics

Send = Callable[[Any], Awaitable[None]]
Receive = Callable[[], Awaitable[Any]]

# The API promises a heartbeat every 15 seconds; the hub checks once a second.
HEARTBEAT_AFTER_SECONDS: Final = 13.5
WRITE_TIMEOUT_SECONDS: Final = 30.0
RETRY_DELAY_SECONDS: Final = 1.0

log = logging.getLogger(__name__)


class Stream(ABC):
    """Base class of streams. Subclasses write the events."""

    __slots__ = (
        "_first_frame",
        "_has_unread",
        "_heartbeat_due",
        "_request_task",
        "_send",
        "_writer_task",
        "ended",
        "last_write_at",
        "reader",
        "writing_since",
    )

    def __init__(self, reader: StreamReader, send: Send, first_frame: bytes) -> None:
        self.reader: Final = reader
        self._send: Final = send
        self._first_frame = first_frame
        self._request_task: asyncio.Task[Any] | None = None
        self._writer_task: asyncio.Task[None] | None = None
        self._has_unread = True
        self._heartbeat_due = False
        self.ended = False
        self.writing_since: float | None = None
        self.last_write_at = monotonic()

    @abstractmethod
    async def catch_up(self) -> bool:
        """Write all unread events; return `False` when no more can follow."""

    async def run(self, receive: Receive) -> None:
        """Write until the client disconnects or the stream ends."""
        self._request_task = asyncio.current_task()
        try:
            self.notify()
            while not self.ended:
                message = await receive()
                if message["type"] == "http.disconnect":
                    break
        except asyncio.CancelledError:
            if not self.ended or self._request_task is None:
                raise
            self._request_task.uncancel()
        finally:
            self.ended, self._request_task = True, None
            if self._writer_task is not None:
                self._writer_task.cancel()

    def notify(self) -> None:
        """Write the new events."""
        self._has_unread = True
        self._start_writing()

    def send_heartbeat_if_due(self, now: float) -> None:
        """Write a heartbeat if the stream is idle; abort it if the client has stopped reading."""
        if self.writing_since is not None:
            if now - self.writing_since > WRITE_TIMEOUT_SECONDS:
                self.abort()
        elif now - self.last_write_at >= HEARTBEAT_AFTER_SECONDS:
            self._heartbeat_due = True
            self._start_writing()

    def close(self) -> None:
        """End the response properly, or abort it if a write is blocked."""
        if self.writing_since is not None:
            self.abort()
        elif not self.ended:
            self.ended = True
            task = self._writer_task
            if task is not None:
                task.cancel()
            self._writer_task = asyncio.create_task(self._send_end())

    def abort(self) -> None:
        """Close the connection without finishing the response."""
        self.ended = True
        if self._request_task is not None:
            self._request_task.cancel()

    async def write(self, content: bytes) -> None:
        """Write, and wait until the client has read enough of the buffer."""
        self.writing_since = monotonic()
        await self._send({"type": "http.response.body", "body": content, "more_body": True})
        self.writing_since = None
        self.last_write_at = monotonic()

    def _start_writing(self) -> None:
        if self._writer_task is None and not self.ended and self._request_task is not None:
            self._writer_task = asyncio.create_task(self._write_pending())

    async def _write_pending(self) -> None:
        try:
            while not self.ended and (self._has_unread or self._heartbeat_due):
                await self._write_next()
        except OSError:
            self.abort()  # the client disconnected
        except Exception:  # clients reconnect to a closed stream, but not to a silent one
            log.exception("A stream failed; closing it")
            self.abort()
        finally:
            if self._writer_task is asyncio.current_task():
                self._writer_task = None

    async def _write_next(self) -> None:
        heartbeat_due, self._heartbeat_due = self._heartbeat_due, False
        if self._first_frame:
            first_frame, self._first_frame = self._first_frame, b""
            await self.write(first_frame)
        elif self._has_unread:
            self._has_unread = False
            try:
                if not await self.catch_up():
                    self.ended = True
                    await self._send_end()
            except Error as error:
                log.warning("A stream cannot read events (%s); trying again", type(error).__name__)
                self._has_unread = True
                await asyncio.sleep(RETRY_DELAY_SECONDS)
        elif heartbeat_due:
            await self.write(heartbeat_frame(self.reader.media_type))

    async def _send_end(self) -> None:
        """End the response."""
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})
        self.abort()


# Bounds the memory used for a client that is behind.
MAX_ENTRIES_PER_WRITE: Final = 100


class MatchStream(Stream):
    """A stream of one match."""

    __slots__ = ("_is_over", "_pool", "_topics", "after", "match_id", "watches")

    def __init__(
        self, stream_request: MatchStreamRequest, send: Send, topics: Topics, pool: DatabaseThreadPool
    ) -> None:
        super().__init__(stream_request.reader, send, stream_request.first_frame)
        self.match_id: Final = stream_request.match_id
        self.watches: Final = stream_request.watches
        self.after = stream_request.after
        self._is_over = stream_request.is_over
        self._topics: Final = topics
        self._pool: Final = pool
        topics.subscribe_to_match(self.match_id, stream_request.version, self)

    def unsubscribe(self) -> None:
        """Stop receiving notifications."""
        self._topics.unsubscribe_from_match(self.match_id, self)

    async def catch_up(self) -> bool:
        """Write the unread entries; return `False` after the last one of the match."""
        if self._is_over:
            return False
        while entries := await self._unread_entries():
            self.after = entries[-1].version
            await self.write(b"".join(entry.frame(self.reader.media_type) for entry in entries))
            if entries[-1].last:
                return False
        return True

    async def _unread_entries(self) -> list[EncodedEntry]:
        """Return unread entries from the shared topic, or from the database if the topic lacks them."""
        topic = self._topics.matches[self.match_id]
        entries = topic.after(self.after)
        if entries is None:
            versions = {self.match_id: self.after}
            found = await self._pool.run(lambda: entries_after(versions, limit=MAX_ENTRIES_PER_WRITE))
            return [EncodedEntry.encode(version, entry) for _, version, entry in found]
        return entries[:MAX_ENTRIES_PER_WRITE]


MAX_EVENTS_PER_QUERY: Final = 100


class PlayerStream(Stream):
    """A stream of all matches of a player."""

    __slots__ = ("_pool", "_topics", "cursor", "notices", "player_id")

    def __init__(
        self, stream_request: PlayerStreamRequest, send: Send, topics: Topics, pool: DatabaseThreadPool
    ) -> None:
        super().__init__(stream_request.reader, send, stream_request.first_frame)
        self.player_id: Final = stream_request.player_id
        self.cursor = stream_request.cursor
        self.notices: Final = stream_request.notices
        self._topics: Final = topics
        self._pool: Final = pool
        topics.subscribe_to_player(self.player_id, self)

    def unsubscribe(self) -> None:
        """Stop receiving notifications."""
        self._topics.unsubscribe_from_player(self.player_id, self)

    async def catch_up(self) -> bool:
        """Write the events after the cursor."""
        more = True
        while more:
            read = partial(events_after, limit=MAX_EVENTS_PER_QUERY, notices=self.notices)
            batch = await self._pool.run(partial(read, self.player_id, self.cursor))
            self.cursor, more = batch.cursor, batch.more
            if content := self._encode(batch):
                await self.write(content)
        return True

    def _encode(self, batch: Batch) -> bytes:
        media_type = self.reader.media_type
        if batch.missed:
            return start_frame(media_type, batch.cursor, missed=True)
        return b"".join(event_frame(media_type, event) for event in batch.events)
