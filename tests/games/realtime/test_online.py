"""Who is online: the players with a stream in any process."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from games.realtime import online
from games.realtime.formats import StreamReader
from games.realtime.handler import DatabaseThreadPool
from games.realtime.online import OnlinePlayers, online_players
from games.realtime.streams import MatchStream, PlayerStream


def stream_of(player_id: int | None) -> Any:
    """Return an object with the part of a stream that counts: its reader."""

    class Stream:
        reader = StreamReader(player_id=player_id, token=None, media_type="text/event-stream")

    return Stream()


def test_players_with_a_stream_are_online_until_their_process_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(online, "PUBLISH_INTERVAL_SECONDS", 0.01)
    streams: list[MatchStream | PlayerStream] = [stream_of(7_000_001), stream_of(None), stream_of(7_000_001)]
    seen: list[frozenset[int]] = []

    async def run() -> None:
        pool = DatabaseThreadPool(1)
        publishing = asyncio.create_task(OnlinePlayers(streams, pool).run())
        for _ in range(500):
            await asyncio.sleep(0.01)
            seen.append(await asyncio.to_thread(online_players))
            if 7_000_001 in seen[-1]:
                streams.clear()
                streams.append(stream_of(7_000_002))
            if 7_000_002 in seen[-1]:
                break
        publishing.cancel()
        with suppress(asyncio.CancelledError):
            await publishing
        pool.close()

    asyncio.run(run())
    assert any(7_000_001 in players for players in seen)
    assert 7_000_002 in seen[-1]
    assert not {7_000_001, 7_000_002} & online_players()
