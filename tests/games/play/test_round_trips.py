"""The round trips to PostgreSQL of moves and reads."""

import pytest

from games.identity.models import Player
from games.notifications.models import Delivery, Notice
from games.notifications.webhooks import create_webhook
from tests.support.round_trips import record_round_trips
from tests.support.table import Table

pytestmark = [
    pytest.mark.needs("postgresql"),
    pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True),
]


@pytest.fixture
def table(committing_database: str) -> Table:
    """Start a match of two players on PostgreSQL, with the statements used so far prepared."""
    return Table.start("anna", "ben", target_score=1000, turn_seconds=None)


def test_an_action_within_a_round_takes_two_round_trips(table: Table) -> None:
    counted = []
    for number in range(24):
        player, body = table.legal_action(bets=False)
        with record_round_trips() as sent:
            response = player.act(body)
        assert response.status_code == 201
        ended = any(each["type"] == "round_end" for each in response.json()["move"]["then"])
        if number >= 12 and not ended:
            counted.append(len(sent))
    assert counted
    assert max(counted) <= 2, counted


def test_webhooks_and_mails_add_no_round_trips(table: Table) -> None:
    preferences = {"email": ["your_turn"], "digest": ["your_turn", "match_end"]}
    Player.objects.update(email_confirmed=True, notifications=preferences)
    for owner in Player.objects.all():
        create_webhook(player=owner, url="https://bots.example/")
    counted = []
    for number in range(20):
        player, body = table.legal_action(bets=False)
        with record_round_trips() as sent:
            response = player.act(body)
        ended = any(each["type"] == "round_end" for each in response.json()["move"]["then"])
        if number >= 14 and not ended:
            counted.append(len(sent))
    assert counted
    assert max(counted) <= 2, counted
    assert Delivery.objects.count() == 2 * 20
    assert Notice.objects.exists()


def test_a_304_takes_one_round_trip(table: Table) -> None:
    player = table["anna"]
    tag = player.get("")["ETag"]
    for _ in range(8):
        player.get("", **{"If-None-Match": tag})
    with record_round_trips() as sent:
        response = player.get("", **{"If-None-Match": tag})
    assert response.status_code == 304
    assert len(sent) <= 1, sent


def test_reading_the_table_takes_one_round_trip(table: Table) -> None:
    player = table["anna"]
    for _ in range(8):
        player.table()
    with record_round_trips() as sent:
        player.table()
    assert len(sent) <= 1, sent
