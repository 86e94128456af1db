"""Of concurrent requests one acts, the others are refused, and none fails with a server error."""

import os
from collections import Counter
from functools import partial
from random import Random
from typing import Any

from games.matches.models.log import Bet, Move
from tests.support.clients import HttpPlayer, choose_action
from tests.support.concurrency import run_concurrently
from tests.support.factories import make_player, start_match

# How many clients act concurrently, and for how many turns.
CLIENTS = int(os.environ.get("HAGGIS_AT_ONCE", "10"))
TURNS = int(os.environ.get("HAGGIS_TURNS", "5"))

FREE = {"stale_version", "not_your_turn", "request_in_flight", "bet_exists", "match_not_active"}


def seated(count: int = 2) -> list[HttpPlayer]:
    people = [make_player() for _ in range(count)]
    match = start_match(*people, target_score=1000)
    return [HttpPlayer.log_in(match, player) for player in people]


def turn(players: list[HttpPlayer], rng: Random) -> tuple[HttpPlayer, dict[str, Any]]:
    """Return the player to act and a legal action."""
    table = players[0].table()
    player = players[table["round"]["to_act"]]
    legal = {**player.get("/legal-moves?expand=plays").json(), "bets": []}
    return player, {"version": table["version"], **choose_action(legal, player.table()["you"], rng)}


def test_of_concurrent_actions_for_one_turn_one_succeeds(committing_database: str) -> None:
    players, rng = seated(), Random(8)
    for _ in range(TURNS):
        player, body = turn(players, rng)
        answers = run_concurrently([partial(player.act, body)] * CLIENTS)
        statuses = Counter(answer.status_code for answer in answers)
        assert statuses == {201: 1, 409: CLIENTS - 1}, statuses
        assert {answer.json()["code"] for answer in answers if answer.status_code == 409} <= FREE
        entries = Move.objects.filter(match_id=player.match_id, version=body["version"] + 1)
        assert entries.count() == 1


def test_concurrent_requests_with_one_idempotency_key_act_once(committing_database: str) -> None:
    players, rng = seated(), Random(9)
    player, body = turn(players, rng)
    answers = run_concurrently([partial(player.act, body, **{"Idempotency-Key": "again"})] * CLIENTS)
    acted = [answer.json() for answer in answers if answer.status_code == 201]
    refused = [answer.json()["code"] for answer in answers if answer.status_code != 201]
    assert acted
    assert all(answer == acted[0] for answer in acted)
    assert set(refused) <= {"request_in_flight"}
    assert player.act(body, **{"Idempotency-Key": "again"}).json() == acted[0]
    assert player.table()["version"] == body["version"] + 1


def test_concurrent_bets_of_one_seat_count_once(committing_database: str) -> None:
    players = seated(3)
    version = players[0].table()["version"]
    bettor = players[0]
    answers = run_concurrently(
        [partial(bettor.act, {"version": version, "type": "bet", "amount": 15})] * CLIENTS
    )
    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: CLIENTS - 1}
    assert Bet.objects.filter(match_id=bettor.match_id).count() == 1


def test_concurrent_bets_of_different_seats_all_count(committing_database: str) -> None:
    players = seated(3)
    version = players[0].table()["version"]
    bet = {"version": version, "type": "bet", "amount": 30}
    answers = run_concurrently([partial(player.act, bet) for player in players])
    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert players[0].table()["round"]["bets"] == [30, 30, 30]
