"""The stream of one match: its log, line by line, from where the reader is."""

from typing import Final

from games.api.events.openings import OfMatch
from games.selectors.watching import entries_after
from games.streams.pool import Pool
from games.streams.stream import Send, Stream
from games.streams.topics import Line, Topics

# What is read at once for a reader who is behind: enough to be quick, little enough to be held.
LINES_AT_ONCE: Final = 100


class MatchStream(Stream):
    """Somebody who watches a match."""

    __slots__ = ("_over", "_pool", "_topics", "after", "match_id")

    def __init__(self, opening: OfMatch, send: Send, topics: Topics, pool: Pool) -> None:
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

    async def _lines(self) -> list[Line]:
        """From what has just been read for everybody; from the database for who is further behind."""
        topic = self._topics.matches[self.match_id]
        lines = topic.after(self.after)
        if lines is None:
            places = {self.match_id: self.after}
            found = await self._pool.run(lambda: entries_after(places, limit=LINES_AT_ONCE))
            return [Line.of(version, entry) for _, version, entry in found]
        return lines[:LINES_AT_ONCE]
