"""Tests of long polls."""

from time import monotonic

import pytest

from games.identity.services import revoke_token
from games.matches.models.match import Match
from games.play.resignation import resign
from tests.games.realtime.two_player_match import TwoPlayerMatch, token_of
from tests.support.streams import StreamService, run_stream_test

LONG = 25


async def version_of(service: StreamService, two: TwoPlayerMatch) -> int:
    return (await service.run_in_pool(Match.objects.get, pk=two.match.pk)).version


@pytest.mark.parametrize("what", ("", "/moves"))
def test_a_long_poll_returns_at_once_if_the_client_is_behind(
    committing_database: str, no_periodic_checks: None, what: str
) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        began = monotonic()
        reader = await service.open(f"matches/{two.match.pk}{what}?after=0&wait={LONG}")
        body = await reader.body()
        assert monotonic() - began < LONG / 2
        assert body["version"] == 1 if not what else [each["version"] for each in body["results"]] == [1]

    run_stream_test(test)


@pytest.mark.parametrize("what", ("", "/moves"))
def test_a_long_poll_returns_when_the_match_changes(
    committing_database: str, no_periodic_checks: None, what: str
) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        version = await version_of(service, two)
        began = monotonic()
        waiting = service.send(f"matches/{two.match.pk}{what}?after={version}&wait={LONG}", two.token)
        other = await service.open(f"matches/{two.match.pk}{what}?after={version}&wait=1")
        before = await other.body()
        assert (before["version"] if not what else before["results"]) == (version if not what else [])
        await two.play(service)
        body = await (await waiting.read_start()).body()
        assert monotonic() - began < LONG / 2
        new = body["version"] if not what else body["results"][-1]["version"]
        assert new == version + 1
        assert len(service.front.hub.slots) == 0
        assert service.front.hub.topics.matches == {}

    run_stream_test(test)


def test_a_table_without_a_version_is_returned_at_once(committing_database: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        began = monotonic()
        reader = await service.open(f"matches/{two.match.pk}?wait={LONG}")
        assert (await reader.body())["version"] == 1
        assert monotonic() - began < LONG / 2

    run_stream_test(test)


def test_a_long_poll_on_a_finished_match_returns_at_once(committing_database: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        await service.run_in_pool(resign, match_id=two.match.pk, player=two.players[0])
        version = await version_of(service, two)
        began = monotonic()
        reader = await service.open(f"matches/{two.match.pk}/moves?after={version}&wait={LONG}")
        assert (await reader.body())["results"] == []
        assert monotonic() - began < LONG / 2

    run_stream_test(test)


def test_a_long_poll_with_a_matching_etag_returns_304_after_the_wait(committing_database: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        path = f"matches/{two.match.pk}?after=1"
        tag = (await service.open(f"{path}&wait=1", two.token)).headers["etag"]
        again = await service.open(f"{path}&wait=1", two.token, If_None_Match=tag)
        assert (again.status, await again.body()) == (304, None)

    run_stream_test(test)


def test_a_long_poll_returns_401_if_the_token_is_revoked_meanwhile(committing_database: str) -> None:
    two = TwoPlayerMatch(visibility="private")

    async def test(service: StreamService) -> None:
        version = await version_of(service, two)
        waiting = service.send(f"matches/{two.match.pk}/moves?after={version}&wait=2", two.token)
        await service.open(f"matches/{two.match.pk}/moves?after={version}&wait=1", two.token)
        await service.run_in_pool(lambda: revoke_token(token=token_of(two.seated[0])))
        refused = await waiting.read_start()
        assert (refused.status, (await refused.body())["code"]) == (401, "not_authenticated")

    run_stream_test(test)


def test_a_disconnect_ends_a_long_poll(committing_database: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        version = await version_of(service, two)
        waiting = service.send(f"matches/{two.match.pk}?after={version}&wait={LONG}")
        await service.open(f"matches/{two.match.pk}?after={version}&wait=1")
        await waiting.disconnect()
        assert len(service.front.hub.slots) == 0
        assert service.front.hub.topics.matches == {}

    run_stream_test(test)


@pytest.mark.parametrize("seconds", ("31", "-1", "x", "1.5", ""))
def test_wait_must_be_an_integer_up_to_thirty(committing_database: str, seconds: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        refused = await service.open(f"matches/{two.match.pk}/moves?wait={seconds}")
        body = await refused.body()
        assert (refused.status, body["code"], body["parameter"]) == (400, "invalid_parameter", "wait")

    run_stream_test(test)


def test_a_wsgi_server_ignores_wait(committing_database: str) -> None:
    two = TwoPlayerMatch()
    began = monotonic()
    answer = two.seated[0].get(f"/moves?after=1&wait={LONG}")
    assert (answer.status_code, answer.json()["results"]) == (200, [])
    assert monotonic() - began < LONG / 2
