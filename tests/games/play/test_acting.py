"""The response to an action, its errors and their order, and that a refused action changes nothing."""

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from games.api.models import IdempotencyKey
from games.identity.models import Player
from games.matches.models.log import Bet, Move
from games.matches.models.match import Match, Seat, SeatState
from tests.support.clients import HttpPlayer
from tests.support.factories import make_match, make_player, start_match
from tests.support.roles import as_owner


@pytest.fixture
def seated(database: str) -> list[HttpPlayer]:
    """Start a match of two players, and return them with the leader first."""
    people = [make_player(), make_player()]
    match = start_match(*people, last_link=bytes(range(32)))
    players = [HttpPlayer.log_in(match, player) for player in people]
    return players if players[0].table()["you"]["to_act"] else players[::-1]


def lowest_single(player: HttpPlayer) -> dict[str, Any]:
    """Return a request that plays the lowest legal single."""
    table = player.table()
    single = player.get("/legal-moves?kind=set&width=1").json()["combinations"][0]
    return {"version": table["version"], "type": "play", "cards": single["cheapest"]}


def code(response: Any) -> tuple[int, str]:
    """Return the status and code of a refusal."""
    return response.status_code, response.json()["code"]


def trace(match_id: str) -> tuple[int, int, int]:
    """Return everything that an action can change."""
    return (
        Match.objects.get(pk=match_id).version,
        Move.objects.filter(match_id=match_id).count(),
        IdempotencyKey.objects.count(),
    )


def test_an_action_returns_its_log_entry_and_the_new_table(seated: list[HttpPlayer]) -> None:
    body = lowest_single(seated[0])
    response = seated[0].act(body)
    assert response.status_code == 201
    answer = response.json()
    assert answer["move"]["version"] == body["version"] + 1 == answer["match"]["version"]
    assert answer["move"]["cards"] == body["cards"]
    assert answer["move"]["by"] == "player"
    assert answer["move"]["next"]["to_act"] == answer["match"]["round"]["to_act"]
    later = seated[0].table()
    assert {**answer["match"], "now": ""} == {**later, "now": ""}
    assert seated[1].get(f"/moves?after={body['version']}").json()["results"] == [answer["move"]]


def test_a_stale_version_is_refused_with_the_current_one(seated: list[HttpPlayer]) -> None:
    body = lowest_single(seated[0])
    before = trace(seated[0].match_id)
    refused = seated[0].act({**body, "version": body["version"] - 1})
    assert code(refused) == (409, "stale_version")
    assert refused.json()["version"] == body["version"]
    assert trace(seated[0].match_id) == before


def test_errors_are_checked_in_the_documented_order(seated: list[HttpPlayer]) -> None:
    waiting, match_id = seated[1], seated[0].match_id
    stranger = HttpPlayer.log_in(player=make_player())
    stranger.match_id = match_id
    stale = {"version": 0, "type": "play", "cards": ["2r"]}
    assert code(stranger.act({**stale, "cards": ["Xx"]})) == (422, "validation_error")
    stranger.match_id = "m_nothing"
    assert code(stranger.act(stale)) == (404, "not_found")
    stranger.match_id = match_id
    assert code(stranger.act(stale)) == (403, "not_seated")
    assert code(waiting.act(stale)) == (409, "stale_version")
    version = waiting.table()["version"]
    assert code(waiting.act({**stale, "version": version})) == (409, "not_your_turn")
    Seat.objects.filter(match_id=match_id, player=waiting.player).update(state=SeatState.CARETAKER)
    assert code(waiting.act(stale)) == (409, "caretaker_playing")


def test_match_not_active_is_checked_before_the_version(database: str) -> None:
    player = make_player()
    match = make_match(player, make_player())
    response = HttpPlayer.log_in(match, player).act({"version": 7, "type": "pass"})
    assert code(response) == (409, "match_not_active")


def test_the_leader_cannot_pass(seated: list[HttpPlayer]) -> None:
    version = seated[0].table()["version"]
    refused = seated[0].act({"version": version, "type": "pass"})
    assert code(refused) == (422, "must_lead")
    assert refused.json()["rule"] == "lead.must_play"


def test_every_card_outside_the_own_hand_gets_the_same_error(
    seated: list[HttpPlayer],
) -> None:
    seated[0].act(lowest_single(seated[0]))
    seated[1].act({"version": seated[1].table()["version"], "type": "pass"})
    table = seated[0].table()
    own = set(table["round"]["hands"][table["you"]["seat"]]["cards"])
    deck = {f"{rank}{suit}" for suit in "royg" for rank in "23456789T"}
    answers = set()
    for card in sorted(deck - own):
        refused = seated[0].act({"version": table["version"], "type": "play", "cards": [card]})
        assert refused.status_code == 422
        answers.add(refused.content)
    assert len(answers) == 1


def test_an_ambiguous_play_lists_its_readings_and_changes_nothing(seated: list[HttpPlayer]) -> None:
    leader = seated[0]
    table = leader.table()
    hand = table["round"]["hands"][table["you"]["seat"]]["cards"]
    before = trace(leader.match_id)
    refused = leader.act({"version": table["version"], "type": "play", "cards": [hand[0], "J", "Q"]})
    assert code(refused) == (422, "ambiguous_combination")
    readings = refused.json()["readings"]
    checked = leader.request(
        "POST", f"matches/{leader.match_id}/moves/check", {"cards": [hand[0], "J", "Q"]}
    ).json()
    assert readings == checked["readings"]
    assert len({each["combination"]["kind"] for each in readings}) > 1
    assert trace(leader.match_id) == before
    named = {name: readings[0]["combination"][name] for name in ("kind", "width", "length")}
    body = {"version": table["version"], "type": "play", "cards": [hand[0], "J", "Q"], "as": named}
    assert leader.act(body).status_code == 201


def test_a_bet_can_be_made_out_of_turn_and_cannot_be_changed(seated: list[HttpPlayer]) -> None:
    waiting = seated[1]
    version = waiting.table()["version"]
    assert waiting.act({"version": version, "type": "bet", "amount": 15}).status_code == 201
    assert Bet.objects.get(match_id=waiting.match_id).amount == 15
    assert code(waiting.act({"version": version, "type": "bet", "amount": 30})) == (409, "bet_exists")
    assert code(seated[0].act({"version": version, "type": "bet", "amount": 5})) == (422, "bet_invalid")


def test_a_bet_can_name_any_version_of_its_round_but_no_earlier_one(seated: list[HttpPlayer]) -> None:
    waiting = seated[1]
    first = waiting.table()["version"]
    seated[0].act(lowest_single(seated[0]))
    assert code(waiting.act({"version": first - 1, "type": "bet", "amount": 15})) == (409, "stale_version")
    assert waiting.act({"version": first, "type": "bet", "amount": 15}).status_code == 201


def test_bets_close_with_the_players_first_play(seated: list[HttpPlayer]) -> None:
    seated[0].act(lowest_single(seated[0]))
    version = seated[0].table()["version"]
    assert code(seated[0].act({"version": version, "type": "bet", "amount": 15})) == (409, "bet_closed")


def test_a_repeated_idempotency_key_returns_the_stored_response(seated: list[HttpPlayer]) -> None:
    body = lowest_single(seated[0])
    key = {"Idempotency-Key": "one"}
    first, second = seated[0].act(body, **key), seated[0].act(body, **key)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert Match.objects.get(pk=seated[0].match_id).version == body["version"] + 1


def test_an_idempotency_key_with_another_body_is_refused(seated: list[HttpPlayer]) -> None:
    body = lowest_single(seated[0])
    key = {"Idempotency-Key": "one"}
    seated[0].act(body, **key)
    refused = seated[0].act({**body, "type": "bet", "cards": None}, **key)
    assert refused.status_code == 422
    other = seated[0].act({"version": body["version"], "type": "pass"}, **key)
    assert code(other) == (422, "idempotency_key_reused")


def test_a_refused_action_does_not_use_up_its_idempotency_key(seated: list[HttpPlayer]) -> None:
    body = lowest_single(seated[0])
    key = {"Idempotency-Key": "two"}
    assert seated[0].act({**body, "version": 0}, **key).status_code == 409
    assert seated[0].act(body, **key).status_code == 201


def test_a_matching_etag_returns_304(seated: list[HttpPlayer]) -> None:
    tag = seated[0].get("")["ETag"]
    assert seated[0].get("", **{"If-None-Match": tag}).status_code == 304
    assert seated[1].get("")["ETag"] != tag
    seated[0].act(lowest_single(seated[0]))
    assert seated[0].get("", **{"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("path", ("", "/record"))
def test_a_new_username_changes_the_etag(seated: list[HttpPlayer], path: str) -> None:
    tag = seated[0].get(path)["ETag"]
    Player.objects.filter(pk=seated[1].player.pk).update(username="angus")
    renamed = seated[0].get(path, **{"If-None-Match": tag})
    assert renamed.status_code == 200
    assert "angus" in renamed.content.decode()
    assert seated[0].get(path, **{"If-None-Match": renamed["ETag"]}).status_code == 304


def test_a_private_table_returns_404_rather_than_304_to_others(database: str) -> None:
    people = [make_player(), make_player()]
    match = start_match(*people, visibility="private")
    tag = HttpPlayer.log_in(match, people[0]).get("")["ETag"]
    stranger = HttpPlayer.log_in(match)
    for held in (tag, "*"):
        assert stranger.get("", **{"If-None-Match": held}).status_code == 404
    assert HttpPlayer.log_in(match, people[0]).get("", **{"If-None-Match": "*"}).status_code == 304


def test_the_database_refuses_to_change_the_log(seated: list[HttpPlayer]) -> None:
    moves = Move.objects.filter(match_id=seated[0].match_id)
    with as_owner():
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            moves.update(seat=1)
        if connection.vendor == "postgresql":
            with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
                moves.delete()
    assert moves.count() == 1


BAD_SHAPES: list[tuple[Any, str]] = [
    ({"type": "pass"}, "/version"),
    ({"version": "1", "type": "pass"}, "/version"),
    ({"version": 1.0, "type": "pass"}, "/version"),
    ({"version": True, "type": "pass"}, "/version"),
    ({"version": 1}, "/type"),
    ({"version": 1, "type": "fold"}, "/type"),
    ({"version": 1, "type": ["pass"]}, "/type"),
    ({"version": 1, "type": "pass", "cards": []}, "/cards"),
    ({"version": 1, "type": "play"}, "/cards"),
    ({"version": 1, "type": "play", "cards": []}, "/cards"),
    ({"version": 1, "type": "play", "cards": "7r"}, "/cards"),
    ({"version": 1, "type": "play", "cards": ["7r", "7r"]}, "/cards/1"),
    ({"version": 1, "type": "play", "cards": ["1r"]}, "/cards/0"),
    ({"version": 1, "type": "play", "cards": [7]}, "/cards/0"),
    ({"version": 1, "type": "play", "cards": ["7r"], "as": {"kind": "flush"}}, "/as/kind"),
    ({"version": 1, "type": "play", "cards": ["7r"], "as": {"top": "7"}}, "/as/top"),
    ({"version": 1, "type": "play", "cards": ["7r"], "as": {"colour": 1}}, "/as/colour"),
    ({"version": 1, "type": "play", "cards": ["7r"], "as": []}, "/as"),
    ({"version": 1, "type": "bet", "amount": "15"}, "/amount"),
    ({"version": 1, "type": "award", "to": None}, "/to"),
    ([], ""),
    (None, ""),
]


@pytest.mark.parametrize(("body", "pointer"), BAD_SHAPES)
def test_an_invalid_body_is_refused_with_a_pointer(seated: list[HttpPlayer], body: Any, pointer: str) -> None:
    response = seated[0].act(body)
    if body is None:
        assert response.status_code in {400, 422}
        return
    assert code(response) == (422, "validation_error")
    assert pointer in [error["pointer"] for error in response.json()["errors"]]
