"""Bots: accounts for programs."""

import pytest

from games.identity.models import ApiToken, Player
from tests.support.clients import client_of, client_with_token, code, make_bot, make_guest, make_person


def test_creating_a_bot_returns_its_token(database: str) -> None:
    client = client_of(make_person("heather"))
    answer = client.post("/api/v1/me/bots", {"username": "robot"})
    assert answer.status_code == 201
    assert answer.json()["player"]["kind"] == "bot"
    me = client_with_token(answer.json()["token"]).get("/api/v1/me").json()
    assert (me["username"], me["owner"]) == ("robot", "heather")
    assert ApiToken.objects.get(user__username="robot").scopes == "matches:read bot:play webhooks:write"


def test_the_list_contains_only_the_callers_bots(database: str) -> None:
    player = make_person()
    make_bot(player, "first-robot")
    make_bot(player, "second-robot")
    make_bot(make_person(), "strange-robot")
    listed = client_of(player).get("/api/v1/me/bots").json()["results"]
    assert [bot["username"] for bot in listed] == ["second-robot", "first-robot"]


def test_bot_usernames_follow_the_same_rules_as_others(database: str) -> None:
    make_person("Robot")
    client = client_of(make_person())
    assert code(client.post("/api/v1/me/bots", {"username": "robot"})) == "username_taken"
    assert client.post("/api/v1/me/bots", {"username": "ai:hard"}).status_code == 422


def test_the_number_of_bots_is_limited(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.accounts.services.sign_in.MAX_BOTS", 1)
    client = client_of(make_person())
    client.post("/api/v1/me/bots", {"username": "robot"})
    answer = client.post("/api/v1/me/bots", {"username": "other-robot"})
    assert (answer.status_code, code(answer)) == (409, "limit_reached")
    assert not Player.objects.filter(username="other-robot").exists()


def test_a_guest_cannot_create_a_bot(database: str) -> None:
    answer = make_guest()[1].post("/api/v1/me/bots", {"username": "robot"})
    assert (answer.status_code, code(answer)) == (403, "not_allowed")


def test_renewing_a_bot_token_revokes_the_old_one(database: str) -> None:
    player = make_person()
    _, bot = make_bot(player, "robot")
    answer = client_of(player).post("/api/v1/me/bots/Robot/token")
    assert answer.status_code == 201
    assert bot.get("/api/v1/me").status_code == 401
    assert client_with_token(answer.json()["token"]).get("/api/v1/me").status_code == 200


def test_a_deleted_bot_is_logged_out_and_its_name_becomes_available(database: str) -> None:
    player = make_person()
    _, bot = make_bot(player, "robot")
    client = client_of(player)
    assert client.delete("/api/v1/me/bots/robot").status_code == 204
    assert bot.get("/api/v1/me").status_code == 401
    assert client.get("/api/v1/me/bots").json()["results"] == []
    assert client.post("/api/v1/me/bots", {"username": "robot"}).status_code == 201


def test_bots_of_other_players_are_not_found(database: str) -> None:
    make_bot(make_person(), "robot")
    client = client_of(make_person())
    assert client.delete("/api/v1/me/bots/robot").status_code == 404
    assert client.post("/api/v1/me/bots/robot/token").status_code == 404
