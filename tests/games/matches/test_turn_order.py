"""Workers take the due turns of AIs in a fair order."""

from datetime import timedelta
from itertools import chain

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.ai.services import take_claimed_turn, take_turn
from games.clock.pauses import request_pause
from games.identity.models import Player
from games.matches.models.match import Match, TurnPriority
from games.matches.turn_order import LEASE, ClaimedTurn, claim_next_turn
from tests.support.concurrency import locked_match, run_concurrently
from tests.support.factories import make_player, reload_match, start_match

AIS = ("easy", "easy")


def due_match(maker: Player, *seats: Player | str) -> Match:
    """Start a match of this maker in which an AI is to act."""
    while True:
        match = start_match(*(seats or AIS), maker=maker)
        if match.wake_at is not None:
            return match


def claim_all() -> list[str]:
    """Claim turns until none is due; return the ids of their matches in this order."""
    claimed: list[str] = []
    while turn := claim_next_turn():
        claimed.append(turn.match_id)
    return claimed


def owners(match_ids: list[str]) -> list[int]:
    makers = dict(Match.objects.values_list("pk", "maker_id"))
    return [makers[match_id] for match_id in match_ids]


def test_makers_take_turns_however_many_matches_one_of_them_has(database: str) -> None:
    one, two, three = make_player(), make_player(), make_player()
    flood = [due_match(one) for _ in range(6)]
    for maker in (two, three, two):
        due_match(maker)
    order = claim_all()
    assert owners(order) == [one.pk, two.pk, three.pk, one.pk, two.pk, one.pk, one.pk, one.pk, one.pk]
    assert [each for each in order if each in {match.pk for match in flood}] == [each.pk for each in flood]


def test_new_maker_waits_for_one_turn_of_each_other_maker_at_most(database: str) -> None:
    """Also when the places of the waiting turns have grown since."""
    one, two = make_player(), make_player()
    for _ in range(8):
        due_match(one)
    for _ in range(5):
        turn = claim_next_turn()
        assert turn is not None
        assert take_claimed_turn(turn, dispatch=False) is not None
    late = due_match(two)
    assert late.pk in claim_all()[:2]


def test_maker_with_continuing_matches_leaves_every_second_turn_to_another(database: str) -> None:
    one, two = make_player(), make_player()
    for maker in (one, one, one, two):
        due_match(maker)
    taken: list[int] = []
    for _ in range(12):
        turn = claim_next_turn()
        assert turn is not None
        taken += owners([turn.match_id])
        assert take_claimed_turn(turn, dispatch=False) is not None  # another turn of this match becomes due
    assert taken.count(two.pk) >= 5


def test_matches_with_people_come_before_matches_between_ais(database: str) -> None:
    between_ais = [due_match(make_player()) for _ in range(3)]
    with_people = due_match(make_player(), "easy", make_player())
    assert claim_all() == [with_people.pk, *[match.pk for match in between_ais]]
    assert reload_match(with_people).turn_priority == TurnPriority.WITH_PEOPLE
    assert reload_match(between_ais[0]).turn_priority == TurnPriority.ONLY_AIS


def test_claim_is_a_lease_and_counts_the_attempt(database: str) -> None:
    match = start_match(*AIS)
    assert claim_next_turn() == ClaimedTurn(match.pk, 1)
    assert claim_next_turn() is None
    claimed = reload_match(match)
    assert claimed.wake_at is not None
    assert LEASE - timedelta(seconds=5) < claimed.wake_at - timezone.now() <= LEASE
    assert (claimed.attempts, claimed.turn_due_at) == (1, match.turn_due_at)
    Match.objects.update(wake_at=timezone.now() - timedelta(milliseconds=1))
    assert claim_next_turn() == ClaimedTurn(match.pk, 1)
    assert reload_match(match).attempts == 2


def test_turns_that_are_not_due_are_not_claimed(database: str) -> None:
    match, paused = start_match(*AIS), start_match(*AIS)
    start_match(make_player(), make_player())
    Match.objects.filter(pk=match.pk).update(wake_at=timezone.now() + timedelta(seconds=5))
    Match.objects.filter(pk=paused.pk).update(status="paused")
    assert claim_next_turn() is None


def test_turn_is_due_as_soon_as_it_is_stored(database: str) -> None:
    """SQLite stores milliseconds: the claim in the same millisecond finds the turn, too."""
    for _ in range(20):
        match = start_match(*AIS)
        assert claim_next_turn() == ClaimedTurn(match.pk, 1)


def test_place_is_free_again_when_no_turn_waits(database: str) -> None:
    maker = make_player()
    assert [due_match(maker).turn_order for _ in range(3)] == [0, 1, 2]
    while turn := claim_next_turn():
        Match.objects.filter(pk=turn.match_id).update(status="paused")
    assert due_match(maker).turn_order == 0


def test_concurrent_workers_never_claim_the_same_turn(committing_database: str) -> None:
    matches = {start_match(*AIS).pk for _ in range(40)}
    claimed: list[str] = [*chain.from_iterable(run_concurrently([claim_all] * 2))]
    claimed += claim_all()
    assert len(claimed) == len(matches)
    assert set(claimed) == matches


@pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
def test_claiming_skips_locked_matches(committing_database: str) -> None:
    locked, free = start_match(*AIS), start_match(*AIS)
    with locked_match(locked):
        [claimed] = run_concurrently([claim_all])
    assert claimed == [free.pk]


def test_ai_turn_takes_three_statements(database: str) -> None:
    """A claim, a read and, on PostgreSQL, one statement for the event."""
    match = start_match(*AIS)
    with CaptureQueriesContext(connection) as queries:
        turn = claim_next_turn()
        assert turn is not None
        assert take_claimed_turn(turn, dispatch=False) is not None
    assert reload_match(match).version == 2
    statements = [
        each["sql"] for each in queries if "BEGIN" not in each["sql"] and "COMMIT" not in each["sql"]
    ]
    assert len(statements) == 3 if database == "postgresql" else len(statements) > 3


@pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
def test_claim_and_place_read_indexes_however_many_matches_are_stored(database: str) -> None:
    """The plans do not read the table, so finished and waiting matches cost nothing."""
    start_match(*AIS)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
    with CaptureQueriesContext(connection) as queries:
        assert claim_next_turn() is not None
    [claim] = [each["sql"] for each in queries]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {claim}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "using match_turn_order on" in plan
    assert "Seq Scan" not in plan
    assert "Sort" not in plan


def test_pause_request_during_a_claimed_turn_makes_it_due_again_at_once(database: str) -> None:
    player, other = make_player(), make_player()
    match = due_match(player, "easy", player, other)
    assert claim_next_turn() is not None
    request_pause(match_id=match.pk, player=player)
    assert claim_next_turn() == ClaimedTurn(match.pk, 2)
    assert take_turn(match_id=match.pk, version=2)
