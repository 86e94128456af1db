"""Tests of player events: each is returned once and in order, and late commits are not skipped."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection, transaction

from games.identity.models import Player
from games.lobby.services.creation import create_match
from games.matches.models.log import Move
from games.matches.models.match import Match, Seat
from games.play.resignation import resign
from games.play.services import act
from games.realtime import queries as realtime_queries
from games.realtime.queries import (
    Batch,
    Cursor,
    PlayerEvent,
    activity_marks,
    current_cursor,
    current_snapshot,
    events_after,
    is_newer_than,
)
from tests.support.concurrency import run_concurrently
from tests.support.factories import JsonObject, make_player, start_match

SECONDS: float = 20.0

# SQLite has one writer at a time, so there are no late commits.
on_postgresql = pytest.mark.parametrize(
    "chosen_database", (pytest.param("postgresql", marks=pytest.mark.needs("postgresql")),), indirect=True
)


def bet(match: Match, player: Player) -> None:
    """Make a bet, which either player may do once per round."""
    version = Match.objects.get(pk=match.pk).version
    act(match_id=match.pk, player=player, body={"version": version, "type": "bet", "amount": 15})


def log_events(batch: Batch) -> list[PlayerEvent]:
    """Return the events of a batch, which contains no notices."""
    events = [each for each in batch.events if isinstance(each, PlayerEvent)]
    assert len(events) == len(batch.events)
    return events


def everything_after(player: Player, place: Cursor, limit: int = 100) -> tuple[list[PlayerEvent], Cursor]:
    """Read batches until there are no more events."""
    events: list[PlayerEvent] = []
    more = True
    while more:
        batch = events_after(player.pk, place, limit=limit)
        assert not batch.missed
        events += log_events(batch)
        place, more = batch.cursor, batch.more
    return events, place


def ids_and_versions(events: list[PlayerEvent]) -> list[tuple[str, int]]:
    return [(each.match_id, each.entry["version"]) for each in events]


@contextmanager
def uncommitted_bet(match: Match, player: Player) -> Iterator[None]:
    """Make a bet in a transaction that is committed after the block."""
    done, may_end = threading.Event(), threading.Event()

    def slow() -> None:
        try:
            with transaction.atomic():
                bet(match, player)
                done.set()
                may_end.wait(SECONDS)
        finally:
            connection.close()

    thread = threading.Thread(target=slow)
    thread.start()
    assert done.wait(SECONDS)
    try:
        yield
    finally:
        may_end.set()
        thread.join()


def test_each_entry_is_returned_once_with_the_match_and_seat_of_the_player(committing_database: str) -> None:
    me, you = make_player(), make_player()
    mine, others = start_match(me, you), start_match(you, make_player())
    place = current_cursor()
    assert events_after(me.pk, place, limit=10).events == []
    bet(mine, me)
    bet(others, you)
    bet(mine, you)
    events, place = everything_after(me, place)
    assert ids_and_versions(events) == [(mine.pk, 2), (mine.pk, 3)]
    assert [each.payload["my_seat"] for each in events] == [0, 0]
    turn = Match.objects.get(pk=mine.pk).to_act == 0
    assert [each.payload["my_turn"] for each in events] == [turn, turn]
    assert everything_after(me, place)[0] == []


def test_the_cursor_of_any_event_continues_with_exactly_the_rest(committing_database: str) -> None:
    me, you = make_player(), make_player()
    place = current_cursor()
    matches = [start_match(me, you) for _ in range(3)]
    for player in (me, you):
        for match in matches:
            bet(match, player)
    events, _ = everything_after(me, place, limit=2)
    assert len(events) == 9
    for number, each in enumerate(events):
        assert ids_and_versions(everything_after(me, each.cursor, limit=4)[0]) == ids_and_versions(
            events[number + 1 :]
        )


@on_postgresql
def test_a_late_commit_is_not_skipped_and_delays_no_other_event(committing_database: str) -> None:
    me, you = make_player(), make_player()
    slow, quick = start_match(me, you), start_match(me, you)
    place = current_cursor()
    with uncommitted_bet(slow, me):
        fresh = current_cursor()
        bet(quick, me)
        events, after = everything_after(me, place)
        assert ids_and_versions(events) == [(quick.pk, 2)]
        late = Move.objects.get(match=quick, version=2).pk
    for start in (after, events[0].cursor):
        assert ids_and_versions(everything_after(me, start)[0]) == [(slow.pk, 2)]
    assert Move.objects.get(match=slow, version=2).pk < late
    assert ids_and_versions(everything_after(me, place)[0]) == [(slow.pk, 2), (quick.pk, 2)]
    assert ids_and_versions(everything_after(me, fresh)[0]) == [(slow.pk, 2), (quick.pk, 2)]


@on_postgresql
def test_a_started_batch_is_finished_before_later_commits(
    committing_database: str,
) -> None:
    me, you = make_player(), make_player()
    slow, quick, other = (start_match(me, you) for _ in range(3))
    place = current_cursor()
    with uncommitted_bet(slow, me):
        bet(quick, me)
        bet(other, me)
        first = events_after(me.pk, place, limit=1)
        assert first.more
    rest, _ = everything_after(me, first.cursor)
    assert ids_and_versions(log_events(first) + rest) == [(quick.pk, 2), (other.pk, 2), (slow.pk, 2)]


def test_a_reader_misses_no_event_of_concurrent_writers(
    committing_database: str,
) -> None:
    me, you = make_player(), make_player()
    matches = [start_match(me, you) for _ in range(6)]
    place = start = current_cursor()
    events: list[PlayerEvent] = []
    stop = threading.Event()

    def write(match: Match) -> None:
        bet(match, me)
        bet(match, you)

    def read() -> None:
        nonlocal place
        while not stop.wait(0.001):
            more, place = everything_after(me, place, limit=3)
            events.extend(more)
            if len(events) >= 12:
                stop.set()

    timer = threading.Timer(SECONDS, stop.set)
    timer.start()
    run_concurrently([*(partial(write, match) for match in matches), read])
    timer.cancel()
    assert sorted(ids_and_versions(events)) == sorted(
        (match.pk, version) for match in matches for version in (2, 3)
    )
    for match in matches:
        assert [version for pk, version in ids_and_versions(events) if pk == match.pk] == [2, 3]
    assert sorted(ids_and_versions(everything_after(me, start)[0])) == sorted(ids_and_versions(events))


def test_an_invitation_is_an_event_of_the_invited_player(committing_database: str) -> None:
    maker, asked = make_player(), make_player()
    place = current_cursor()
    seats: list[JsonObject] = [{"kind": "me"}, {"kind": "player", "username": asked.username}]
    create_match(maker=maker, body={"ruleset": "classic", "seats": seats})
    events, _ = everything_after(asked, place)
    invited = events[-1]
    assert (invited.entry["type"], invited.entry["seat"], invited.seat) == ("invited", 1, 1)


def test_the_end_of_a_match_is_returned_to_a_reader_that_was_away(committing_database: str) -> None:
    me, you = make_player(), make_player()
    place = current_cursor()
    match = start_match(me, you)
    resign(match_id=match.pk, player=you)
    events, _ = everything_after(me, place)
    assert events[-1].entry["then"][-1]["type"] == "match_end"
    later = replace(place, taken_at=place.taken_at - timedelta(days=30))
    assert ids_and_versions(everything_after(me, later)[0]) == ids_and_versions(events)


def test_a_reader_that_missed_too_many_events_restarts_from_now(
    committing_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(realtime_queries, "MAX_REPLAYED_EVENTS", 1)
    me, you = make_player(), make_player()
    match = start_match(me, you)
    place = current_cursor()
    bet(match, me)
    assert len(everything_after(me, place)[0]) == 1
    bet(match, you)
    batch = events_after(me.pk, place, limit=100)
    assert (batch.missed, batch.events) == (True, [])
    assert everything_after(me, batch.cursor)[0] == []


def test_a_cursor_from_before_a_database_restore_restarts_from_now(committing_database: str) -> None:
    me = make_player()
    start_match(me, make_player())
    now = current_snapshot()
    later = "9999999999" if ":" not in now else "9999999999:9999999999:"
    assert is_newer_than(later, now)
    assert events_after(me.pk, replace(current_cursor(), snapshot=later), limit=10).missed


def test_a_player_who_lost_their_seat_gets_no_events(committing_database: str) -> None:
    me, you = make_player(), make_player()
    match = start_match(me, you)
    place = current_cursor()
    Seat.objects.filter(match=match, player=me).update(player=make_player())
    bet(match, you)
    assert everything_after(me, place)[0] == []


def test_activity_marks_change_with_every_event(committing_database: str) -> None:
    me, you, idle = make_player(), make_player(), make_player()
    match = start_match(me, you)
    before = activity_marks([me.pk, idle.pk])
    assert before.keys() == {me.pk}
    bet(match, you)
    after = activity_marks([me.pk])
    assert after != before
    resign(match_id=match.pk, player=you)
    assert activity_marks([me.pk]) != after
