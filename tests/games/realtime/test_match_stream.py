"""Tests of the stream of one match."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from games.accounts.models import Ticket
from games.identity.models import ApiToken, Closing
from games.identity.services import close_account
from games.lobby.services.membership import cancel_match
from games.matches.models.match import Match, Seat
from games.play.resignation import resign
from games.realtime import api as realtime_api
from games.realtime import queries as realtime_queries
from games.realtime import topics
from games.realtime.formats import NDJSON_MEDIA_TYPE, SSE_MEDIA_TYPE
from tests.games.realtime.two_player_match import (
    TwoPlayerMatch,
    issue_ticket_for,
    messages_lost,
    revoke,
)
from tests.support.clients import HttpPlayer
from tests.support.factories import make_match, make_player
from tests.support.streams import StreamService, run_stream_test


@pytest.mark.parametrize("media_type", (SSE_MEDIA_TYPE, NDJSON_MEDIA_TYPE))
def test_a_stream_starts_with_the_table_followed_by_every_entry(
    committing_database: str, no_periodic_checks: None, media_type: str
) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        reader = await service.open(two.path, two.token, Accept=media_type)
        assert reader.status == 200
        assert reader.headers["content-type"] == media_type
        assert "content-length" not in reader.headers
        [table] = await reader.events(1)
        seen = await service.run_in_pool(two.seated[0].table)
        assert (table.name, int(table.id)) == ("table", seen["version"])
        assert table.data | {"now": None} == seen | {"now": None}
        await two.play(service, 5)
        entries = await reader.events(5)
        assert [each.name for each in entries] == ["entry"] * 5
        assert [each.data for each in entries] == await service.run_in_pool(two.log, seen["version"])
        assert [int(each.id) for each in entries] == [each.data["version"] for each in entries]

    run_stream_test(test)


def test_a_reader_with_a_version_gets_only_the_entries_after_it(committing_database: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        await two.play(service, 6)
        log = await service.run_in_pool(two.log)
        by_address = await service.open(f"{two.path}?after=2")
        by_header = await service.open(f"{two.path}?after=1", Last_Event_ID="4")
        assert [each.data for each in await by_address.events(len(log) - 2)] == log[2:]
        assert [each.data for each in await by_header.events(len(log) - 4)] == log[4:]
        await two.play(service)
        both = [(await reader.events(1))[0].data for reader in (by_address, by_header)]
        assert both == (await service.run_in_pool(two.log, len(log))) * 2

    run_stream_test(test)


def test_a_reader_that_missed_too_much_or_has_a_future_version_gets_the_table(
    committing_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(realtime_api, "MAX_REPLAYED_ENTRIES", 3)
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        await two.play(service, 4)
        now = len(await service.run_in_pool(two.log))
        for after in (0, now - 4, now + 1, 2**31 - 1):
            reader = await service.open(f"{two.path}?after={after}")
            assert [each.name for each in await reader.events(1)] == ["table"]
        reader = await service.open(f"{two.path}?after={now - 3}")
        assert [each.name for each in await reader.events(3)] == ["entry"] * 3

    run_stream_test(test)


def test_a_stream_ends_after_the_end_of_the_match(committing_database: str) -> None:
    two = TwoPlayerMatch(rounds=1)

    async def test(service: StreamService) -> None:
        reader = await service.open(two.path)
        await service.run_in_pool(resign, match_id=two.match.pk, player=two.players[0])
        events = await reader.rest()
        assert [each.name for each in events] == ["table", "entry"]
        assert events[-1].data["then"][-1]["type"] == "match_end"

    run_stream_test(test)


def test_the_stream_of_a_finished_match_sends_the_rest_and_ends(committing_database: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        await two.play(service, 2)
        await service.run_in_pool(resign, match_id=two.match.pk, player=two.players[1])
        log = await service.run_in_pool(two.log)
        fresh = await service.open(two.path)
        assert [each.name for each in await fresh.rest()] == ["table"]
        behind = await service.open(f"{two.path}?after=1")
        assert [each.data for each in await behind.rest()] == log[1:]
        at_the_end = await service.open(f"{two.path}?after={len(log)}")
        assert (at_the_end.status, await at_the_end.rest()) == (200, [])
        browser = await service.open(two.path, Last_Event_ID=str(len(log)))
        assert (browser.status, await browser.body()) == (204, None)

    run_stream_test(test)


def test_a_stream_ends_when_the_match_is_cancelled(committing_database: str) -> None:
    maker = make_player()
    match = make_match(maker, make_player())

    async def test(service: StreamService) -> None:
        reader = await service.open(f"matches/{match.pk}/events")
        await reader.events(1)
        await service.run_in_pool(cancel_match, match_id=match.pk, player=maker)
        assert [each.data["type"] for each in await reader.rest()] == ["cancelled"]

    run_stream_test(test)


@pytest.mark.parametrize("media_type", (SSE_MEDIA_TYPE, NDJSON_MEDIA_TYPE))
def test_an_idle_stream_sends_heartbeats(
    committing_database: str, frequent_checks: None, media_type: str
) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        reader = await service.open(two.path, Accept=media_type)
        await reader.events(1)
        for _ in range(3):
            event = await reader.event()
            assert event is not None
            assert event.name == ""

    run_stream_test(test)


def test_a_change_without_a_message_is_found_by_polling(
    committing_database: str, frequent_checks: None
) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        reader = await service.open(two.path)
        await reader.events(1)
        with messages_lost(service):
            await two.play(service)
        [entry] = await reader.events(1)
        assert [entry.data] == (await service.run_in_pool(two.log))[-1:]

    run_stream_test(test)


@pytest.mark.parametrize("error", (OperationalError("the database is away"), ValueError("a bug")))
def test_a_failed_read_is_retried(
    committing_database: str,
    frequent_checks: None,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    two = TwoPlayerMatch()
    reading = realtime_queries.entries_after
    errors = [error]

    def entries_after(*args: Any, **kwargs: Any) -> Any:
        if errors:
            raise errors.pop()
        return reading(*args, **kwargs)

    async def test(service: StreamService) -> None:
        reader = await service.open(two.path)
        await reader.events(1)
        monkeypatch.setattr(topics, "entries_after", entries_after)
        await two.play(service)
        [entry] = await reader.events(1)
        assert [entry.data] == (await service.run_in_pool(two.log))[-1:]
        assert errors == []

    run_stream_test(test)
    assert caplog.records


def expire(two: TwoPlayerMatch) -> None:
    ApiToken.objects.filter(user=two.players[0]).update(expiry=timezone.now() - timedelta(seconds=1))


def leave(two: TwoPlayerMatch) -> None:
    close_account(player=two.players[0], closing=Closing.BAN)


def lose_the_seat(two: TwoPlayerMatch) -> None:
    Seat.objects.filter(match=two.match, player=two.players[0]).update(player=make_player())
    Match.objects.filter(pk=two.match.pk).update(maker=two.players[1])


@pytest.mark.parametrize("lose", (revoke, expire, leave, lose_the_seat))
def test_only_the_stream_of_a_reader_that_loses_access_is_closed(
    committing_database: str, frequent_checks: None, lose: Any
) -> None:
    two = TwoPlayerMatch(visibility="private")

    async def test(service: StreamService) -> None:
        mine = await service.open(two.path, two.token)
        theirs = await service.open(two.path, two.seated[1].token)
        await mine.events(1)
        await theirs.events(1)
        await service.run_in_pool(lose, two)
        assert await mine.rest() == []
        assert theirs.running.done() is False
        event = await theirs.event()
        assert event is not None

    run_stream_test(test)


def test_a_private_match_is_not_found_by_strangers(committing_database: str) -> None:
    two = TwoPlayerMatch(visibility="private")
    stranger = HttpPlayer.log_in()

    async def test(service: StreamService) -> None:
        for token in ("", stranger.token):
            refused = await service.open(two.path, token)
            assert (refused.status, (await refused.body())["code"]) == (404, "not_found")
        assert len(service.front.hub.slots) == 0

    run_stream_test(test)


def test_a_ticket_opens_one_stream_as_its_player(committing_database: str) -> None:
    two = TwoPlayerMatch(visibility="private")

    async def test(service: StreamService) -> None:
        ticket = await service.run_in_pool(issue_ticket_for, two.seated[1])
        reader = await service.open(f"{two.path}?ticket={ticket.secret}")
        [table] = await reader.events(1)
        assert table.data["you"]["seat"] == 1
        again = await service.open(f"{two.path}?ticket={ticket.secret}")
        assert (again.status, (await again.body())["code"]) == (401, "not_authenticated")

    run_stream_test(test)


def test_an_expired_or_malformed_ticket_is_rejected(committing_database: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        ticket = await service.run_in_pool(issue_ticket_for, two.seated[0])
        await service.run_in_pool(Ticket.objects.update, expires_at=timezone.now())
        for secret in (ticket.secret, "ticket_none", "%C3%A4", "x" * 600):
            refused = await service.open(f"{two.path}?ticket={secret}")
            await refused.body()
            assert refused.status == (400 if len(secret) > 500 else 401)

    run_stream_test(test)


def test_the_stream_of_a_ticket_ends_when_its_token_is_revoked(
    committing_database: str, frequent_checks: None
) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        ticket = await service.run_in_pool(issue_ticket_for, two.seated[0])
        reader = await service.open(f"{two.path}?ticket={ticket.secret}")
        await reader.events(1)
        await service.run_in_pool(revoke, two)
        assert await reader.rest() == []

    run_stream_test(test)


@pytest.mark.parametrize("junk", ("x", "-1", "1.5", "0x1", "1 2", "9" * 30, "²", "2147483648"))
def test_a_malformed_version_is_rejected(committing_database: str, junk: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        refused = await service.open(two.path, Last_Event_ID=junk)
        body = await refused.body()
        assert (refused.status, body["code"], body["parameter"]) == (
            400,
            "invalid_parameter",
            "Last-Event-ID",
        )

    run_stream_test(test)


def test_viewers_get_different_tables_but_the_same_entries(committing_database: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        tokens = ("", two.seated[0].token, two.seated[1].token)
        readers = [await service.open(two.path, token) for token in tokens]
        tables = [(await reader.events(1))[0].data for reader in readers]
        hands = [[hand["cards"] is not None for hand in table["round"]["hands"]] for table in tables]
        assert hands == [[False, False], [True, False], [False, True]]
        await two.play(service, 8)
        entries = [await reader.events(8) for reader in readers]
        assert entries[0] == entries[1] == entries[2]

    run_stream_test(test)


def test_streams_allow_cross_origin_requests(committing_database: str) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        reader = await service.open(two.path, Origin="https://elsewhere.example")
        assert reader.headers["access-control-allow-origin"] == "*"
        refused = await service.open("matches/m_none/events", Origin="https://elsewhere.example")
        assert refused.headers["access-control-allow-origin"] == "*"

    run_stream_test(test)


def test_a_reader_that_stops_reading_is_disconnected_without_buffering(
    committing_database: str, frequent_checks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.realtime.streams.WRITE_TIMEOUT_SECONDS", 0.3)
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        reader = await service.open(two.path)
        await reader.events(1)
        reader.reads.clear()
        await two.play(service, 3)
        await asyncio.wait_for(reader.running, 10)
        assert reader._outgoing.empty()

    run_stream_test(test)


def test_a_slow_reader_misses_no_entry(committing_database: str, frequent_checks: None) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        reader = await service.open(two.path)
        [table] = await reader.events(1)
        reader.reads.clear()
        await two.play(service, 6)
        await asyncio.sleep(0.3)
        reader.reads.set()
        got = [each.data for each in await reader.events(6)]
        assert got == await service.run_in_pool(two.log, int(table.id))

    run_stream_test(test)
