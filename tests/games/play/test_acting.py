"""The response to an action, its errors and their order, and that a refused action changes nothing."""

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from games.api.models import IdempotencyKey
from games.identity.models import Player
from games.matches.models.log import Bet, Move
from games.matches.models.match import Match, Seat, SeatState
from tests.support.clients import HttpPlayer
from tests.support.factories import make_match, make_player
from tests.support.roles import as_owner
from tests.support.table import Table


@pytest.fixture
def table(database: str) -> Table:
    """Start a match of two players, of whom anna leads."""
    deal = {"anna": "3r 5r 7o Tg", "ben": "4r 6o 8g"}
    return Table.start("anna", "ben", leads="anna", deals=[deal], turn_seconds=None)


def play(table: Table, cards: str) -> dict[str, Any]:
    """Return a request that plays these cards."""
    return {"version": table.version, "type": "play", "cards": cards.split()}


def status_and_code(response: Any) -> tuple[int, str]:
    """Return the status and code of a refusal."""
    return response.status_code, response.json()["code"]


def stored_effects(table: Table) -> tuple[int, int, int]:
    """Return everything that an action can change."""
    return (
        Match.objects.get(pk=table.id).version,
        Move.objects.filter(match_id=table.id).count(),
        IdempotencyKey.objects.count(),
    )


def test_an_action_returns_its_log_entry_and_the_new_table(table: Table) -> None:
    body = play(table, "3r")
    response = table["anna"].act(body)
    assert response.status_code == 201
    answer = response.json()
    assert answer["move"]["version"] == body["version"] + 1 == answer["match"]["version"]
    assert (answer["move"]["cards"], answer["move"]["by"]) == (["3r"], "player")
    assert answer["move"]["next"]["to_act"] == answer["match"]["round"]["to_act"]
    assert {**answer["match"], "now": ""} == {**table.seen_by("anna"), "now": ""}
    assert table["ben"].get(f"/moves?after={body['version']}").json()["results"] == [answer["move"]]


def test_a_stale_version_is_refused_with_the_current_one(table: Table) -> None:
    before = stored_effects(table)
    with table.refuses("stale_version") as refusal:
        table.post("anna", "/moves", type="play", cards=["3r"], version=table.version - 1)
    assert (refusal.problem["status"], refusal.problem["version"]) == (409, table.version)
    assert stored_effects(table) == before


def test_errors_are_checked_in_the_documented_order(table: Table) -> None:
    ben, stranger = table["ben"], HttpPlayer.log_in()
    stale = {"version": 0, "type": "play", "cards": ["2r"]}
    stranger.match_id = table.id
    assert status_and_code(stranger.act({**stale, "cards": ["Xx"]})) == (422, "validation_error")
    stranger.match_id = "m_nothing"
    assert status_and_code(stranger.act(stale)) == (404, "not_found")
    stranger.match_id = table.id
    assert status_and_code(stranger.act(stale)) == (403, "not_seated")
    assert status_and_code(ben.act(stale)) == (409, "stale_version")
    assert status_and_code(ben.act({**stale, "version": table.version})) == (409, "not_your_turn")
    Seat.objects.filter(match_id=table.id, player=ben.player).update(state=SeatState.CARETAKER)
    assert status_and_code(ben.act(stale)) == (409, "caretaker_playing")


def test_match_not_active_is_checked_before_the_version(database: str) -> None:
    player = make_player()
    match = make_match(player, make_player())
    response = HttpPlayer.log_in(match, player).act({"version": 7, "type": "pass"})
    assert status_and_code(response) == (409, "match_not_active")


def test_the_leader_cannot_pass(table: Table) -> None:
    with table.refuses("must_lead") as refusal:
        table.passes("anna")
    assert (refusal.problem["status"], refusal.problem["rule"]) == (422, "lead.must_play")


def test_every_card_outside_the_own_hand_gets_the_same_error(table: Table) -> None:
    table.play("anna", "3r").passes("ben")
    deck = {f"{rank}{suit}" for suit in "royg" for rank in "23456789T"}
    answers = set()
    for card in sorted(deck - set(table.hand("anna").split())):
        refused = table["anna"].act(play(table, card))
        assert refused.status_code == 422
        answers.add(refused.content)
    assert len(answers) == 1


def test_an_ambiguous_play_lists_its_readings_and_changes_nothing(table: Table) -> None:
    before = stored_effects(table)
    with table.refuses("ambiguous_combination") as refusal:
        table.play("anna", "3r J Q")
    readings = refusal.problem["readings"]
    checked = table["anna"].request("POST", f"matches/{table.id}/moves/check", {"cards": ["3r", "J", "Q"]})
    assert readings == checked.json()["readings"]
    assert [reading["combination"]["kind"] for reading in readings] == ["set", "run", "run"]
    assert stored_effects(table) == before
    assert table.play("anna", "3r J Q", kind="run").last["combination"]["top"] == 5


def test_a_bet_can_be_made_out_of_turn_and_cannot_be_changed(table: Table) -> None:
    table.bet("ben", 15)
    assert Bet.objects.get(match_id=table.id).amount == 15
    with table.refuses("bet_exists"):
        table.bet("ben", 30)
    with table.refuses("bet_invalid"):
        table.bet("anna", 5)


def test_a_bet_can_name_any_version_of_its_round_but_no_earlier_one(table: Table) -> None:
    first = table.version
    table.play("anna", "3r")
    with table.refuses("stale_version"):
        table.post("ben", "/moves", type="bet", amount=15, version=first - 1)
    table.post("ben", "/moves", type="bet", amount=15, version=first)


def test_bets_close_with_the_players_first_play(table: Table) -> None:
    table.play("anna", "3r")
    with table.refuses("bet_closed"):
        table.bet("anna", 15)


def test_a_repeated_idempotency_key_returns_the_stored_response(table: Table) -> None:
    body, key = play(table, "3r"), {"Idempotency-Key": "one"}
    first, second = table["anna"].act(body, **key), table["anna"].act(body, **key)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert table.version == body["version"] + 1


def test_an_idempotency_key_with_another_body_is_refused(table: Table) -> None:
    body, key = play(table, "3r"), {"Idempotency-Key": "one"}
    table["anna"].act(body, **key)
    assert table["anna"].act({**body, "type": "bet", "cards": None}, **key).status_code == 422
    other = table["anna"].act({"version": body["version"], "type": "pass"}, **key)
    assert status_and_code(other) == (422, "idempotency_key_reused")


def test_a_refused_action_does_not_use_up_its_idempotency_key(table: Table) -> None:
    body, key = play(table, "3r"), {"Idempotency-Key": "two"}
    assert table["anna"].act({**body, "version": 0}, **key).status_code == 409
    assert table["anna"].act(body, **key).status_code == 201


def test_a_matching_etag_returns_304(table: Table) -> None:
    anna, ben = table["anna"], table["ben"]
    tag = anna.get("")["ETag"]
    assert anna.get("", **{"If-None-Match": tag}).status_code == 304
    assert ben.get("")["ETag"] != tag
    table.play("anna", "3r")
    assert anna.get("", **{"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("path", ("", "/record"))
def test_a_new_username_changes_the_etag(table: Table, path: str) -> None:
    anna = table["anna"]
    tag = anna.get(path)["ETag"]
    Player.objects.filter(username=table["ben"].username).update(username="angus")
    renamed = anna.get(path, **{"If-None-Match": tag})
    assert renamed.status_code == 200
    assert "angus" in renamed.content.decode()
    assert anna.get(path, **{"If-None-Match": renamed["ETag"]}).status_code == 304


def test_a_private_table_returns_404_rather_than_304_to_others(database: str) -> None:
    table = Table.start("anna", "easy", visibility="private")
    tag, stranger = table["anna"].get("")["ETag"], HttpPlayer.log_in()
    stranger.match_id = table.id
    for cached in (tag, "*"):
        assert stranger.get("", **{"If-None-Match": cached}).status_code == 404
    assert table["anna"].get("", **{"If-None-Match": "*"}).status_code == 304


def test_the_database_refuses_to_change_the_log(table: Table) -> None:
    moves = Move.objects.filter(match_id=table.id)
    with as_owner():
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            moves.update(seat=1)
        if connection.vendor == "postgresql":
            with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
                moves.delete()
    assert moves.count() == table.version


INVALID_BODIES: list[tuple[Any, str]] = [
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


@pytest.mark.parametrize(("body", "pointer"), INVALID_BODIES)
def test_an_invalid_body_is_refused_with_a_pointer(table: Table, body: Any, pointer: str) -> None:
    response = table["anna"].act(body)
    if body is None:
        assert response.status_code in {400, 422}
        return
    assert status_and_code(response) == (422, "validation_error")
    assert pointer in [error["pointer"] for error in response.json()["errors"]]
