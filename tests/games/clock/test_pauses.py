from datetime import timedelta
from time import sleep

import pytest
from django.db.models.functions import Now
from pytest_django import Settings

from games.ai.services import take_turn
from games.clock.pauses import request_pause, request_resume, withdraw_pause
from games.clock.timeouts import caretaker_event, end_due_pauses, time_out_due_turns
from games.core.times import format_time
from games.identity.models import Player
from games.matches.entries import commit_or_conflict
from games.matches.models.match import Match, MatchStatus
from games.play.resignation import resign
from games.records.verification import verify_matches
from tests.support.factories import (
    TURN,
    events,
    last_entry,
    make_overdue,
    make_player,
    now_at,
    play_on,
    read_row,
    refusal,
    start_match,
    with_clock,
)

pytestmark = pytest.mark.usefixtures("database")


def two_at_a_table() -> tuple[Match, Player, Player]:
    people = make_player(), make_player()
    return with_clock(*people), *people


def paused() -> tuple[Match, Player, Player]:
    match, heather, angus = two_at_a_table()
    request_pause(match_id=match.pk, player=heather)
    request_pause(match_id=match.pk, player=angus)
    return now_at(match), heather, angus


def test_who_wants_a_pause_is_shown_to_all_and_the_clock_runs_on() -> None:
    match, heather, _ = two_at_a_table()
    table = request_pause(match_id=match.pk, player=heather)
    assert table["pause"] == {"paused": False, "asked_by": [0], "until": None}
    assert (table["status"], table["round"]["deadline"]) == ("active", format_time(match.deadline))
    entry = last_entry(match)
    assert (entry["type"], entry["seat"], entry["asked_by"]) == ("pause_asked", 0, [0])
    assert entry["next"]["deadline"] == format_time(match.deadline)
    assert request_pause(match_id=match.pk, player=heather)["version"] == table["version"]
    verify_matches()


def test_a_wish_can_be_taken_back() -> None:
    match, heather, angus = two_at_a_table()
    request_pause(match_id=match.pk, player=heather)
    table = withdraw_pause(match_id=match.pk, player=heather)
    assert table["pause"] is None
    assert last_entry(match)["asked_by"] == []
    assert withdraw_pause(match_id=match.pk, player=heather)["version"] == table["version"]
    assert request_pause(match_id=match.pk, player=angus)["status"] == "active"
    verify_matches()


def test_the_match_stands_still_when_all_want_it() -> None:
    match, _, _ = paused()
    assert (match.status, match.deadline, match.wake_at, match.remind_at) == ("paused", None, None, None)
    entry = last_entry(match)
    assert (entry["type"], entry["next"]["to_act"], entry["next"]["deadline"]) == ("paused", None, None)
    assert entry["until"] == format_time(match.paused_until)
    assert match.turn_left_ms is not None
    assert (TURN - 30) * 1000 < match.turn_left_ms <= TURN * 1000
    assert time_out_due_turns() == 0
    with refusal("match_not_active"):
        play_on(match)
    verify_matches()


def test_a_paused_table_says_so_and_what_the_turn_has_left() -> None:
    match, heather, _ = paused()
    table = request_resume(match_id=match.pk, player=heather)
    assert table["pause"] == {"paused": True, "asked_by": [0], "until": format_time(match.paused_until)}
    assert table["round"]["deadline"] is None
    assert TURN - 30 < table["round"]["seconds_left"] <= TURN
    assert last_entry(match)["type"] == "resume_asked"
    verify_matches()


def test_the_match_goes_on_with_what_was_left_when_all_want_it() -> None:
    match, heather, angus = paused()
    request_resume(match_id=match.pk, player=angus)
    table = request_resume(match_id=match.pk, player=heather)
    assert (table["status"], table["pause"]) == ("active", None)
    assert TURN - 30 < table["round"]["seconds_left"] <= TURN
    assert last_entry(match)["type"] == "resumed"
    after = now_at(match)
    assert (after.paused_at, after.paused_until, after.turn_left_ms) == (None, None, None)
    play_on(match)
    verify_matches()


def test_one_person_among_ais_pauses_alone() -> None:
    match = with_clock(heather := make_player(), "easy", "easy")
    assert request_pause(match_id=match.pk, player=heather)["status"] == "paused"
    paused_match = now_at(match)
    assert not take_turn(match_id=match.pk, version=paused_match.version)
    table = request_resume(match_id=match.pk, player=heather)
    assert table["status"] == "active"
    assert (now_at(match).wake_at is None) == (table["round"]["to_act"] == 0)
    verify_matches()


def test_a_pause_ends_by_itself_and_what_it_took_is_counted(settings: Settings) -> None:
    match, heather, _ = paused()
    assert end_due_pauses() == 0
    passed = Now() - timedelta(seconds=1)
    Match.objects.filter(pk=match.pk).update(paused_until=passed)
    assert end_due_pauses() == 1
    after = now_at(match)
    assert (after.status, events(match)[-1]) == (MatchStatus.ACTIVE, ("resumed", None, "clock"))
    assert after.deadline is not None
    assert after.paused_seconds >= 1
    settings.HAGGIS_PAUSE_SECONDS = after.paused_seconds
    with refusal("limit_reached"):
        request_pause(match_id=match.pk, player=heather)
    verify_matches()


def test_a_match_may_be_agreed_to_have_no_pauses() -> None:
    match = with_clock(heather := make_player(), make_player(), pauses=False)
    with refusal("pauses_off"):
        request_pause(match_id=match.pk, player=heather)


def test_only_who_plays_for_themselves_is_asked() -> None:
    people = [make_player() for _ in range(3)]
    match = with_clock(*people)
    row = read_row(match)
    commit_or_conflict(caretaker_event(row, row.seats[2], by="clock"))
    with refusal("caretaker_playing"):
        request_pause(match_id=match.pk, player=people[2])
    request_pause(match_id=match.pk, player=people[0])
    assert request_pause(match_id=match.pk, player=people[1])["status"] == "paused"
    with refusal("not_seated"):
        request_resume(match_id=match.pk, player=make_player())
    verify_matches()


def test_nothing_is_resumed_that_is_not_paused_nor_paused_that_is_not_played() -> None:
    match, heather, angus = two_at_a_table()
    with refusal("match_not_paused"):
        request_resume(match_id=match.pk, player=heather)
    resign(match_id=match.pk, player=angus)
    with refusal("match_not_active"):
        request_pause(match_id=match.pk, player=heather)


def test_whoever_resigns_during_a_pause_ends_the_match_of_two_and_not_that_of_three() -> None:
    match, heather, _ = paused()
    resign(match_id=match.pk, player=heather)
    assert now_at(match).status == "finished"
    people = [make_player() for _ in range(3)]
    other = with_clock(*people)
    for player in people:
        request_pause(match_id=other.pk, player=player)
    resign(match_id=other.pk, player=people[other.to_act or 0])
    assert (now_at(other).status, now_at(other).wake_at) == ("paused", None)
    verify_matches()
    for player in people:
        if player != people[other.to_act or 0]:
            request_resume(match_id=other.pk, player=player)
    assert now_at(other).status == "active"
    assert now_at(other).wake_at is not None
    verify_matches()


def test_a_turn_that_was_over_is_over_after_the_pause_too() -> None:
    match, heather, angus = two_at_a_table()
    make_overdue(match)
    for player in (heather, angus):
        request_pause(match_id=match.pk, player=player)
    assert now_at(match).turn_left_ms == 0
    for player in (heather, angus):
        request_resume(match_id=match.pk, player=player)
    sleep(0.002)  # SQLite compares times as text: within one millisecond its own is not past the deadline
    assert time_out_due_turns() == 1


def test_a_match_without_a_clock_can_stand_still_too() -> None:
    match = start_match(heather := make_player(), "easy")
    table = request_pause(match_id=match.pk, player=heather)
    assert (table["status"], table["round"]["seconds_left"]) == ("paused", None)
    assert request_resume(match_id=match.pk, player=heather)["round"]["deadline"] is None
    verify_matches()
