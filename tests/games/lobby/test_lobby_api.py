from typing import Any

import pytest

from games.matches.models.match import Match
from tests.support.clients import (
    ROOT,
    anonymous_client,
    client_of,
    clients_of,
    code,
    field_errors,
    make_bot,
    make_guest,
    make_person,
    post_match,
    post_to_match,
)
from tests.support.factories import NEW_MATCH, make_player

pytestmark = pytest.mark.usefixtures("database")


def test_creating_a_match_returns_its_table_and_location() -> None:
    heather = client_of(make_person("heather"))
    response = heather.post(f"{ROOT}/matches", {"ruleset": "classic"})
    assert response.status_code == 201
    assert response["Location"] == f"{ROOT}/matches/{response.json()['id']}"
    shown = heather.get(response["Location"]).json()
    assert {**shown, "now": ""} == {**response.json(), "now": ""}


def test_a_body_with_every_member_is_accepted() -> None:
    heather = client_of(make_person())
    assert heather.post(f"{ROOT}/matches", NEW_MATCH).status_code == 201


@pytest.mark.parametrize(
    ("body", "error"),
    (
        ({}, ("/ruleset", "required")),
        ({"ruleset": "classic", "players": 4}, ("/players", "too_large")),
        ({"ruleset": "classic", "players": 1}, ("/players", "too_small")),
        ({"ruleset": "classic", "players": None}, ("/players", "null")),
        ({"ruleset": "classic", "target_score": 0}, ("/target_score", "too_small")),
        ({"ruleset": "classic", "target_score": 1001}, ("/target_score", "too_large")),
        ({"ruleset": "classic", "rounds": 101}, ("/rounds", "too_large")),
        ({"ruleset": "classic", "turn_seconds": 9}, ("/turn_seconds", "too_small")),
        ({"ruleset": "classic", "turn_seconds": 2592001}, ("/turn_seconds", "too_large")),
        ({"ruleset": "classic", "on_timeout": "wait"}, ("/on_timeout", "unknown_value")),
        ({"ruleset": "classic", "after_timeouts": "nothing"}, ("/after_timeouts", "unknown_value")),
        ({"ruleset": "classic", "visibility": "secret"}, ("/visibility", "unknown_value")),
        ({"ruleset": "classic", "client_seed": "x" * 65}, ("/client_seed", "too_long")),
        ({"ruleset": "classic", "options": []}, ("/options", "not_an_object")),
        ({"ruleset": "classic", "options": {"bomb_capture": 1}}, ("/options/bomb_capture", "not_a_string")),
        ({"ruleset": "classic", "seats": {}}, ("/seats", "not_a_list")),
        ({"ruleset": "classic", "seats": [{"kind": "me"}]}, ("/seats", "too_short")),
        ({"ruleset": "classic", "seats": [{"kind": "me"}] * 4}, ("/seats", "too_long")),
        ({"ruleset": "classic", "seats": [{"kind": "me"}, "open"]}, ("/seats/1", "not_an_object")),
        ({"ruleset": "classic", "seats": [{"kind": "me"}, None]}, ("/seats/1", "null")),
        ({"ruleset": "classic", "seats": [{"kind": "me"}, {}]}, ("/seats/1/kind", "required")),
        (
            {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "dog"}]},
            ("/seats/1/kind", "unknown_value"),
        ),
        ({"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "ai"}]}, ("/seats/1/level", "required")),
        (
            {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "player"}]},
            ("/seats/1/username", "required"),
        ),
        (
            {"ruleset": "classic", "seats": [{"kind": "me", "level": "easy"}, {"kind": "open"}]},
            ("/seats/0/level", "unknown_field"),
        ),
        (
            {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "ai", "level": "x", "username": "y"}]},
            ("/seats/1/username", "unknown_field"),
        ),
        ({"ruleset": "classic", "colour": "red"}, ("/colour", "unknown_field")),
    ),
)
def test_an_invalid_body_is_refused_with_a_pointer(body: Any, error: tuple[str, str]) -> None:
    assert field_errors(client_of(make_person()).post(f"{ROOT}/matches", body)) == {error}
    assert not Match.objects.exists()


def test_guests_and_bots_can_create_and_join_matches() -> None:
    _, visitor = make_guest()
    _, program = make_bot(make_person(), "program")
    table = post_match(visitor)
    joined = post_to_match(program, table, "join", seat=1, client_seed="beep")
    assert joined.status_code == 200
    assert joined.json()["seats"][1] | {"score": 0} == joined.json()["seats"][1]
    assert joined.json()["seats"][1]["player"] == {"username": "program", "kind": "bot"}
    assert joined.json()["status"] == "active"


def test_seats_are_declined_left_and_refilled_until_the_maker_starts() -> None:
    maker, friend, other = clients_of(make_person("maker"), make_person("friend"), make_person("other"))
    table = post_match(
        maker,
        seats=[{"kind": "me"}, {"kind": "player", "username": "friend"}, {"kind": "open"}],
        hold=True,
    )
    assert post_to_match(friend, table, "decline", reason="Too late for me").status_code == 200
    assert post_to_match(other, table, "join").json()["you"]["seat"] == 2
    assert post_to_match(other, table, "leave").json()["seats"][2]["state"] == "open"
    assert post_to_match(other, table, "join", seat=2).status_code == 200
    refilled = maker.put(f"{ROOT}/matches/{table['id']}/seats/1", {"kind": "ai", "level": "random"})
    assert (refilled.status_code, refilled.json()["status"]) == (200, "open")
    begun = post_to_match(maker, table, "start", client_seed="seen the anchor")
    assert (begun.status_code, begun.json()["status"]) == (200, "active")
    log = anonymous_client().get(f"{ROOT}/matches/{table['id']}/moves").json()["results"]
    assert [entry["type"] for entry in log] == [
        *("joined", "invited", "declined", "joined", "left", "joined", "joined", "seat_changed", "started")
    ]
    assert log[2]["reason"] == "Too late for me"
    assert [entry["version"] for entry in log] == list(range(1, 10))


def test_a_resigned_match_can_have_a_rematch() -> None:
    maker, friend = clients_of(make_person(), make_person())
    table = post_match(maker)
    post_to_match(friend, table, "join")
    over = post_to_match(friend, table, "resign")
    assert (over.status_code, over.json()["result"]["winners"]) == (200, [0])
    first, second = (
        post_to_match(friend, table, "rematch"),
        post_to_match(maker, table, "rematch", client_seed="again"),
    )
    assert (first.status_code, second.status_code) == (201, 200)
    assert first["Location"] == f"{ROOT}/matches/{second.json()['id']}"
    assert second.json()["status"] == "active"
    assert maker.get(f"{ROOT}/matches/{table['id']}").json()["next_match"] == second.json()["id"]
    record = maker.get(f"{ROOT}/matches/{table['id']}/record").json()
    assert maker.post(f"{ROOT}/records/verify", {"record": record}).json()["valid"]


def test_a_repeated_request_creates_one_match() -> None:
    heather = client_of(make_person())
    key = {"Idempotency-Key": "once"}
    first = heather.post(f"{ROOT}/matches", {"ruleset": "classic"}, headers=key)
    second = heather.post(f"{ROOT}/matches", {"ruleset": "classic"}, headers=key)
    assert (first.status_code, second.status_code) == (201, 201)
    assert (second.json(), second["Location"]) == (first.json(), first["Location"])
    assert Match.objects.count() == 1
    assert (
        code(heather.post(f"{ROOT}/matches", {"ruleset": "revised"}, headers=key)) == "idempotency_key_reused"
    )


def test_joining_twice_with_one_idempotency_key_joins_once() -> None:
    maker, friend = clients_of(make_person(), make_person())
    table = post_match(maker)
    key = {"Idempotency-Key": "once"}
    answers = [friend.post(f"{ROOT}/matches/{table['id']}/join", {}, headers=key).json() for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0]["status"] == "active"


def test_joining_needs_no_body() -> None:
    maker, friend = clients_of(make_person(), make_person())
    table = post_match(maker)
    empty = friend.generic("POST", f"{ROOT}/matches/{table['id']}/join", "")
    assert empty.status_code == 200, empty.content


def test_an_invalid_seat_number_in_the_path_is_not_found() -> None:
    maker = client_of(make_player())
    table = post_match(maker)
    for number in ("2", "999999", "9" * 40, "-1", "x"):
        answer = maker.put(f"{ROOT}/matches/{table['id']}/seats/{number}", {"kind": "open"})
        assert code(answer) == "not_found"
