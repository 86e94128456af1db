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
    JsonObject,
    last_entry,
    logged_events,
    make_overdue,
    make_player,
    play_turn,
    raises_problem,
    read_row,
    reload_match,
    start_match,
    start_timed_match,
)

pytestmark = pytest.mark.usefixtures("database")


def match_of_two() -> tuple[Match, Player, Player]:
    people = make_player(), make_player()
    return start_timed_match(*people), *people


def paused_match() -> tuple[Match, Player, Player]:
    match, heather, angus = match_of_two()
    request_pause(match_id=match.pk, player=heather)
    request_pause(match_id=match.pk, player=angus)
    return reload_match(match), heather, angus


def test_pause_request_is_shown_to_all_and_the_clock_continues() -> None:
    match, heather, _ = match_of_two()
    table: JsonObject = request_pause(match_id=match.pk, player=heather)
    assert table["pause"] == {"paused": False, "asked_by": [0], "until": None}
    assert (table["status"], table["round"]["deadline"]) == ("active", format_time(match.deadline))
    entry = last_entry(match)
    assert (entry["type"], entry["seat"], entry["asked_by"]) == ("pause_asked", 0, [0])
    assert entry["next"]["deadline"] == format_time(match.deadline)
    assert request_pause(match_id=match.pk, player=heather)["version"] == table["version"]
    verify_matches()


def test_pause_request_can_be_withdrawn() -> None:
    match, heather, angus = match_of_two()
    request_pause(match_id=match.pk, player=heather)
    table = withdraw_pause(match_id=match.pk, player=heather)
    assert table["pause"] is None
    assert last_entry(match)["asked_by"] == []
    assert withdraw_pause(match_id=match.pk, player=heather)["version"] == table["version"]
    assert request_pause(match_id=match.pk, player=angus)["status"] == "active"
    verify_matches()


def test_match_is_paused_when_all_players_have_requested_it() -> None:
    match, _, _ = paused_match()
    assert (match.status, match.deadline, match.wake_at, match.remind_at) == ("paused", None, None, None)
    entry = last_entry(match)
    assert (entry["type"], entry["next"]["to_act"], entry["next"]["deadline"]) == ("paused", None, None)
    assert entry["until"] == format_time(match.paused_until)
    assert match.turn_left_ms is not None
    assert (TURN - 30) * 1000 < match.turn_left_ms <= TURN * 1000
    assert time_out_due_turns() == 0
    with raises_problem("match_not_active"):
        play_turn(match)
    verify_matches()


def test_paused_table_shows_the_pause_and_the_remaining_time_of_the_turn() -> None:
    match, heather, _ = paused_match()
    table: JsonObject = request_resume(match_id=match.pk, player=heather)
    assert table["pause"] == {"paused": True, "asked_by": [0], "until": format_time(match.paused_until)}
    assert table["round"]["deadline"] is None
    assert TURN - 30 < table["round"]["seconds_left"] <= TURN
    assert last_entry(match)["type"] == "resume_asked"
    verify_matches()


def test_match_resumes_with_the_remaining_time_when_all_players_have_requested_it() -> None:
    match, heather, angus = paused_match()
    request_resume(match_id=match.pk, player=angus)
    table: JsonObject = request_resume(match_id=match.pk, player=heather)
    assert (table["status"], table["pause"]) == ("active", None)
    assert TURN - 30 < table["round"]["seconds_left"] <= TURN
    assert last_entry(match)["type"] == "resumed"
    after = reload_match(match)
    assert (after.paused_at, after.paused_until, after.turn_left_ms) == (None, None, None)
    play_turn(match)
    verify_matches()


def test_only_human_player_can_pause_alone() -> None:
    match = start_timed_match(heather := make_player(), "easy", "easy")
    assert request_pause(match_id=match.pk, player=heather)["status"] == "paused"
    paused = reload_match(match)
    assert not take_turn(match_id=match.pk, version=paused.version)
    table: JsonObject = request_resume(match_id=match.pk, player=heather)
    assert table["status"] == "active"
    assert (reload_match(match).wake_at is None) == (table["round"]["to_act"] == 0)
    verify_matches()


def test_pause_ends_automatically_and_its_length_is_counted(settings: Settings) -> None:
    match, heather, _ = paused_match()
    assert end_due_pauses() == 0
    past = Now() - timedelta(seconds=1)
    Match.objects.filter(pk=match.pk).update(paused_until=past)
    assert end_due_pauses() == 1
    after = reload_match(match)
    assert (after.status, logged_events(match)[-1]) == (MatchStatus.ACTIVE, ("resumed", None, "clock"))
    assert after.deadline is not None
    assert after.paused_seconds >= 1
    settings.HAGGIS_PAUSE_SECONDS = after.paused_seconds
    with raises_problem("limit_reached"):
        request_pause(match_id=match.pk, player=heather)
    verify_matches()


def test_pause_is_rejected_in_a_match_without_pauses() -> None:
    match = start_timed_match(heather := make_player(), make_player(), pauses=False)
    with raises_problem("pauses_off"):
        request_pause(match_id=match.pk, player=heather)


def test_only_players_without_a_caretaker_have_to_agree() -> None:
    people = [make_player() for _ in range(3)]
    match = start_timed_match(*people)
    row = read_row(match)
    commit_or_conflict(caretaker_event(row, row.seats[2], by="clock"))
    with raises_problem("caretaker_playing"):
        request_pause(match_id=match.pk, player=people[2])
    request_pause(match_id=match.pk, player=people[0])
    assert request_pause(match_id=match.pk, player=people[1])["status"] == "paused"
    with raises_problem("not_seated"):
        request_resume(match_id=match.pk, player=make_player())
    verify_matches()


def test_running_match_cannot_be_resumed_and_finished_match_cannot_be_paused() -> None:
    match, heather, angus = match_of_two()
    with raises_problem("match_not_paused"):
        request_resume(match_id=match.pk, player=heather)
    resign(match_id=match.pk, player=angus)
    with raises_problem("match_not_active"):
        request_pause(match_id=match.pk, player=heather)


def test_resignation_during_a_pause_ends_a_match_of_two_but_not_of_three() -> None:
    match, heather, _ = paused_match()
    resign(match_id=match.pk, player=heather)
    assert reload_match(match).status == "finished"
    people = [make_player() for _ in range(3)]
    other = start_timed_match(*people)
    for player in people:
        request_pause(match_id=other.pk, player=player)
    resign(match_id=other.pk, player=people[other.to_act or 0])
    assert (reload_match(other).status, reload_match(other).wake_at) == ("paused", None)
    verify_matches()
    for player in people:
        if player != people[other.to_act or 0]:
            request_resume(match_id=other.pk, player=player)
    assert reload_match(other).status == "active"
    assert reload_match(other).wake_at is not None
    verify_matches()


def test_expired_turn_is_still_expired_after_a_pause() -> None:
    match, heather, angus = match_of_two()
    make_overdue(match)
    for player in (heather, angus):
        request_pause(match_id=match.pk, player=player)
    assert reload_match(match).turn_left_ms == 0
    for player in (heather, angus):
        request_resume(match_id=match.pk, player=player)
    sleep(0.002)  # SQLite compares times as text, so the deadline must be at least a millisecond ago
    assert time_out_due_turns() == 1


def test_match_without_a_clock_can_be_paused() -> None:
    match = start_match(heather := make_player(), "easy")
    table: JsonObject = request_pause(match_id=match.pk, player=heather)
    assert (table["status"], table["round"]["seconds_left"]) == ("paused", None)
    resumed: JsonObject = request_resume(match_id=match.pk, player=heather)
    assert resumed["round"]["deadline"] is None
    verify_matches()
