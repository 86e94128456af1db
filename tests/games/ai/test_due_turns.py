import threading
from datetime import timedelta

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.ai.services import CLAIM_DURATION, Turn, claim_due_turns, release_turns
from games.matches.models.match import Match
from tests.support.factories import make_player, start_match


def test_due_turns_are_claimed_once_and_again_after_the_claim_expires(database: str) -> None:
    due = [start_match("easy", "easy") for _ in range(3)]
    start_match(make_player(), make_player())
    assert sorted(claim_due_turns()) == sorted((match.pk, 1) for match in due)
    assert claim_due_turns() == []
    Match.objects.update(wake_at=timezone.now() - timedelta(milliseconds=1))
    assert len(claim_due_turns(at_most=2)) == 2


def test_claimed_turn_includes_the_number_of_attempts(database: str) -> None:
    match = start_match("easy", "easy")
    Match.objects.filter(pk=match.pk).update(attempts=2)
    assert claim_due_turns() == [(match.pk, 1, 2)]


def test_turn_that_is_not_due_yet_is_not_claimed(database: str) -> None:
    match = start_match("easy", "easy")
    Match.objects.filter(pk=match.pk).update(wake_at=timezone.now() + timedelta(seconds=5))
    assert claim_due_turns() == []


def test_turn_of_a_paused_match_is_not_claimed(database: str) -> None:
    match = start_match("easy", "easy")
    Match.objects.filter(pk=match.pk).update(status="paused")
    assert claim_due_turns() == []


def test_claim_expires_after_the_claim_duration(database: str) -> None:
    match = start_match("easy", "easy")
    claim_due_turns()
    wake_at = Match.objects.get(pk=match.pk).wake_at
    assert wake_at is not None
    assert CLAIM_DURATION - timedelta(seconds=5) < wake_at - timezone.now() <= CLAIM_DURATION


def test_released_turn_is_claimed_again_unless_the_match_has_moved_on(database: str) -> None:
    match, advanced = start_match("easy", "easy"), start_match("easy", "easy")
    claimed = claim_due_turns()
    later = timezone.now() + timedelta(seconds=9)
    Match.objects.filter(pk=advanced.pk).update(version=2, wake_at=later)
    release_turns(claimed)
    assert claim_due_turns() == [(match.pk, 1)]
    assert Match.objects.get(pk=advanced.pk).wake_at == later


def test_concurrent_sweeps_never_claim_the_same_turn(committing_database: str) -> None:
    matches = {start_match("easy", "easy").pk for _ in range(40)}
    claimed_turns: list[str | int] = []
    barrier = threading.Barrier(2, timeout=20)

    def work() -> None:
        barrier.wait()
        try:
            while turns := claim_due_turns(at_most=7):
                claimed_turns.extend(turn[0] for turn in turns)
        finally:
            connection.close()

    sweepers = [threading.Thread(target=work) for _ in range(2)]
    for sweeper in sweepers:
        sweeper.start()
    for sweeper in sweepers:
        sweeper.join()
    claimed_turns.extend(turn[0] for turn in claim_due_turns())
    assert len(claimed_turns) == len(matches)
    assert set(claimed_turns) == matches


def test_claiming_skips_locked_matches(committing_database: str) -> None:
    if committing_database == "sqlite":
        return  # SQLite has no row locks
    locked, free = start_match("easy", "easy"), start_match("easy", "easy")
    claimed_turns: list[Turn] = []

    def work() -> None:
        try:
            claimed_turns.extend(claim_due_turns())
        finally:
            connection.close()

    with transaction.atomic():
        Match.objects.select_for_update().get(pk=locked.pk)
        sweeper = threading.Thread(target=work)
        sweeper.start()
        sweeper.join(timeout=20)
    assert claimed_turns == [(free.pk, 1)]


def test_claiming_is_one_query_if_no_turn_is_due(database: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert claim_due_turns() == []
    assert len(queries) == 1
