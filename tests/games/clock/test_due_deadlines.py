import logging
from datetime import timedelta
from functools import partial

import pytest
from django.db.models.functions import Now

from games.clock import timeouts
from games.clock.timeouts import MAX_ATTEMPTS, time_out_due_turns, timeout_event
from games.matches.commit import Event
from games.matches.models.log import Move
from games.matches.models.match import Match, MatchStatus
from games.matches.store import MatchRow
from games.records.verification import verify_matches
from tests.support.concurrency import locked_match, run_concurrently
from tests.support.factories import make_overdue, reload_match, start_match, start_timed_match


def test_expired_turns_are_timed_out_once(database: str) -> None:
    matches = [start_timed_match() for _ in range(3)]
    start_timed_match()
    make_overdue(*matches)
    assert time_out_due_turns() == 3
    assert time_out_due_turns() == 0
    assert [reload_match(match).version for match in matches] == [2, 2, 2]
    verify_matches()


def test_turn_is_not_timed_out_before_its_deadline(database: str) -> None:
    match = start_timed_match()
    Match.objects.filter(pk=match.pk).update(deadline=Now() + timedelta(seconds=0.5))
    assert time_out_due_turns() == 0
    Match.objects.filter(pk=match.pk).update(deadline=Now())
    assert time_out_due_turns() == 1


def test_paused_matches_and_matches_without_a_clock_do_not_time_out(database: str) -> None:
    paused = start_timed_match()
    make_overdue(paused)
    Match.objects.filter(pk=paused.pk).update(status=MatchStatus.PAUSED)
    start_match("easy", "easy")
    assert time_out_due_turns() == 0


def test_batches_start_with_the_longest_overdue_turn(database: str) -> None:
    matches = [start_timed_match() for _ in range(3)]
    make_overdue(*matches)
    make_overdue(matches[2])
    assert time_out_due_turns(at_most=1) == 1
    assert [reload_match(match).version for match in matches] == [1, 1, 2]
    assert time_out_due_turns(at_most=1) == 1
    assert time_out_due_turns(at_most=2) == 1


def test_failure_in_one_match_does_not_block_others(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, intact = start_timed_match(), start_timed_match()
    make_overdue(broken, intact)

    def fail(row: MatchRow) -> Event:
        if row.id == broken.pk:
            hand = "7r"
            raise ValueError(f"about a hand with {hand}")
        return timeout_event(row)

    monkeypatch.setattr(timeouts, "timeout_event", fail)
    with caplog.at_level(logging.ERROR):
        for _ in range(MAX_ATTEMPTS + 2):
            time_out_due_turns()
    assert (reload_match(broken).version, reload_match(intact).version) == (1, 2)
    assert caplog.text.count("processing a deadline failed") == MAX_ATTEMPTS
    assert "with 7r" not in caplog.text


def test_sweep_killed_before_its_commit_changes_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = start_timed_match()
    make_overdue(match)

    class Killed(BaseException):
        pass

    def die(_: list[Event]) -> list[bool]:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(timeouts, "commit_events", die)
        with pytest.raises(Killed):
            time_out_due_turns()
    assert reload_match(match).version == 1
    assert time_out_due_turns() == 1


def test_concurrent_sweeps_time_out_each_turn_once(committing_database: str) -> None:
    matches = [start_timed_match() for _ in range(30)]
    make_overdue(*matches)

    def sweep() -> int:
        return sum(iter(partial(time_out_due_turns, at_most=4), 0))

    counts = [*run_concurrently([sweep] * 3), sweep()]
    assert sum(counts) == len(matches)
    assert Move.objects.filter(by="clock").count() == len(matches)
    assert {reload_match(match).version for match in matches} == {2}


def test_sweep_skips_locked_matches(committing_database: str) -> None:
    if committing_database == "sqlite":
        return  # SQLite has no row locks
    locked, free = start_timed_match(), start_timed_match()
    make_overdue(locked, free)
    with locked_match(locked):
        counts = run_concurrently([time_out_due_turns])
    assert counts == [1]
    assert reload_match(free).version == 2
