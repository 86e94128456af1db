"""Who waits for what: matches with those who watch them, players with those who follow their tables.

An entry of the log is public, so it is read once for all who watch its match, and for many matches at a time.
"""

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol

from django.db import Error

from games.realtime.formats import ENTRY, dump_line, frame
from games.realtime.handler import DatabaseThreadPool
from games.realtime.queries import Entry, entries_after, is_last

READ_AT_ONCE: Final = 100
SECONDS_AFTER_A_FAULT: Final = 1.0

log = logging.getLogger(__name__)


class Watcher(Protocol):
    """Whoever waits."""

    def wake(self) -> None:
        """There is something to read."""


@dataclass(slots=True)
class EncodedEntry:
    """One entry as it is written to a stream, in either form."""

    version: int
    last: bool
    data: str
    frames: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, version: int, entry: dict[str, Any]) -> "EncodedEntry":
        """Write the entry."""
        return cls(version, is_last(entry), dump_line(entry))

    def frame(self, form: str) -> bytes:
        """In this form; made once for all."""
        if form not in self.frames:
            self.frames[form] = frame(form, ENTRY, self.version, self.data)
        return self.frames[form]


@dataclass(slots=True)
class Topic:
    """A match that is watched: how far its log has been read, and the newest lines of it."""

    version: int
    watchers: set[Watcher] = field(default_factory=set)
    lines: list[EncodedEntry] = field(default_factory=list)

    def after(self, version: int) -> list[EncodedEntry] | None:
        """The lines after a version; None where they are not at hand any more."""
        if version >= self.version:
            return []
        if not self.lines or self.lines[0].version > version + 1:
            return None
        return self.lines[version + 1 - self.lines[0].version :]


class Topics:
    """All that is waited for on this event loop."""

    def __init__(self, pool: DatabaseThreadPool) -> None:
        self._pool: Final = pool
        self.matches: Final[dict[str, Topic]] = {}
        self.players: Final[dict[int, set[Watcher]]] = {}
        self._unread: set[str] = set()
        self._news: Final = asyncio.Event()

    def watch(self, match_id: str, version: int, watcher: Watcher) -> None:
        """Wake this watcher for what is new of a match that was at this version when it was looked up."""
        topic = self.matches.get(match_id)
        if topic is None:
            topic = self.matches[match_id] = Topic(version)
            self.read(match_id)
        topic.watchers.add(watcher)

    def leave(self, match_id: str, watcher: Watcher) -> None:
        """Wake it no more."""
        topic = self.matches.get(match_id)
        if topic is not None:
            topic.watchers.discard(watcher)
            if not topic.watchers:
                del self.matches[match_id]
                self._unread.discard(match_id)

    def follow(self, player_id: int, watcher: Watcher) -> None:
        """Wake this watcher for whatever happens at the player's tables."""
        self.players.setdefault(player_id, set()).add(watcher)

    def unfollow(self, player_id: int, watcher: Watcher) -> None:
        """Wake it no more."""
        watchers = self.players.get(player_id, set())
        watchers.discard(watcher)
        if not watchers:
            self.players.pop(player_id, None)

    def moved(self, match_id: str, version: int, players: Iterable[int]) -> None:
        """A match has come to this version."""
        topic = self.matches.get(match_id)
        if topic is not None and version > topic.version:
            self.read(match_id)
        for player_id in players:
            self.wake_player(player_id)

    def wake_player(self, player_id: int) -> None:
        """Something happened at this player's tables."""
        for watcher in tuple(self.players.get(player_id, ())):
            watcher.wake()

    def read(self, match_id: str) -> None:
        """Read what is new of a match, with the next reading."""
        self._unread.add(match_id)
        self._news.set()

    def forget_lines(self) -> None:
        """Keep no lines for long: whoever needs them later reads them by themselves."""
        for topic in self.matches.values():
            topic.lines.clear()

    async def keep_reading(self) -> None:
        """Read what is new, for ever; what comes while this reads is read together after it."""
        while True:
            await self._news.wait()
            self._news.clear()
            places = {each: self.matches[each].version for each in self._unread if each in self.matches}
            self._unread.clear()
            try:
                await self._read(places)
            except Error as error:
                log.warning("What is new cannot be read (%s): once more in a while", type(error).__name__)
                self._unread.update(places)
                self._news.set()
                await asyncio.sleep(SECONDS_AFTER_A_FAULT)

    async def _read(self, places: dict[str, int]) -> None:
        for some in _in_parts(places, READ_AT_ONCE):
            limit = 10 * READ_AT_ONCE
            found = await self._pool.run(partial(entries_after, some, limit=limit))
            for match_id in {entry[0] for entry in found}:
                self._tell(match_id, found)
            if len(found) == limit:
                for match_id in some:
                    self.read(match_id)

    def _tell(self, match_id: str, found: list[Entry]) -> None:
        topic = self.matches.get(match_id)
        if topic is None:
            return
        new = [
            EncodedEntry.of(version, entry)
            for of_match, version, entry in found
            if of_match == match_id and version > topic.version
        ]
        if new:
            topic.lines = [*topic.lines, *new] if topic.lines else new
            topic.version = new[-1].version
            for watcher in tuple(topic.watchers):
                watcher.wake()


def _in_parts(places: dict[str, int], size: int) -> Iterable[dict[str, int]]:
    items = list(places.items())
    return (dict(items[start : start + size]) for start in range(0, len(items), size))
