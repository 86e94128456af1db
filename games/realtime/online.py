"""Who is online: the players who have an open stream in any process."""

import asyncio
import secrets
from collections.abc import Collection
from functools import partial
from typing import Final

from games.realtime.handler import DatabaseThreadPool
from games.realtime.remote_connections import ONLINE, exchange_or_empty, read_counts
from games.realtime.streams import MatchStream, PlayerStream

PUBLISH_INTERVAL_SECONDS: Final = 2.0


class OnlinePlayers:
    """Publishes the players with streams in this process."""

    def __init__(self, streams: Collection[MatchStream | PlayerStream], pool: DatabaseThreadPool) -> None:
        self._streams: Final = streams
        self._pool: Final = pool
        self._process: Final = secrets.token_hex(8)

    async def run(self) -> None:
        """Publish the players forever; on cancellation, publish that nobody has a stream here."""
        try:
            while True:
                players = {stream.reader.player_id for stream in tuple(self._streams)} - {None}
                counts = {str(player): 1 for player in players}
                await self._pool.run(partial(exchange_or_empty, ONLINE, self._process, counts))
                await asyncio.sleep(PUBLISH_INTERVAL_SECONDS)
        finally:
            await asyncio.to_thread(exchange_or_empty, ONLINE, self._process, {})


def online_players() -> frozenset[int]:
    """Return the ids of the players who have an open stream, as of a few seconds ago."""
    return frozenset(map(int, read_counts(ONLINE)))
