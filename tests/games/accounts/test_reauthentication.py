"""Changes that need the password again, and sessions."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from games.accounts.services.profile import change_profile
from games.identity.models import ApiToken, Player, Scope, TokenRow
from games.identity.services import create_token
from tests.support.clients import (
    PASSWORD,
    anonymous_client,
    client_of,
    client_with_token,
    code,
    end_freshness,
    field_errors,
    make_bot,
    make_guest,
    make_person,
    program_of,
)
from tests.support.factories import raises_problem

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
PROTECTED: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("patch", "me", {"email": "intruder@example.org"}),
    ("patch", "me", {"email": None}),
    ("post", "me/password", {"current_password": PASSWORD, "password": "another heap of moor"}),
    ("post", "me/tokens", {"name": "n", "scopes": ["matches:read"]}),
    ("post", "me/bots", {"username": "another-bot"}),
    ("post", "me/bots/robot/token", {}),
    ("delete", "me/bots/robot", {}),
    ("post", "me/second-factor", {}),
    ("post", "me/second-factor", {"code": "123456"}),
    ("delete", "me/second-factor", {}),
    ("delete", "me", {}),
)


def log_in(username: str = "heather", **headers: Any) -> APIClient:
    answer = anonymous_client().post(
        "/api/v1/auth/token", {"username": username, "password": PASSWORD}, **headers
    )
    assert answer.status_code == 201, answer.content
    return client_with_token(answer.json()["token"])


def send(client: APIClient, method: str, path: str, body: dict[str, Any]) -> Any:
    return getattr(client, method)(f"/api/v1/{path}", body)


def reauthenticate(client: APIClient, password: str = PASSWORD, **more: str) -> Any:
    return client.post("/api/v1/me/reauthenticate", {"password": password, **more})


@pytest.fixture
def heather(database: str) -> Player:
    player = make_person("heather", email="h@example.org", email_confirmed=True)
    make_bot(player, "robot")
    return player


@pytest.mark.parametrize(("method", "path", "body"), PROTECTED)
def test_a_token_for_a_program_cannot_take_over_the_account(
    heather: Player, method: str, path: str, body: dict[str, Any]
) -> None:
    before = Player.objects.values().get(pk=heather.pk)
    program = program_of(heather)
    answer = send(program, method, path, body)
    assert (answer.status_code, code(answer)) == (403, "reauthentication_required")
    assert answer.json()["detail"] == "Only a token from logging in can become fresh."
    answer = reauthenticate(program)
    assert (answer.status_code, code(answer)) == (403, "not_allowed"), "a personal token never becomes fresh"
    answer = send(program, method, path, body)
    assert (answer.status_code, code(answer)) == (403, "reauthentication_required")
    assert Player.objects.values().get(pk=heather.pk) == before


@pytest.mark.parametrize(("method", "path", "body"), PROTECTED)
def test_a_session_needs_the_password_again_after_ten_minutes(
    heather: Player, method: str, path: str, body: dict[str, Any]
) -> None:
    client = log_in()
    end_freshness()
    answer = send(client, method, path, body)
    assert (answer.status_code, code(answer)) == (403, "reauthentication_required")
    answer = reauthenticate(client)
    assert answer.status_code == 200
    assert ApiToken.objects.filter(fresh_until__gt=timezone.now() + timedelta(minutes=9)).count() == 1
    answer = send(client, method, path, body)
    assert answer.status_code < 300 or answer.status_code == 422


@pytest.mark.parametrize(("method", "path", "body"), PROTECTED)
def test_a_new_session_is_fresh(heather: Player, method: str, path: str, body: dict[str, Any]) -> None:
    answer = send(log_in(), method, path, body)
    assert answer.status_code < 300 or answer.status_code == 422


def test_other_changes_of_the_profile_do_not_need_the_password(heather: Player) -> None:
    changes = {"display_name": "Heather", "time_zone": "Europe/London", "email": "h@example.org"}
    assert program_of(heather).patch("/api/v1/me", changes).status_code == 200


def test_freshness_is_judged_by_the_address_as_it_is_when_it_is_changed(heather: Player) -> None:
    """A program sends the address that it read, and the owner changes the address at the same time."""
    token = create_token(
        player=heather, name="program", scopes=[Scope.ACCOUNT_WRITE], granted=frozenset(Scope)
    ).token
    row = TokenRow(token.digest, token.scopes, token.expiry, token.sliding, heather)
    Player.objects.filter(pk=heather.pk).update(email="new@example.org")
    with raises_problem("reauthentication_required"):
        change_profile(player=heather, changes={"email": "h@example.org"}, token=row, address="10.0.0.1")
    assert Player.objects.get(pk=heather.pk).email == "new@example.org"


def test_reauthentication_needs_the_right_password_and_is_limited(heather: Player, settings: Any) -> None:
    settings.HAGGIS_LOG_IN_ATTEMPTS = {"pair": 3, "account": 100, "address": 100}
    client = client_of(heather)
    end_freshness()
    for _ in range(3):
        assert field_errors(reauthenticate(client, "wrong")) == {("/password", "wrong_password")}
    assert code(reauthenticate(client, "wrong")) == "rate_limited"
    answer = client.post("/api/v1/me/tokens", {"name": "n", "scopes": ["matches:read"]})
    assert code(answer) == "reauthentication_required"


def test_reauthentication_needs_the_account_scope(heather: Player) -> None:
    answer = reauthenticate(client_of(heather, [Scope.MATCHES_PLAY]))
    assert code(answer) == "insufficient_scope"


def test_a_guest_may_delete_the_account_and_claim_it_at_any_time(database: str) -> None:
    end_after_entering = [make_guest()[1] for _ in range(2)]
    end_freshness()
    deleting, claiming = end_after_entering
    assert code(deleting.post("/api/v1/me/tokens", {"name": "n", "scopes": ["matches:read"]})) == (
        "reauthentication_required"
    )
    assert code(reauthenticate(deleting)) == "not_allowed", "a guest has no password"
    assert deleting.delete("/api/v1/me").status_code == 204
    body = {"username": "heather", "password": PASSWORD}
    assert claiming.post("/api/v1/auth/claim", body).status_code == 200
    answer = claiming.post("/api/v1/me/tokens", {"name": "n", "scopes": ["matches:read"]})
    assert answer.status_code == 201, "the password has just been entered"


def test_a_guest_is_asked_to_claim_the_account(database: str) -> None:
    _, guest = make_guest()
    end_freshness()
    refused = guest.post("/api/v1/me/tokens", {"name": "n", "scopes": ["matches:read"]})
    for answer, expected in ((refused, "reauthentication_required"), (reauthenticate(guest), "not_allowed")):
        assert code(answer) == expected
        assert "POST /auth/claim" in answer.json()["detail"]


def test_a_program_of_a_guest_can_neither_claim_nor_delete_the_account(database: str) -> None:
    player, _ = make_guest()
    program = program_of(player)
    body = {"username": "intruder", "password": PASSWORD}
    assert code(program.post("/api/v1/auth/claim", body)) == "reauthentication_required"
    assert code(program.delete("/api/v1/me")) == "reauthentication_required"


# --- Sessions


def test_sessions_are_listed_with_device_and_last_use(heather: Player) -> None:
    here = log_in(HTTP_USER_AGENT=FIREFOX)
    log_in(HTTP_USER_AGENT="curl/8.5.0")
    program_of(heather)
    listed = here.get("/api/v1/me/sessions").json()["results"]
    assert [(each["device"], each["current"]) for each in listed] == [
        ("curl", False),
        ("Firefox on Linux", True),
    ]
    assert listed[1]["user_agent"] == FIREFOX
    assert listed[1]["last_used"][:16] == listed[1]["created_at"][:16]


def test_use_of_a_session_is_noticed_after_an_hour(heather: Player) -> None:
    client = log_in()
    token = ApiToken.objects.get(name="", user=heather)
    ApiToken.objects.filter(pk=token.pk).update(
        expiry=token.expiry - timedelta(hours=5), created=timezone.now() - timedelta(days=3)
    )
    client.get("/api/v1/me")
    (listed,) = client.get("/api/v1/me/sessions").json()["results"]
    assert listed["last_used"] > listed["created_at"]
    assert listed["last_used"][:13] == timezone.now().isoformat()[:13]


def test_a_session_can_be_ended(heather: Player) -> None:
    here, there = log_in(), log_in()
    current, other = here.get("/api/v1/me/sessions").json()["results"][::-1]
    assert current["current"]
    assert here.delete(f"/api/v1/me/sessions/{other['id']}").status_code == 204
    assert there.get("/api/v1/me").status_code == 401
    assert here.delete(f"/api/v1/me/sessions/{other['id']}").status_code == 404
    assert here.get("/api/v1/me").status_code == 200


def test_ending_all_other_sessions_leaves_tokens_of_programs_valid(heather: Player) -> None:
    here, there, program = log_in(), log_in(), program_of(heather)
    assert here.delete("/api/v1/me/sessions").status_code == 204
    assert [client.get("/api/v1/me").status_code for client in (here, there, program)] == [200, 401, 200]


def test_only_own_sessions_can_be_ended(heather: Player) -> None:
    token = program_of(heather).get("/api/v1/me/tokens").json()["results"][0]
    theirs = client_of(make_person()).get("/api/v1/me/sessions").json()["results"][0]
    client = log_in()
    for each in (token, theirs):
        assert code(client.delete(f"/api/v1/me/sessions/{each['id']}")) == "not_found"


def test_a_program_can_neither_list_nor_end_sessions(heather: Player) -> None:
    session, program = log_in(), program_of(heather)
    (listed,) = session.get("/api/v1/me/sessions").json()["results"]
    path = f"/api/v1/me/sessions/{listed['id']}"
    for answer in (
        program.get("/api/v1/me/sessions"),
        program.delete("/api/v1/me/sessions"),
        program.delete(path),
    ):
        assert (answer.status_code, code(answer)) == (403, "not_allowed")
    assert session.get("/api/v1/me").status_code == 200


def test_a_program_cannot_end_a_session_as_a_token(heather: Player) -> None:
    session, program = log_in(), program_of(heather)
    (listed,) = session.get("/api/v1/me/sessions").json()["results"]
    assert [each["name"] for each in program.get("/api/v1/me/tokens").json()["results"]] == ["program"]
    answer = program.delete(f"/api/v1/me/tokens/{listed['id']}")
    assert (answer.status_code, code(answer)) == (404, "not_found")
    assert session.delete(f"/api/v1/me/tokens/{listed['id']}").status_code == 204


def test_a_program_can_revoke_itself(heather: Player) -> None:
    program = program_of(heather)
    assert program.delete("/api/v1/auth/token").status_code == 204
    assert program.get("/api/v1/me").status_code == 401


def test_a_guest_can_list_and_end_sessions(database: str) -> None:
    _, guest = make_guest()
    end_freshness()
    (listed,) = guest.get("/api/v1/me/sessions").json()["results"]
    assert guest.delete("/api/v1/me/sessions").status_code == 204
    assert guest.delete(f"/api/v1/me/sessions/{listed['id']}").status_code == 204
    assert guest.get("/api/v1/me").status_code == 401


def test_a_long_user_agent_is_cut_off(heather: Player) -> None:
    client = log_in(HTTP_USER_AGENT="x" * 5_000)
    (listed,) = client.get("/api/v1/me/sessions").json()["results"]
    assert (len(listed["user_agent"]), len(listed["device"])) == (200, 40)
