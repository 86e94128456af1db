"""What is looked after every few seconds, for all streams at once.

News may be lost, tokens are revoked, seats at private tables given to others: a handful of queries finds all
of it, however many streams there are.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Final, TypeVar

from django.db import Error

from games.selectors.player_events import marks
from games.selectors.watching import admitted_to, good_tokens, versions_of
from games.streams.match_stream import MatchStream
from games.streams.player_stream import PlayerStream
from games.streams.pool import Pool
from games.streams.topics import Topics

Key = TypeVar("Key", str, int)

SECONDS_BETWEEN_LOOKS: Final = 5.0
SECONDS_BETWEEN_BEATS: Final = 1.0
AT_ONCE: Final = 1_000

log = logging.getLogger(__name__)

Open = MatchStream | PlayerStream


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look at the database has found."""

    versions: dict[str, int]
    marks: dict[int, tuple[int, int]]
    tokens: set[str]
    admitted: dict[str, set[int]]


class Keeper:
    """Looks after the streams of one event loop."""

    def __init__(self, topics: Topics, pool: Pool) -> None:
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
            if not _may_read(stream, seen):
                stream.close()
        self._wake(seen, players)

    def _wake(self, seen: Seen, players: Collection[int]) -> None:
        """Wake whoever was not told."""
        for match_id, version in seen.versions.items():
            self._topics.moved(match_id, version, ())
        for player_id in players:
            if player_id not in self._marks or self._marks[player_id] != seen.marks.get(player_id):
                self._topics.wake_player(player_id)
        self._marks = {player_id: seen.marks.get(player_id) for player_id in players}


def _look(matches: list[str], players: list[int], tokens: Collection[str]) -> Seen:
    """Look at everything, a bounded number of keys at a time."""
    return Seen(
        versions=_all(versions_of, matches),
        marks=_all(marks, players),
        tokens={token for some in _parts(list(tokens)) for token in good_tokens(some)},
        admitted=_all(admitted_to, matches),
    )


def _all(find: Callable[[Collection[Key]], dict[Key, Any]], keys: list[Key]) -> dict[Key, Any]:
    return {key: value for some in _parts(keys) for key, value in find(some).items()}


def _parts(keys: list[Key]) -> Iterator[list[Key]]:
    return (keys[start : start + AT_ONCE] for start in range(0, len(keys), AT_ONCE))


def _may_read(stream: Open, seen: Seen) -> bool:
    """Whether its token still lets somebody in, and the match, where it is one, is still theirs to see."""
    reader = stream.reader
    if reader.token is not None and reader.token not in seen.tokens:
        return False
    if isinstance(stream, PlayerStream):
        return True
    admitted = seen.admitted.get(stream.match_id)
    return stream.match_id in seen.versions and (admitted is None or reader.player_id in admitted)
