"""Stored responses do not contain names, and are repeated with the current ones."""

import json
from typing import Any

from games.api.models import IdempotencyKey
from games.matches.stored_answers import replace_names, restore_names
from games.privacy.services import delete_account
from tests.support.clients import HttpPlayer
from tests.support.factories import make_player, start_match

KEY = {"Idempotency-Key": "k"}


def test_names_are_restored(database: str) -> None:
    player = make_player()
    body = {"maker": player.username, "seats": [{"player": {"username": player.username}}, None]}
    text = f'{{"maker":"{player.username}","seats":[{{"player":{{"username":"{player.username}"}}}},null]}}'
    stored = replace_names(text, {player.username: player.pk})
    assert player.username not in stored
    assert restore_names(json.loads(stored)) == body


def test_text_that_looks_like_a_placeholder_is_left_alone(database: str) -> None:
    body = {"client_seed": '"username":"heather"', "reason": '{"$player":1}'}
    assert restore_names(body) == body


def test_repeated_request_has_the_same_answer_with_the_new_name_of_a_deleted_player(database: str) -> None:
    stays, goes = HttpPlayer.log_in(), make_player("heather")
    body = {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "player", "username": "heather"}]}
    first = stays.request("POST", "matches", body, **KEY)
    assert "heather" not in str(IdempotencyKey.objects.get().body)
    assert stays.request("POST", "matches", body, **KEY).content == first.content
    delete_account(player=goes)
    goes.refresh_from_db()
    again = stays.request("POST", "matches", body, **KEY)
    assert again.status_code == first.status_code
    assert again.json() == _renamed(first.json(), "heather", goes.username)


def test_answer_of_a_move_is_stored_without_names(database: str) -> None:
    mine, theirs = HttpPlayer.log_in(player=make_player("heather")), HttpPlayer.log_in()
    match = start_match(mine.player, theirs.player)
    acting = mine if match.to_act == 0 else theirs
    acting.match_id = match.pk
    legal = acting.get("/legal-moves?expand=plays").json()
    move = {"version": match.version, "type": "play", "cards": legal["plays"][0]["cards"]}
    first = acting.act(move, **KEY)
    assert first.status_code == 201
    assert "heather" not in str(IdempotencyKey.objects.get().body)
    again = acting.act(move, **KEY)
    assert (again.status_code, again.content) == (201, first.content)


def _renamed(body: Any, old: str, new: str) -> Any:
    """Return the body with another name of a player."""
    if isinstance(body, dict):
        return {key: _renamed(value, old, new) for key, value in body.items()}
    if isinstance(body, list):
        return [_renamed(value, old, new) for value in body]
    return new if body == old else body
