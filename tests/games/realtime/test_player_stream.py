"""Tests of the events of a player as a stream and as pages."""

from random import Random
from typing import Any

import pytest

from games.lobby.services.creation import create_match
from games.matches.models.match import Match
from games.realtime import queries as realtime_queries
from games.realtime.formats import NDJSON_MEDIA_TYPE, SSE_MEDIA_TYPE
from tests.games.realtime.two_player_match import TwoPlayerMatch, issue_ticket_for, messages_lost, revoke
from tests.support.clients import HttpPlayer
from tests.support.factories import make_player, start_match
from tests.support.streams import StreamService, run_stream_test
from tests.support.table import Table


@pytest.mark.parametrize("media_type", (SSE_MEDIA_TYPE, NDJSON_MEDIA_TYPE))
def test_a_stream_starts_now_and_covers_all_matches_of_the_player(
    committing_database: str, no_periodic_checks: None, media_type: str
) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        reader = await service.open("me/events", two.token, Accept=media_type)
        [start] = await reader.events(1)
        assert (start.name, start.data) == ("start", {"missed": False})
        await two.play(service, 2)
        other = await service.run_in_pool(start_match, *two.players)
        events = await reader.events(3)
        assert [each.data["match"] for each in events] == [two.match.pk] * 2 + [other.pk]
        assert [each.data["entry"] for each in events[:2]] == await service.run_in_pool(two.log, 1)
        assert [each.data["my_seat"] for each in events] == [0, 0, 0]

    run_stream_test(test)


def test_an_invitation_is_streamed_to_the_invited_player(
    committing_database: str, no_periodic_checks: None
) -> None:
    maker, asked = make_player(), HttpPlayer.log_in()
    seats = [{"kind": "me"}, {"kind": "player", "username": asked.username}]

    async def test(service: StreamService) -> None:
        reader = await service.open("me/events", asked.token, Accept=SSE_MEDIA_TYPE)
        await reader.events(1)
        await service.run_in_pool(create_match, maker=maker, body={"ruleset": "classic", "seats": seats})
        events = await reader.events(2)
        assert [each.data["entry"]["type"] for each in events] == ["joined", "invited"]
        assert events[1].data["my_seat"] == events[1].data["entry"]["seat"] == 1

    run_stream_test(test)


def test_a_reader_that_reconnects_at_random_sees_every_event_once_and_in_order(
    committing_database: str,
) -> None:
    rng = Random(11)
    players = make_player(), make_player()
    matches = [start_match(*players) for _ in range(3)]
    tables = [Table.of(match) for match in matches]
    me = tables[0][players[0].username]

    async def test(service: StreamService) -> None:
        place, seen = "", []
        for _ in range(12):
            reader = await service.open(
                "me/events", me.token, Accept=NDJSON_MEDIA_TYPE, **last_event_id_header(place)
            )
            if not place:
                [start] = await reader.events(1)
                place = start.id
            for _ in range(rng.randrange(1, 4)):
                await service.run_in_pool(rng.choice(tables).take_turn)
            for event in await reader.events(rng.randrange(2)):
                seen.append(event)
                place = event.id
            await reader.disconnect()
        events = [(each.data["match"], each.data["entry"]["version"]) for each in seen]
        events += await pages_after(service, me, place)
        for match in matches:
            mine = [version for match_id, version in events if match_id == match.pk]
            assert mine == list(range(2, len(mine) + 2))
        assert len(events) == sum(await service.run_in_pool(versions, matches)) - len(matches)

    run_stream_test(test)


def last_event_id_header(place: str) -> dict[str, str]:
    return {"Last_Event_ID": place} if place else {}


async def pages_after(service: StreamService, player: HttpPlayer, place: str) -> list[tuple[str, int]]:
    """Read all pages after a cursor."""
    events: list[tuple[str, int]] = []
    address: str | None = f"me/events?after={place}"
    while address is not None:
        page: Any = await (await service.open(address, player.token, Accept="application/json")).body()
        events += [(each["match"], each["entry"]["version"]) for each in page["results"]]
        address = page["next"] and page["next"].partition("/api/v1/")[2]
    return events


def versions(matches: list[Match]) -> list[int]:
    return list(Match.objects.filter(pk__in=[each.pk for each in matches]).values_list("version", flat=True))


def test_a_page_starts_now_and_continues_from_its_cursor(committing_database: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        page = await (await service.open("me/events", two.token, Accept="application/json")).body()
        assert (page["results"], page["next"], page["missed"]) == ([], None, False)
        await two.play(service, 5)
        log = await service.run_in_pool(two.log, 1)
        first = await (
            await service.open(f"me/events?limit=3&after={page['cursor']}", two.token, Accept="*/*")
        ).body()
        assert [each["entry"] for each in first["results"]] == log[:3]
        assert first["cursor"] == first["results"][-1]["cursor"]
        assert first["cursor"] in first["next"]
        query = first["next"].partition("?")[2]
        second = await (await service.open(f"me/events?{query}", two.token, Accept="*/*")).body()
        assert [each["entry"] for each in second["results"]] == log[3:]
        middle = first["results"][1]["cursor"]
        again = await (await service.open(f"me/events?after={middle}", two.token, Accept="*/*")).body()
        assert [each["entry"] for each in again["results"]] == log[2:]

    run_stream_test(test)


@pytest.mark.parametrize("fresh", (True, False))
def test_a_page_can_be_long_polled(
    committing_database: str,
    no_periodic_checks: None,
    fresh: bool,  # noqa: FBT001 -- a table
) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        page = await (await service.open("me/events?wait=1", two.token, Accept="*/*")).body()
        assert page["results"] == []
        place = "" if fresh else f"&after={page['cursor']}"
        waiting = service.send(f"me/events?wait=25{place}", two.token, Accept="*/*")
        await (await service.open("me/events?wait=1", two.token, Accept="*/*")).body()
        await two.play(service)
        body = await (await waiting.read_start()).body()
        assert [each["entry"] for each in body["results"]] == await service.run_in_pool(two.log, 1)

    run_stream_test(test)


def test_a_reader_that_missed_too_many_events_gets_missed_instead_of_a_replay(
    committing_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(realtime_queries, "MAX_REPLAYED_EVENTS", 2)
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        page = await (await service.open("me/events", two.token, Accept="*/*")).body()
        await two.play(service, 3)
        stream = await service.open(f"me/events?after={page['cursor']}", two.token, Accept=SSE_MEDIA_TYPE)
        [start] = await stream.events(1)
        assert (start.name, start.data) == ("start", {"missed": True})
        await two.play(service)
        assert (await stream.events(1))[0].data["entry"]["version"] == 5
        answer = await (
            await service.open(f"me/events?after={page['cursor']}", two.token, Accept="*/*")
        ).body()
        assert (answer["missed"], answer["results"]) == (True, [])

    run_stream_test(test)


def test_a_player_stream_needs_a_valid_token_and_ends_when_it_is_revoked(
    committing_database: str, frequent_checks: None
) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        refused = await service.open("me/events", Accept=SSE_MEDIA_TYPE)
        assert (refused.status, (await refused.body())["code"]) == (401, "not_authenticated")
        too_long = await service.open(f"me/events?ticket={'t' * 501}", two.token, Accept=SSE_MEDIA_TYPE)
        assert too_long.status == 400
        ticket = await service.run_in_pool(issue_ticket_for, two.seated[0])
        page = await service.open(f"me/events?ticket={ticket.secret}", Accept="application/json")
        assert page.status == 401
        reader = await service.open(f"me/events?ticket={ticket.secret}", Accept=SSE_MEDIA_TYPE)
        await reader.events(1)
        await service.run_in_pool(revoke, two)
        assert await reader.rest() == []

    run_stream_test(test)


def test_a_change_without_a_message_is_found_by_polling(
    committing_database: str, frequent_checks: None
) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        reader = await service.open("me/events", two.token, Accept=SSE_MEDIA_TYPE)
        await reader.events(1)
        with messages_lost(service):
            await two.play(service)
        assert (await reader.events(1))[0].data["entry"]["version"] == 2

    run_stream_test(test)
