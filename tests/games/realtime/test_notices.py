"""Notices among the events of a player: in one order with log entries, each once, and only if asked for."""

import json
import threading
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from games.identity.models import Player
from games.matches.models.match import Match
from games.notices.models import NoticeType, PlayerNotice
from games.notices.services import RETENTION, notify_player
from games.realtime import queries as realtime_queries
from games.realtime.formats import NDJSON_MEDIA_TYPE, SSE_MEDIA_TYPE
from games.realtime.queries import (
    Cursor,
    NoticeEvent,
    PersonalEvent,
    PlayerEvent,
    activity_marks,
    current_cursor,
    events_after,
)
from tests.games.realtime.test_player_events import SECONDS, bet, on_postgresql
from tests.games.realtime.two_player_match import TwoPlayerMatch
from tests.support.clients import client_of, make_person
from tests.support.factories import make_player, start_match
from tests.support.streams import StreamService, run_stream_test


def notify(player: Player, event: str = "password_changed") -> PlayerNotice:
    """Write a notice."""
    notice = notify_player(player_id=player.pk, type=NoticeType.SECURITY, data={"event": event})
    assert notice is not None
    return notice


def everything_after(player: Player, place: Cursor, limit: int = 100) -> tuple[list[PersonalEvent], Cursor]:
    """Read batches with notices until there are no more events."""
    events: list[PersonalEvent] = []
    more = True
    while more:
        batch = events_after(player.pk, place, limit=limit, notices=True)
        assert not batch.missed
        events += batch.events
        place, more = batch.cursor, batch.more
    return events, place


def labels(events: list[PersonalEvent]) -> list[object]:
    """Return the version of each log entry and the id of each notice."""
    return [each.notice["id"] if isinstance(each, NoticeEvent) else each.entry["version"] for each in events]


def test_notices_and_entries_are_returned_once_in_the_order_written(committing_database: str) -> None:
    me, you = make_player(), make_player()
    place = current_cursor()
    first = notify(me)
    match = start_match(me, you)
    second = notify(me)
    notify(you)
    bet(match, me)
    third = notify(me)
    expected = [first.public_id, 1, second.public_id, 2, third.public_id]
    for limit in (1, 2, 100):
        events, after = everything_after(me, place, limit=limit)
        assert labels(events) == expected
        assert everything_after(me, after)[0] == []
        for number, each in enumerate(events):
            assert labels(everything_after(me, each.cursor, limit=limit)[0]) == expected[number + 1 :]


def test_a_notice_has_its_type_time_and_data(committing_database: str) -> None:
    me = make_player()
    place = current_cursor()
    notice = notify(me, "new_device")
    [event] = events_after(me.pk, place, limit=10, notices=True).events
    assert isinstance(event, NoticeEvent)
    assert event.notice["id"] == notice.public_id
    assert (event.notice["type"], event.notice["data"]) == ("security", {"event": "new_device"})


@on_postgresql
def test_a_notice_that_is_committed_late_is_not_skipped(committing_database: str) -> None:
    me, you = make_player(), make_player()
    match = start_match(you, make_player())
    mine = start_match(me, you)
    assert match.pk != mine.pk
    place = current_cursor()
    done, may_end = threading.Event(), threading.Event()

    def slow() -> None:
        try:
            with transaction.atomic():
                notify(me)
                done.set()
                may_end.wait(SECONDS)
        finally:
            connection.close()

    thread = threading.Thread(target=slow)
    thread.start()
    assert done.wait(SECONDS)
    bet(mine, you)
    events, after = everything_after(me, place)
    assert labels(events) == [2]
    may_end.set()
    thread.join()
    [late] = everything_after(me, after)[0]
    assert isinstance(late, NoticeEvent)
    assert labels(everything_after(me, place)[0]) == [late.notice["id"], 2]


def test_without_the_parameter_responses_are_the_same_bytes_as_without_notices(
    committing_database: str,
) -> None:
    me, you = make_person(), make_person()
    cursor = client_of(me).get("/api/v1/me/events").json()["cursor"]
    match = start_match(me, you)
    bet(match, me)
    plain = page_without_cursors(me, cursor)
    notify(me)
    assert page_without_cursors(me, cursor) == plain
    assert page_without_cursors(me, cursor, "notices=false") == plain
    page = json.loads(plain)
    assert list(page) == ["next", "previous", "cursor", "missed", "results"]
    assert [list(each) for each in page["results"]] == [
        ["cursor", "match", "my_seat", "my_turn", "entry"]
    ] * 2
    [notice] = json.loads(page_without_cursors(me, cursor, "notices=true"))["results"][2:]
    assert list(notice) == ["cursor", "notice"]


def page_without_cursors(player: Player, cursor: str, parameter: str = "") -> bytes:
    """Return the body of a page of events, in which every cursor, which contains times, is replaced."""
    response = client_of(player).get(f"/api/v1/me/events?after={cursor}&{parameter}")
    assert response.status_code == 200
    body: bytes = response.content
    page = response.json()
    for value in {page["cursor"], *(each["cursor"] for each in page["results"])}:
        body = body.replace(value.encode(), b"x")
    return body


def test_an_invalid_value_of_the_parameter_is_rejected(database: str) -> None:
    response = client_of(make_person()).get("/api/v1/me/events?notices=maybe")
    assert (response.status_code, response.json()["code"]) == (400, "invalid_parameter")


@pytest.mark.parametrize("media_type", (SSE_MEDIA_TYPE, NDJSON_MEDIA_TYPE))
def test_streams_carry_notices_only_if_asked_for(
    committing_database: str, no_periodic_checks: None, media_type: str
) -> None:
    two = TwoPlayerMatch()
    me = two.players[0]

    async def test(service: StreamService) -> None:
        plain = await service.open("me/events", two.token, Accept=media_type)
        asked = await service.open("me/events?notices=true", two.token, Accept=media_type)
        for reader in (plain, asked):
            [start] = await reader.events(1)
            assert start.name == "start"
        notice = await service.run_in_pool(notify, me)
        await two.play(service, 1)
        first, second = await asked.events(2)
        assert (first.name, first.data["id"], first.data["type"]) == ("notice", notice.public_id, "security")
        assert (second.name, second.data["match"]) == ("entry", two.match.pk)
        [only] = await plain.events(1)
        assert (only.name, only.data) == ("entry", second.data)

    run_stream_test(test)


def test_a_stream_finds_a_notice_that_no_message_announced(
    committing_database: str, frequent_checks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        reader = await service.open("me/events?notices=true", two.token, Accept=SSE_MEDIA_TYPE)
        await reader.events(1)
        monkeypatch.setattr("games.notices.services.publish_to_player", lambda _: None)
        notice = await service.run_in_pool(notify, two.players[0])
        [event] = await reader.events(1)
        assert event.data["id"] == notice.public_id

    run_stream_test(test)


def test_a_page_can_wait_for_a_notice(committing_database: str, no_periodic_checks: None) -> None:
    two = TwoPlayerMatch()

    async def test(service: StreamService) -> None:
        waiting = service.send("me/events?notices=true&wait=20", two.token, Accept="*/*")
        await (await service.open("me/events?wait=1", two.token, Accept="*/*")).body()
        notice = await service.run_in_pool(notify, two.players[0])
        page: Any = await (await waiting.read_start()).body()
        assert [each["notice"]["id"] for each in page["results"]] == [notice.public_id]

    run_stream_test(test)


def test_a_cursor_older_than_the_stored_notices_has_missed_some(committing_database: str) -> None:
    me = make_player()
    old = replace(current_cursor(), taken_at=current_cursor().taken_at - RETENTION - timedelta(minutes=1))
    assert events_after(me.pk, old, limit=10, notices=True).missed
    assert not events_after(me.pk, old, limit=10).missed


def test_too_many_missed_notices_restart_the_reader_from_now(
    committing_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(realtime_queries, "MAX_REPLAYED_EVENTS", 2)
    me = make_player()
    place = current_cursor()
    for _ in range(3):
        notify(me)
    assert events_after(me.pk, place, limit=100, notices=True).missed
    assert not events_after(me.pk, place, limit=100).missed


def test_activity_marks_change_with_every_notice(committing_database: str) -> None:
    me = make_player()
    assert activity_marks([me.pk]) == {}
    notify(me)
    before = activity_marks([me.pk])
    notify(me)
    assert activity_marks([me.pk]) != before


def test_entries_written_after_a_notice_follow_its_cursor(committing_database: str) -> None:
    me, you = make_player(), make_player()
    match: Match = start_match(me, you)
    notify(me)
    place = current_cursor()
    bet(match, me)
    [event] = events_after(me.pk, place, limit=10).events
    assert isinstance(event, PlayerEvent)
    assert event.entry["version"] == 2
