"""Of concurrent requests one acts, the others are refused, and none fails with a server error."""

import os
from collections import Counter
from functools import partial

from games.matches.models.log import Bet, Move
from tests.support.concurrency import run_concurrently
from tests.support.table import Table

# How many clients act concurrently, and for how many turns.
CLIENTS = int(os.environ.get("HAGGIS_AT_ONCE", "10"))
TURNS = int(os.environ.get("HAGGIS_TURNS", "5"))

FREE = {"stale_version", "not_your_turn", "request_in_flight", "bet_exists", "match_not_active"}


def test_of_concurrent_actions_for_one_turn_one_succeeds(committing_database: str) -> None:
    table = Table.start("anna", "ben", target_score=1000)
    for _ in range(TURNS):
        player, body = table.legal_action(bets=False)
        answers = run_concurrently([partial(player.act, body)] * CLIENTS)
        statuses = Counter(answer.status_code for answer in answers)
        assert statuses == {201: 1, 409: CLIENTS - 1}, statuses
        assert {answer.json()["code"] for answer in answers if answer.status_code == 409} <= FREE
        entries = Move.objects.filter(match_id=player.match_id, version=body["version"] + 1)
        assert entries.count() == 1


def test_concurrent_requests_with_one_idempotency_key_act_once(committing_database: str) -> None:
    player, body = Table.start("anna", "ben").legal_action(bets=False)
    answers = run_concurrently([partial(player.act, body, **{"Idempotency-Key": "again"})] * CLIENTS)
    acted = [answer.json() for answer in answers if answer.status_code == 201]
    refused = [answer.json()["code"] for answer in answers if answer.status_code != 201]
    assert acted
    assert all(answer == acted[0] for answer in acted)
    assert set(refused) <= {"request_in_flight"}
    assert player.act(body, **{"Idempotency-Key": "again"}).json() == acted[0]
    assert player.table()["version"] == body["version"] + 1


def test_concurrent_bets_of_one_seat_count_once(committing_database: str) -> None:
    table = Table.start("anna", "ben", "cleo")
    bet = {"version": table.version, "type": "bet", "amount": 15}
    answers = run_concurrently([partial(table["anna"].act, bet)] * CLIENTS)
    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: CLIENTS - 1}
    assert table.bets == {"anna": 15, "ben": None, "cleo": None}
    assert Bet.objects.filter(match_id=table.id).count() == 1


def test_concurrent_bets_of_different_seats_all_count(committing_database: str) -> None:
    table = Table.start("anna", "ben", "cleo")
    bet = {"version": table.version, "type": "bet", "amount": 30}
    answers = run_concurrently([partial(table[name].act, bet) for name in table.seats])
    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert table.bets == {"anna": 30, "ben": 30, "cleo": 30}
