"""Matches that never started, and analyses, are deleted after 30 days; logs of started matches never."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from games.ai.analysis import start_analysis
from games.ai.models import AnalysedPiece, Analysis
from games.lobby.services import membership
from games.lobby.services.membership import cancel_match
from games.lobby.services.rematches import create_or_join_rematch
from games.matches.models.log import Move, SeedChain, Snapshot
from games.matches.models.match import Match, MatchStatus, Seat
from games.notifications.models import Delivery
from games.operators.services import cancel_open_match
from games.play.resignation import resign
from games.records.verification import verify_matches
from games.sweep.tasks import delete_analyses, delete_matches
from tests.games.notifications.conftest import make_endpoint
from tests.support.factories import ai, make_player, make_table, start_match

LONG_AGO = timedelta(days=31)


def cancelled_match(**body: Any) -> str:
    maker = make_player()
    match_id: str = make_table(maker, **body)["id"]
    cancel_match(match_id=match_id, player=maker)
    return match_id


def age(*match_ids: str) -> None:
    Match.objects.filter(pk__in=match_ids).update(finished_at=timezone.now() - LONG_AGO)


def test_cancelled_match_that_never_started_is_deleted_after_thirty_days(database: str) -> None:
    watcher = make_player()
    open_match = make_table(watcher)["id"]
    make_endpoint(watcher, match=open_match)
    cancel_match(match_id=open_match, player=watcher)
    recent = cancelled_match()
    assert Delivery.objects.exists()
    age(open_match)
    delete_matches()
    assert list(Match.objects.values_list("pk", flat=True)) == [recent]
    for model in (Move, Seat):
        assert set(model.objects.values_list("match", flat=True)) == {recent}
    assert not Delivery.objects.exists()
    delete_matches()


def test_matches_that_are_played_or_have_started_are_never_deleted(database: str) -> None:
    maker = make_player()
    between_ais = make_table(maker, ai(), ai())["id"]
    cancel_match(match_id=between_ais, player=maker)
    finished = start_match(maker, make_player())
    resign(match_id=finished.pk, player=maker)
    age(between_ais, finished.pk)
    waiting, running = make_table(maker)["id"], start_match(maker, make_player()).pk
    delete_matches()
    assert set(Match.objects.values_list("pk", flat=True)) == {between_ais, finished.pk, waiting, running}


def test_match_on_which_an_operator_acted_stays(database: str) -> None:
    match_id = make_table(make_player())["id"]
    cancel_open_match(operator=make_player(), match_id=match_id, reason="spam")
    age(match_id)
    delete_matches()
    assert Match.objects.filter(pk=match_id).exists()


def test_match_whose_rematch_is_deleted_stays(database: str) -> None:
    maker = make_player()
    match = start_match(maker, make_player())
    resign(match_id=match.pk, player=maker)
    _, rematch = create_or_join_rematch(match_id=match.pk, player=maker)
    cancel_match(match_id=rematch["id"], player=maker)
    age(rematch["id"])
    delete_matches()
    match.refresh_from_db()
    assert (match.next_match_id, Match.objects.count()) == (None, 1)


def test_a_bounded_number_is_deleted_at_a_time(database: str) -> None:
    match_ids = [cancelled_match() for _ in range(3)]
    age(*match_ids)
    assert membership.delete_never_started_matches(now=timezone.now(), at_most=2) == 2
    assert membership.delete_never_started_matches(now=timezone.now(), at_most=2) == 1


def test_cancelled_match_has_no_chain_and_is_verified(database: str) -> None:
    cancelled_match(hold=True)
    assert not SeedChain.objects.exists()
    assert not Snapshot.objects.exists()
    assert verify_matches().matches == 1


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True)
def test_postgresql_refuses_to_delete_the_log_of_a_match_that_started(database: str) -> None:
    """Not even with a match that was changed to look as if it had been cancelled before its start.

    SQLite has one role, which can do anything.
    """
    match = start_match(make_player(), make_player())
    Match.objects.filter(pk=match.pk).update(
        status=MatchStatus.CANCELLED,
        to_act=None,
        started_at=None,
        finished_at=timezone.now() - LONG_AGO,
    )
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        delete_matches()
    assert Move.objects.filter(match=match).exists()


def test_analysis_is_deleted_after_thirty_days_and_can_be_requested_again(database: str) -> None:
    player = make_player()
    match = start_match(player, make_player())
    resign(match_id=match.pk, player=player)
    start_analysis(match_id=match.pk, player=player)
    AnalysedPiece.objects.create(analysis_id=match.pk, first=0, decisions=[])
    delete_analyses()
    assert Analysis.objects.exists()
    Analysis.objects.update(begun_at=timezone.now() - LONG_AGO, wake_at=None)
    delete_analyses()
    assert not Analysis.objects.exists()
    start_analysis(match_id=match.pk, player=player)
