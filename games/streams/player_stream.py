"""The stream of a player: what happens at all of their tables."""

from functools import partial
from typing import Final

from games.api.events.my_events import start_frame, told_frame
from games.api.events.openings import OfPlayer
from games.selectors.player_events import Batch, events_after
from games.streams.pool import Pool
from games.streams.stream import Send, Stream
from games.streams.topics import Topics

EVENTS_AT_ONCE: Final = 100


class PlayerStream(Stream):
    """A player who follows their own tables."""

    __slots__ = ("_pool", "_topics", "place", "player_id")

    def __init__(self, opening: OfPlayer, send: Send, topics: Topics, pool: Pool) -> None:
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
        return b"".join(told_frame(form, told) for told in batch.told)
