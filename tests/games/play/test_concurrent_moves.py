"""Many requests at once: one of them acts, the others are told, and nothing fails."""

import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from threading import Barrier
from typing import Any

from django.db import connections

from games.matches.models.log import Bet, Move
from tests.support.clients import HttpPlayer, choose
from tests.support.factories import make_player, start_match

# How many clients act at once, and for how many turns; HAGGIS_AT_ONCE and HAGGIS_TURNS make it the full size.
AT_ONCE = int(os.environ.get("HAGGIS_AT_ONCE", "10"))
TURNS = int(os.environ.get("HAGGIS_TURNS", "5"))

FREE = {"stale_version", "not_your_turn", "request_in_flight", "bet_exists", "match_not_active"}


def all_at_once(ask: Callable[[], Any], count: int = AT_ONCE) -> list[Any]:
    """Ask from so many threads at the same moment, each with a connection of its own."""
    gate = Barrier(count)

    def one(_: int) -> Any:
        try:
            gate.wait()
            return ask()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def seated(count: int = 2) -> list[HttpPlayer]:
    people = [make_player() for _ in range(count)]
    match = start_match(*people, target_score=1000)
    return [HttpPlayer.enter(match, player) for player in people]


def turn(players: list[HttpPlayer], rng: Random) -> tuple[HttpPlayer, dict[str, Any]]:
    """Who is to act, and a legal turn."""
    table = players[0].table()
    player = players[table["round"]["to_act"]]
    legal = {**player.get("/legal-moves?expand=plays").json(), "bets": []}
    return player, {"version": table["version"], **choose(legal, player.table()["you"], rng)}


def test_one_of_many_actions_for_one_turn_wins(committing_database: str) -> None:
    players, rng = seated(), Random(8)
    for _ in range(TURNS):
        player, body = turn(players, rng)
        answers = all_at_once(partial(player.act, body))
        statuses = Counter(answer.status_code for answer in answers)
        assert statuses == {201: 1, 409: AT_ONCE - 1}, statuses
        assert {answer.json()["code"] for answer in answers if answer.status_code == 409} <= FREE
        entries = Move.objects.filter(match_id=player.match_id, version=body["version"] + 1)
        assert entries.count() == 1


def test_one_request_sent_many_times_at_once_has_one_effect_and_one_answer(committing_database: str) -> None:
    players, rng = seated(), Random(9)
    player, body = turn(players, rng)
    answers = all_at_once(lambda: player.act(body, **{"Idempotency-Key": "again"}))
    acted = [answer.json() for answer in answers if answer.status_code == 201]
    refused = [answer.json()["code"] for answer in answers if answer.status_code != 201]
    assert acted
    assert all(answer == acted[0] for answer in acted)
    assert set(refused) <= {"request_in_flight"}
    assert player.act(body, **{"Idempotency-Key": "again"}).json() == acted[0]
    assert player.table()["version"] == body["version"] + 1


def test_a_seat_bets_once_a_round_whatever_is_asked_at_once(committing_database: str) -> None:
    players = seated(3)
    version = players[0].table()["version"]
    bettor = players[0]
    answers = all_at_once(lambda: bettor.act({"version": version, "type": "bet", "amount": 15}))
    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: AT_ONCE - 1}
    assert Bet.objects.filter(match_id=bettor.match_id).count() == 1


def test_bets_of_all_seats_at_once_all_stand(committing_database: str) -> None:
    players = seated(3)
    version = players[0].table()["version"]
    waiting = iter(players)
    answers = all_at_once(
        lambda: next(waiting).act({"version": version, "type": "bet", "amount": 30}), count=3
    )
    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert players[0].table()["round"]["bets"] == [30, 30, 30]
