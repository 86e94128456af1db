"""Tests of the streaming ASGI application: routing, limits and shutdown."""

import pytest
from pytest_django import Settings

from games.realtime.asgi import is_streaming_request
from tests.games.realtime.two_player_match import TwoPlayerMatch
from tests.support.streams import StreamService, run_stream_test


@pytest.mark.parametrize(
    ("method", "path", "query", "waits"),
    (
        ("GET", "/api/v1/matches/m_1/events", "", True),
        ("GET", "/api/v1/matches/m_1/events/", "after=3", True),
        ("GET", "/api/v1/me/events", "", True),
        ("HEAD", "/api/v1/me/events", "", True),
        ("GET", "/api/v1/matches/m_1/moves", "after=3&wait=25", True),
        ("GET", "/api/v1/matches/m_1", "wait=", True),
        ("GET", "/api/v1/matches/m_1", "await=25", False),
        ("GET", "/api/v1/matches/m_1/moves", "after=3", False),
        ("POST", "/api/v1/matches/m_1/moves", "wait=25", False),
        ("GET", "/api/v1/matches/m_1/events/more", "", False),
        ("GET", "/elsewhere", "wait=25", False),
    ),
)
def test_streams_and_long_polls_are_recognized(method: str, path: str, query: str, waits: bool) -> None:  # noqa: FBT001 -- a table
    scope = {"type": "http", "method": method, "path": path, "query_string": query.encode()}
    assert is_streaming_request(scope) is waits


def test_streams_per_player_are_limited(committing_database: str, settings: Settings) -> None:
    settings.HAGGIS_MOST_STREAMS_EACH = 2
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        mine = [await service.open(path, two.token) for path in (two.path,)]
        mine.append(await service.open(two.path, two.token))
        refused = await service.open(two.path, two.token)
        body = await refused.body()
        assert (refused.status, body["code"], body["largest"]) == (409, "limit_reached", 2)
        assert (await service.open(two.path, two.seated[1].token)).status == 200
        await mine[0].disconnect()
        assert (await service.open(two.path, two.token)).status == 200

    run_stream_test(test)


def test_streams_per_process_are_limited(committing_database: str, settings: Settings) -> None:
    settings.HAGGIS_MOST_STREAMS = 1
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        await service.open(two.path)
        refused = await service.open(two.path)
        assert (refused.status, (await refused.body())["code"]) == (503, "unavailable")
        assert refused.headers["retry-after"] == "5"

    run_stream_test(test)


def test_a_head_request_opens_no_stream(committing_database: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        looked = await service.open(two.path, method="HEAD")
        assert (looked.status, await looked.body()) == (200, None)
        assert len(service.front.hub.slots) == 0

    run_stream_test(test)


def test_closing_the_server_ends_streams_and_long_polls_properly(committing_database: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        streams = [await service.open(path, two.token) for path in (two.path, "me/events")]
        waiting = service.send(f"matches/{two.match.pk}/moves?after=1&wait=25")
        quickly = await service.open(f"matches/{two.match.pk}/moves?after=1&wait=1")
        await quickly.body()
        await service.front.close()
        assert (await (await waiting.read_start()).body())["results"] == []
        assert [each.name for each in await streams[0].rest()] == ["table"]
        refused = await service.open(two.path)
        assert (refused.status, refused.headers["retry-after"]) == (503, "2")

    run_stream_test(test)


def test_a_stream_is_only_served_in_its_own_media_types(committing_database: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        refused = await service.open(two.path, Accept="application/json")
        assert (refused.status, (await refused.body())["code"]) == (406, "not_acceptable")
        anything = await service.open(two.path, Accept="*/*")
        assert anything.headers["content-type"] == "text/event-stream"

    run_stream_test(test)
