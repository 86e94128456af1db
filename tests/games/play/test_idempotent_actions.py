"""Actions at the table keep their answers for a day, as all other requests do."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.api.models import IdempotencyKey
from games.matches.models.log import Move
from tests.support.clients import HttpPlayer
from tests.support.factories import make_player, start_match

KEY = {"Idempotency-Key": "one"}


@pytest.fixture
def bettor(committing_database: str) -> HttpPlayer:
    """Somebody who has bet under the key."""
    people = [make_player(), make_player()]
    better = HttpPlayer.enter(start_match(*people), people[0])
    assert better.act(bet(better), **KEY).status_code == 201
    return better


def bet(player: HttpPlayer) -> dict[str, object]:
    return {"version": player.table()["version"], "type": "bet", "amount": 15}


def grow_old(**age: int) -> None:
    IdempotencyKey.objects.update(created=timezone.now() - timedelta(**age))


def test_within_a_day_the_answer_is_given_again(bettor: HttpPlayer) -> None:
    grow_old(hours=23, minutes=59)
    body = {"version": 1, "type": "bet", "amount": 15}
    assert bettor.act(body, **KEY).json()["move"]["type"] == "bet"
    assert Move.objects.filter(type="bet").count() == 1


def test_after_a_day_the_request_is_judged_anew(bettor: HttpPlayer) -> None:
    grow_old(hours=24, seconds=1)
    refused = bettor.act({"version": 1, "type": "bet", "amount": 15}, **KEY)
    assert refused.json()["code"] == "bet_exists"
    assert not IdempotencyKey.objects.exists()


def test_after_a_day_another_request_may_have_the_key(bettor: HttpPlayer) -> None:
    other = HttpPlayer.enter(start_match(bettor.player, make_player()), bettor.player)
    path = f"/api/v1/matches/{other.match_id}/moves"
    IdempotencyKey.objects.update(created=timezone.now() - timedelta(days=2), path=path)
    assert other.act(bet(other), **KEY).status_code == 201
    kept = IdempotencyKey.objects.get()
    assert kept.key == "one"
    assert kept.created > timezone.now() - timedelta(hours=1)
    assert kept.body["match"]["id"] == other.match_id
