"""Responses to actions are stored under their idempotency key for a day."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.api.models import IdempotencyKey
from games.matches.models.log import Move
from tests.support.clients import HttpPlayer, code
from tests.support.table import Table

KEY = {"Idempotency-Key": "one"}
# After the events `joined`, `joined` and `started`.
FIRST_VERSION = 3


@pytest.fixture
def bettor(committing_database: str) -> HttpPlayer:
    """Return a player who has bet with an idempotency key."""
    player = Table.start("anna", "ben")["anna"]
    assert bet(player).status_code == 201
    return player


def bet(player: HttpPlayer) -> Any:
    return player.act({"version": player.table()["version"], "type": "bet", "amount": 15}, **KEY)


def age_stored_keys(**age: int) -> None:
    IdempotencyKey.objects.update(created=timezone.now() - timedelta(**age))


def test_the_stored_response_is_returned_within_a_day(bettor: HttpPlayer) -> None:
    age_stored_keys(hours=23, minutes=59)
    body = {"version": FIRST_VERSION, "type": "bet", "amount": 15}
    assert bettor.act(body, **KEY).json()["move"]["type"] == "bet"
    assert Move.objects.filter(type="bet").count() == 1


def test_an_idempotency_key_expires_after_a_day(bettor: HttpPlayer) -> None:
    age_stored_keys(hours=24, seconds=1)
    assert code(bet(bettor)) == "bet_exists"
    assert not IdempotencyKey.objects.exists()


def test_an_expired_idempotency_key_can_be_reused(bettor: HttpPlayer) -> None:
    other = Table.start(bettor.player, "ben")[bettor.username]
    path = f"/api/v1/matches/{other.match_id}/moves"
    IdempotencyKey.objects.update(created=timezone.now() - timedelta(days=2), path=path)
    assert bet(other).status_code == 201
    stored_key = IdempotencyKey.objects.get()
    assert stored_key.key == "one"
    assert stored_key.created > timezone.now() - timedelta(hours=1)
    assert stored_key.body["match"]["id"] == other.match_id
