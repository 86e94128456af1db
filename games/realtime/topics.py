"""The watchers of matches and of players on one event loop.

Log entries are public, so they are read once for all watchers of a match, and for many matches per query.
"""

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol

from django.db import Error

from games.gateway.documents import LogEntry
from games.realtime.formats import ENTRY_EVENT, dump_line, frame
from games.realtime.handler import DatabaseThreadPool
from games.realtime.queries import Entry, entries_after, is_last

MAX_MATCHES_PER_QUERY: Final = 100
RETRY_DELAY_SECONDS: Final = 1.0

log = logging.getLogger(__name__)


class Watcher(Protocol):
    """A stream or long poll that is notified of new events."""

    def notify(self) -> None:
        """Handle the arrival of new events."""


@dataclass(slots=True)
class EncodedEntry:
    """A log entry encoded for streams, once per media type."""

    version: int
    last: bool
    data: str
    frames: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def encode(cls, version: int, entry: LogEntry) -> "EncodedEntry":
        """Encode a log entry."""
        return cls(version, is_last(entry), dump_line(entry))

    def frame(self, media_type: str) -> bytes:
        """Return the frame for a media type, cached for all streams."""
        if media_type not in self.frames:
            self.frames[media_type] = frame(media_type, ENTRY_EVENT, self.version, self.data)
        return self.frames[media_type]


@dataclass(slots=True)
class Topic:
    """A watched match: the version up to which its log was read, and the newest entries."""

    version: int
    watchers: set[Watcher] = field(default_factory=set)
    entries: list[EncodedEntry] = field(default_factory=list)

    def after(self, version: int) -> list[EncodedEntry] | None:
        """Return the entries after a version, or `None` if they are no longer cached."""
        if version >= self.version:
            return []
        if not self.entries or self.entries[0].version > version + 1:
            return None
        return self.entries[version + 1 - self.entries[0].version :]


class Topics:
    """All watched matches and players of one event loop."""

    def __init__(self, pool: DatabaseThreadPool) -> None:
        self._pool: Final = pool
        self.matches: Final[dict[str, Topic]] = {}
        self.players: Final[dict[int, set[Watcher]]] = {}
        self._unread: set[str] = set()
        self._unread_event: Final = asyncio.Event()

    def subscribe_to_match(self, match_id: str, version: int, watcher: Watcher) -> None:
        """Notify a watcher of new entries of a match; `version` is the version that the caller has read."""
        topic = self.matches.get(match_id)
        if topic is None:
            topic = self.matches[match_id] = Topic(version)
            self.schedule_read(match_id)
        topic.watchers.add(watcher)

    def unsubscribe_from_match(self, match_id: str, watcher: Watcher) -> None:
        """Stop notifying a watcher of a match."""
        topic = self.matches.get(match_id)
        if topic is not None:
            topic.watchers.discard(watcher)
            if not topic.watchers:
                del self.matches[match_id]
                self._unread.discard(match_id)

    def subscribe_to_player(self, player_id: int, watcher: Watcher) -> None:
        """Notify a watcher of all events in the player's matches."""
        self.players.setdefault(player_id, set()).add(watcher)

    def unsubscribe_from_player(self, player_id: int, watcher: Watcher) -> None:
        """Stop notifying a watcher of a player."""
        watchers = self.players.get(player_id, set())
        watchers.discard(watcher)
        if not watchers:
            self.players.pop(player_id, None)

    def match_changed(self, match_id: str, version: int, players: Iterable[int]) -> None:
        """Handle a change of a match to a new version."""
        topic = self.matches.get(match_id)
        if topic is not None and version > topic.version:
            self.schedule_read(match_id)
        for player_id in players:
            self.notify_player(player_id)

    def notify_player(self, player_id: int) -> None:
        """Notify the watchers of a player."""
        for watcher in tuple(self.players.get(player_id, ())):
            watcher.notify()

    def schedule_read(self, match_id: str) -> None:
        """Include a match in the next query for new entries."""
        self._unread.add(match_id)
        self._unread_event.set()

    def clear_entries(self) -> None:
        """Drop the cached entries to bound memory; slower streams read theirs from the database."""
        for topic in self.matches.values():
            topic.entries.clear()

    async def run(self) -> None:
        """Read new entries forever; changes that arrive during a query are batched into the next one."""
        while True:
            await self._unread_event.wait()
            self._unread_event.clear()
            versions = {each: self.matches[each].version for each in self._unread if each in self.matches}
            self._unread.clear()
            try:
                await self._read(versions)
            except Error as error:
                log.warning("Cannot read new log entries (%s); trying again", type(error).__name__)
                self._unread.update(versions)
                self._unread_event.set()
                await asyncio.sleep(RETRY_DELAY_SECONDS)

    async def _read(self, versions: dict[str, int]) -> None:
        for chunk in _chunks(versions, MAX_MATCHES_PER_QUERY):
            limit = 10 * MAX_MATCHES_PER_QUERY
            found = await self._pool.run(partial(entries_after, chunk, limit=limit))
            for match_id in {entry[0] for entry in found}:
                self._notify_watchers(match_id, found)
            if len(found) == limit:
                for match_id in chunk:
                    self.schedule_read(match_id)

    def _notify_watchers(self, match_id: str, found: list[Entry]) -> None:
        topic = self.matches.get(match_id)
        if topic is None:
            return
        new = [
            EncodedEntry.encode(version, entry)
            for entry_match_id, version, entry in found
            if entry_match_id == match_id and version > topic.version
        ]
        if new:
            topic.entries = [*topic.entries, *new] if topic.entries else new
            topic.version = new[-1].version
            for watcher in tuple(topic.watchers):
                watcher.notify()


def _chunks(versions: dict[str, int], size: int) -> Iterable[dict[str, int]]:
    items = list(versions.items())
    return (dict(items[start : start + size]) for start in range(0, len(items), size))
