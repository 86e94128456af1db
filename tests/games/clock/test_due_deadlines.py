import logging
import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now

from games.clock import timeouts
from games.clock.timeouts import MAX_ATTEMPTS, time_out_due_turns, timeout_event
from games.matches.commit import Event
from games.matches.models.log import Move
from games.matches.models.match import Match, MatchStatus
from games.matches.store import MatchRow
from games.records.verification import verify_matches
from tests.support.factories import make_overdue, now_at, start_match, with_clock


def test_what_is_due_is_done_once(database: str) -> None:
    matches = [with_clock() for _ in range(3)]
    with_clock()
    make_overdue(*matches)
    assert time_out_due_turns() == 3
    assert time_out_due_turns() == 0
    assert [now_at(match).version for match in matches] == [2, 2, 2]
    verify_matches()


def test_nothing_is_done_before_its_time(database: str) -> None:
    match = with_clock()
    Match.objects.filter(pk=match.pk).update(deadline=Now() + timedelta(seconds=0.5))
    assert time_out_due_turns() == 0
    Match.objects.filter(pk=match.pk).update(deadline=Now())
    assert time_out_due_turns() == 1


def test_a_match_that_is_not_being_played_or_has_no_clock_is_left(database: str) -> None:
    paused = with_clock()
    make_overdue(paused)
    Match.objects.filter(pk=paused.pk).update(status=MatchStatus.PAUSED)
    start_match("easy", "easy")
    assert time_out_due_turns() == 0


def test_more_than_are_taken_at_once_are_left_for_the_next_go_the_longest_overdue_first(
    database: str,
) -> None:
    matches = [with_clock() for _ in range(3)]
    make_overdue(*matches)
    make_overdue(matches[2])
    assert time_out_due_turns(at_most=1) == 1
    assert [now_at(match).version for match in matches] == [1, 1, 2]
    assert time_out_due_turns(at_most=1) == 1
    assert time_out_due_turns(at_most=2) == 1


def test_a_match_that_cannot_be_acted_in_does_not_hold_up_the_others(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, whole = with_clock(), with_clock()
    make_overdue(broken, whole)

    def fail(row: MatchRow) -> Event:
        if row.id == broken.pk:
            hand = "7r"
            raise ValueError(f"about a hand with {hand}")
        return timeout_event(row)

    monkeypatch.setattr(timeouts, "timeout_event", fail)
    with caplog.at_level(logging.ERROR):
        for _ in range(MAX_ATTEMPTS + 2):
            time_out_due_turns()
    assert (now_at(broken).version, now_at(whole).version) == (1, 2)
    assert caplog.text.count("the clock failed") == MAX_ATTEMPTS
    assert "with 7r" not in caplog.text


def test_a_sweep_that_dies_before_its_commit_has_done_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = with_clock()
    make_overdue(match)

    class Killed(BaseException):
        pass

    def die(_: list[Event]) -> list[bool]:
        raise Killed

    with monkeypatch.context() as while_dying:
        while_dying.setattr(timeouts, "commit_events", die)
        with pytest.raises(Killed):
            time_out_due_turns()
    assert now_at(match).version == 1
    assert time_out_due_turns() == 1


def test_sweepers_at_once_share_the_turns_out_and_do_each_once(committing_database: str) -> None:
    matches = [with_clock() for _ in range(30)]
    make_overdue(*matches)
    done: list[int] = []
    together = threading.Barrier(3, timeout=20)

    def work() -> None:
        together.wait()
        try:
            while count := time_out_due_turns(at_most=4):
                done.append(count)
        finally:
            connection.close()

    sweepers = [threading.Thread(target=work) for _ in range(3)]
    for each in sweepers:
        each.start()
    for each in sweepers:
        each.join()
    while count := time_out_due_turns():
        done.append(count)
    assert sum(done) == len(matches)
    assert Move.objects.filter(by="clock").count() == len(matches)
    assert {now_at(match).version for match in matches} == {2}


def test_a_sweep_does_not_wait_for_a_match_that_somebody_holds(committing_database: str) -> None:
    if committing_database == "sqlite":
        return  # one writer at a time: there is nothing to skip
    held, free = with_clock(), with_clock()
    make_overdue(held, free)
    done: list[int] = []

    def work() -> None:
        try:
            done.append(time_out_due_turns())
        finally:
            connection.close()

    with transaction.atomic():
        Match.objects.select_for_update().get(pk=held.pk)
        sweeper = threading.Thread(target=work)
        sweeper.start()
        sweeper.join(timeout=20)
    assert done == [1]
    assert now_at(free).version == 2
