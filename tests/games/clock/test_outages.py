from datetime import timedelta

import pytest
from django.db.models.functions import Now

from games.clock.models import Heartbeat, Outage
from games.clock.outages import extend_deadlines_after_outages, record_heartbeat
from games.matches.models.match import Match
from games.records.verification import verify_matches
from games.sweep.tasks import sweep
from tests.support.concurrency import run_concurrently
from tests.support.factories import (
    last_entry,
    logged_events,
    make_overdue,
    make_player,
    play_turn,
    reload_match,
    start_match,
    start_timed_match,
)

HOUR = timedelta(hours=1)


def set_silence(length: timedelta) -> None:
    Heartbeat.objects.update_or_create(name="clock", defaults={"beat_at": Now() - length})


def count_extensions(match: Match) -> int:
    return sum(event == "extended" for event, _, _ in logged_events(match))


def test_first_heartbeat_records_no_outage(database: str) -> None:
    record_heartbeat()
    record_heartbeat()
    assert Heartbeat.objects.count() == 1
    assert not Outage.objects.exists()


def test_short_silence_records_no_outage(database: str) -> None:
    set_silence(timedelta(seconds=10))
    record_heartbeat()
    assert not Outage.objects.exists()


def test_running_deadlines_are_extended_once_by_the_length_of_the_outage(database: str) -> None:
    matches = [start_timed_match() for _ in range(3)]
    set_silence(HOUR)
    for _ in range(3):
        sweep()
    for match in matches:
        after = reload_match(match)
        assert after.deadline is not None
        assert match.deadline is not None
        assert timedelta() <= after.deadline - match.deadline - HOUR < timedelta(seconds=60)
        entry = last_entry(match)
        assert (entry["type"], entry["seat"], entry["by"]) == ("extended", match.to_act, "clock")
        assert count_extensions(match) == 1
    verify_matches()


def test_deadline_that_expired_during_the_outage_is_extended_and_not_timed_out(database: str) -> None:
    match = start_timed_match()
    Match.objects.filter(pk=match.pk).update(deadline=Now() - HOUR / 2)
    set_silence(HOUR)
    sweep()
    assert [event for event, _, _ in logged_events(match)] == ["started", "extended"]


def test_turn_that_expired_before_the_outage_times_out(database: str) -> None:
    match = start_timed_match()
    make_overdue(match)
    set_silence(timedelta(seconds=60))
    sweep()
    sweep()
    assert last_entry(match)["by"] == "clock"
    assert count_extensions(match) == 0


def test_turn_that_starts_after_the_outage_is_not_extended(database: str) -> None:
    match, other = start_timed_match(), start_timed_match()
    set_silence(HOUR)
    record_heartbeat()
    play_turn(match)
    while extend_deadlines_after_outages():
        pass
    assert (count_extensions(match), count_extensions(other)) == (0, 1)


def test_ai_turns_and_matches_without_a_clock_are_not_extended(database: str) -> None:
    match_of_ais, match_without_clock = start_match("easy", "easy"), start_match(make_player(), make_player())
    set_silence(HOUR)
    sweep()
    assert (count_extensions(match_of_ais), count_extensions(match_without_clock)) == (0, 0)


def test_batches_continue_after_the_last_extended_match(database: str) -> None:
    matches = [start_timed_match() for _ in range(5)]
    set_silence(HOUR)
    record_heartbeat()
    assert extend_deadlines_after_outages(at_most=2)
    assert sorted(count_extensions(match) for match in matches) == [0, 0, 0, 1, 1]
    assert extend_deadlines_after_outages(at_most=2)
    assert extend_deadlines_after_outages(at_most=2)
    assert not extend_deadlines_after_outages(at_most=2)
    assert {count_extensions(match) for match in matches} == {1}


def test_concurrent_sweeps_record_one_outage_and_extend_each_deadline_once(committing_database: str) -> None:
    matches = [start_timed_match() for _ in range(12)]
    set_silence(HOUR)

    def sweep() -> None:
        record_heartbeat()
        while extend_deadlines_after_outages(at_most=3):
            pass

    run_concurrently([sweep] * 3)
    assert Outage.objects.filter(done=True).count() == 1
    assert [count_extensions(match) for match in matches] == [1] * 12


@pytest.mark.parametrize("silence", (HOUR, timedelta(seconds=0)))
def test_heartbeat_is_updated_only_after_an_interval(database: str, silence: timedelta) -> None:
    set_silence(silence)
    before = Heartbeat.objects.get().beat_at
    record_heartbeat()
    assert (Heartbeat.objects.get().beat_at > before) == bool(silence)
