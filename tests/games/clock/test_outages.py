import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now

from games.clock.models import Heartbeat, Outage
from games.clock.outages import extend_deadlines_after_outages, record_heartbeat
from games.matches.models.match import Match
from games.records.verification import verify_matches
from games.sweep.tasks import sweep
from tests.support.factories import (
    events,
    last_entry,
    make_overdue,
    make_player,
    now_at,
    play_on,
    start_match,
    with_clock,
)

HOUR = timedelta(hours=1)


def silent_for(length: timedelta) -> None:
    Heartbeat.objects.update_or_create(name="clock", defaults={"beat_at": Now() - length})


def extended(match: Match) -> int:
    return sum(event == "extended" for event, _, _ in events(match))


def test_the_first_beat_is_no_outage(database: str) -> None:
    record_heartbeat()
    record_heartbeat()
    assert Heartbeat.objects.count() == 1
    assert not Outage.objects.exists()


def test_a_short_silence_is_no_outage(database: str) -> None:
    silent_for(timedelta(seconds=10))
    record_heartbeat()
    assert not Outage.objects.exists()


def test_every_deadline_that_ran_is_moved_by_the_length_of_the_outage_once(database: str) -> None:
    matches = [with_clock() for _ in range(3)]
    silent_for(HOUR)
    for _ in range(3):
        sweep()
    for match in matches:
        after = now_at(match)
        assert after.deadline is not None
        assert match.deadline is not None
        assert timedelta() <= after.deadline - match.deadline - HOUR < timedelta(seconds=60)
        entry = last_entry(match)
        assert (entry["type"], entry["seat"], entry["by"]) == ("extended", match.to_act, "clock")
        assert extended(match) == 1
    verify_matches()


def test_a_deadline_that_passed_meanwhile_is_moved_and_not_acted_on(database: str) -> None:
    match = with_clock()
    Match.objects.filter(pk=match.pk).update(deadline=Now() - HOUR / 2)
    silent_for(HOUR)
    sweep()
    assert [event for event, _, _ in events(match)] == ["started", "extended"]


def test_what_was_late_before_the_outage_is_late_still(database: str) -> None:
    match = with_clock()
    make_overdue(match)
    silent_for(timedelta(seconds=60))
    sweep()
    sweep()
    assert last_entry(match)["by"] == "clock"
    assert extended(match) == 0


def test_a_turn_that_begins_after_the_outage_has_lost_nothing(database: str) -> None:
    match, other = with_clock(), with_clock()
    silent_for(HOUR)
    record_heartbeat()
    play_on(match)
    while extend_deadlines_after_outages():
        pass
    assert (extended(match), extended(other)) == (0, 1)


def test_turns_of_ais_and_matches_without_a_clock_are_left(database: str) -> None:
    ais, people = start_match("easy", "easy"), start_match(make_player(), make_player())
    silent_for(HOUR)
    sweep()
    assert (extended(ais), extended(people)) == (0, 0)


def test_it_is_done_some_at_a_time_and_goes_on_where_it_was(database: str) -> None:
    matches = [with_clock() for _ in range(5)]
    silent_for(HOUR)
    record_heartbeat()
    assert extend_deadlines_after_outages(at_most=2)
    assert sorted(extended(match) for match in matches) == [0, 0, 0, 1, 1]
    assert extend_deadlines_after_outages(at_most=2)
    assert extend_deadlines_after_outages(at_most=2)
    assert not extend_deadlines_after_outages(at_most=2)
    assert {extended(match) for match in matches} == {1}


def test_several_sweepers_find_one_outage_and_move_each_deadline_once(committing_database: str) -> None:
    matches = [with_clock() for _ in range(12)]
    silent_for(HOUR)
    together = threading.Barrier(3, timeout=20)
    failed: list[BaseException] = []

    def work() -> None:
        together.wait()
        try:
            record_heartbeat()
            while extend_deadlines_after_outages(at_most=3):
                pass
        except BaseException as error:  # noqa: BLE001 -- told by the test
            failed.append(error)
        finally:
            connection.close()

    sweepers = [threading.Thread(target=work) for _ in range(3)]
    for each in sweepers:
        each.start()
    for each in sweepers:
        each.join()
    assert failed == []
    assert Outage.objects.filter(done=True).count() == 1
    assert [extended(match) for match in matches] == [1] * 12


@pytest.mark.parametrize("silence", (HOUR, timedelta(seconds=0)))
def test_a_beat_is_noted_now_and_then(database: str, silence: timedelta) -> None:
    silent_for(silence)
    before = Heartbeat.objects.get().beat_at
    record_heartbeat()
    assert (Heartbeat.objects.get().beat_at > before) == bool(silence)
