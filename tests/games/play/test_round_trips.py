"""Count round trips to PostgreSQL in what the driver sends."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from django.db import connection

from games.identity.models import Player
from games.notifications.models import Delivery, Notice
from games.notifications.webhooks import create_webhook
from tests.support.clients import HttpPlayer, choose_action
from tests.support.factories import make_player, start_match

pytestmark = [
    pytest.mark.needs("postgresql"),
    pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True),
]

# What the client sends when it waits for the server: a simple query, or the end of an extended one.
_WAITS = ("\tQuery\t", "\tSync\t")


@contextmanager
def trips() -> Iterator[list[str]]:
    """Collect the messages for whose response the client waits in the block."""
    connection.ensure_connection()
    pgconn = connection.connection.pgconn
    sent: list[str] = []
    with tempfile.NamedTemporaryFile("w+b") as trace:
        descriptor = os.dup(trace.fileno())
        pgconn.trace(descriptor)
        try:
            yield sent
        finally:
            pgconn.untrace()
            os.close(descriptor)
            sent += [line for line in Path(trace.name).read_text("utf-8").splitlines() if _waits(line)]


def _waits(line: str) -> bool:
    return "\tF\t" in line and any(message in line for message in _WAITS)


@pytest.fixture
def players(committing_database: str) -> list[HttpPlayer]:
    """Start a match of two players on PostgreSQL, with the statements used so far prepared."""
    people = [make_player(), make_player()]
    match = start_match(*people, target_score=1000)
    return [HttpPlayer.log_in(match, player) for player in people]


def a_move(players: list[HttpPlayer], rng: Random) -> tuple[HttpPlayer, dict[str, object]]:
    """Return the player to act and a legal action other than a bet."""
    table = players[0].table()
    player = players[table["round"]["to_act"]]
    legal = {**player.get("/legal-moves?expand=plays").json(), "bets": []}
    return player, {"version": table["version"], **choose_action(legal, player.table()["you"], rng)}


def test_an_action_within_a_round_takes_two_round_trips(players: list[HttpPlayer]) -> None:
    rng = Random(2)
    counted = []
    for number in range(24):
        player, body = a_move(players, rng)
        with trips() as sent:
            response = player.act(body)
        assert response.status_code == 201
        ended = any(each["type"] == "round_end" for each in response.json()["move"]["then"])
        if number >= 12 and not ended:
            counted.append(len(sent))
    assert counted
    assert max(counted) <= 2, counted


def test_webhooks_and_mails_add_no_round_trips(players: list[HttpPlayer]) -> None:
    for each in players:
        preferences = {"email": ["your_turn"], "digest": ["your_turn", "match_end"]}
        Player.objects.filter(pk=each.player.pk).update(email_confirmed=True, notifications=preferences)
        create_webhook(player=each.player, url="https://bots.example/")
    rng = Random(3)
    counted = []
    for number in range(20):
        player, body = a_move(players, rng)
        with trips() as sent:
            response = player.act(body)
        ended = any(each["type"] == "round_end" for each in response.json()["move"]["then"])
        if number >= 14 and not ended:
            counted.append(len(sent))
    assert counted
    assert max(counted) <= 2, counted
    assert Delivery.objects.count() == 2 * 20
    assert Notice.objects.exists()


def test_a_304_takes_one_round_trip(players: list[HttpPlayer]) -> None:
    tag = players[0].get("")["ETag"]
    for _ in range(8):
        players[0].get("", **{"If-None-Match": tag})
    with trips() as sent:
        response = players[0].get("", **{"If-None-Match": tag})
    assert response.status_code == 304
    assert len(sent) <= 1, sent


def test_reading_the_table_takes_one_round_trip(players: list[HttpPlayer]) -> None:
    for _ in range(8):
        players[0].table()
    with trips() as sent:
        players[0].table()
    assert len(sent) <= 1, sent
