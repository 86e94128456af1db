import threading
from datetime import timedelta

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.ai.services import CLAIM_DURATION, Turn, claim_due_turns, release_turns
from games.matches.models.match import Match
from tests.support.factories import make_player, start_match


def test_what_is_due_is_given_out_once_and_again_when_nothing_came_of_it(database: str) -> None:
    due = [start_match("easy", "easy") for _ in range(3)]
    start_match(make_player(), make_player())
    assert sorted(claim_due_turns()) == sorted((match.pk, 1) for match in due)
    assert claim_due_turns() == []
    Match.objects.update(wake_at=timezone.now() - timedelta(milliseconds=1))
    assert len(claim_due_turns(at_most=2)) == 2


def test_a_turn_that_somebody_died_at_is_given_out_with_the_number_of_its_attempts(database: str) -> None:
    match = start_match("easy", "easy")
    Match.objects.filter(pk=match.pk).update(attempts=2)
    assert claim_due_turns() == [(match.pk, 1, 2)]


def test_what_is_not_due_yet_is_left(database: str) -> None:
    match = start_match("easy", "easy")
    Match.objects.filter(pk=match.pk).update(wake_at=timezone.now() + timedelta(seconds=5))
    assert claim_due_turns() == []


def test_a_match_that_is_not_being_played_is_left(database: str) -> None:
    match = start_match("easy", "easy")
    Match.objects.filter(pk=match.pk).update(status="paused")
    assert claim_due_turns() == []


def test_the_claim_is_a_lease(database: str) -> None:
    match = start_match("easy", "easy")
    claim_due_turns()
    wake_at = Match.objects.get(pk=match.pk).wake_at
    assert wake_at is not None
    assert CLAIM_DURATION - timedelta(seconds=5) < wake_at - timezone.now() <= CLAIM_DURATION


def test_a_claim_that_is_given_back_is_found_by_the_next_sweep(database: str) -> None:
    match, gone_on = start_match("easy", "easy"), start_match("easy", "easy")
    claimed = claim_due_turns()
    later = timezone.now() + timedelta(seconds=9)
    Match.objects.filter(pk=gone_on.pk).update(version=2, wake_at=later)
    release_turns(claimed)
    assert claim_due_turns() == [(match.pk, 1)]
    assert Match.objects.get(pk=gone_on.pk).wake_at == later


def test_two_sweepers_at_once_share_the_turns_out(committing_database: str) -> None:
    matches = {start_match("easy", "easy").pk for _ in range(40)}
    found: list[str | int] = []
    together = threading.Barrier(2, timeout=20)

    def work() -> None:
        together.wait()
        try:
            while turns := claim_due_turns(at_most=7):
                found.extend(turn[0] for turn in turns)
        finally:
            connection.close()

    sweepers = [threading.Thread(target=work) for _ in range(2)]
    for each in sweepers:
        each.start()
    for each in sweepers:
        each.join()
    found.extend(turn[0] for turn in claim_due_turns())
    assert len(found) == len(matches)
    assert set(found) == matches


def test_a_sweep_does_not_wait_for_a_match_that_somebody_holds(committing_database: str) -> None:
    if committing_database == "sqlite":
        return  # one writer at a time: there is nothing to skip
    held, free = start_match("easy", "easy"), start_match("easy", "easy")
    found: list[Turn] = []

    def work() -> None:
        try:
            found.extend(claim_due_turns())
        finally:
            connection.close()

    with transaction.atomic():
        Match.objects.select_for_update().get(pk=held.pk)
        sweeper = threading.Thread(target=work)
        sweeper.start()
        sweeper.join(timeout=20)
    assert found == [(free.pk, 1)]


def test_a_sweep_that_finds_nothing_is_one_query(database: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert claim_due_turns() == []
    assert len(queries) == 1
