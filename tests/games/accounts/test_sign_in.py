"""Guests, registration, claiming, login and logout."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings
from rest_framework.test import APIClient

from games.accounts.models import LogInAttempt
from games.api.models import IdempotencyKey
from games.identity.models import ApiToken, Player, PlayerKind
from tests.support.clients import (
    PASSWORD,
    anonymous_client,
    client_of,
    client_with_token,
    code,
    field_errors,
    make_bot,
    make_guest,
    make_person,
)


def post(path: str, client: APIClient | None = None, **body: Any) -> Any:
    return (client or anonymous_client()).post(f"/api/v1/auth/{path}", body)


def test_entering_as_guest_returns_a_working_token(database: str) -> None:
    answer = anonymous_client().post("/api/v1/auth/guest")
    assert answer.status_code == 201
    player = answer.json()["player"]
    assert player["kind"] == "guest"
    assert player["username"].startswith("guest-")
    me = client_with_token(answer.json()["token"]).get("/api/v1/me").json()
    assert me["username"] == player["username"]


def test_a_guest_can_choose_a_display_name(database: str) -> None:
    answer = post("guest", display_name=" Heather ")
    assert answer.json()["player"]["display_name"] == "Heather"


def test_a_response_with_a_secret_is_not_cached_or_stored(database: str) -> None:
    answer = anonymous_client().post("/api/v1/auth/guest", {}, HTTP_IDEMPOTENCY_KEY="key")
    again = client_of(make_person()).post(
        "/api/v1/me/tokens", {"name": "n", "scopes": ["matches:read"]}, HTTP_IDEMPOTENCY_KEY="k"
    )
    assert answer["Cache-Control"] == again["Cache-Control"] == "no-store"
    assert not IdempotencyKey.objects.exists()


def test_registration_creates_a_human_player_with_a_token(database: str) -> None:
    answer = post("register", username="Heather", password=PASSWORD)
    assert answer.status_code == 201
    assert answer.json()["player"] == {"username": "Heather", "kind": "human", "display_name": ""}
    assert client_with_token(answer.json()["token"]).get("/api/v1/me").status_code == 200


@pytest.mark.parametrize("name", ("heather", "HEATHER"))
def test_usernames_are_unique_ignoring_case(database: str, name: str) -> None:
    make_person("Heather")
    answer = post("register", username=name, password=PASSWORD)
    assert (answer.status_code, code(answer)) == (409, "username_taken")
    _, client = make_guest()
    assert code(post("claim", client, username=name, password=PASSWORD)) == "username_taken"


@pytest.mark.parametrize(
    ("name", "error"),
    (
        ("ab", "too_short"),
        ("a" * 31, "too_long"),
        ("ai:hard", "invalid"),
        ("-abc", "invalid"),
        ("h e a", "invalid"),
        ("h\u00e4ther", "invalid"),
        ("abc\n", "invalid"),
        ("\u0430bc", "invalid"),
        ("Admin", "reserved"),
        ("guest-1234", "reserved"),
        ("DELETED-1", "reserved"),
    ),
)
def test_an_invalid_username_is_rejected(database: str, name: str, error: str) -> None:
    assert field_errors(post("register", username=name, password=PASSWORD)) == {("/username", error)}


@pytest.mark.parametrize(
    ("password", "found"),
    (
        ("short7$", {"password_too_short"}),
        ("password", {"password_too_common"}),
        ("84920573018", {"password_entirely_numeric"}),
        ("123456", {"password_too_short", "password_too_common", "password_entirely_numeric"}),
        ("heather-mixture", {"password_too_similar"}),
    ),
)
def test_a_weak_password_is_rejected_with_all_its_errors(
    database: str, password: str, found: set[str]
) -> None:
    answer = post("register", username="heather-mixtures", password=password)
    assert field_errors(answer) == {("/password", error) for error in found}
    assert not Player.objects.exists()


def test_claiming_preserves_the_account_and_its_token(database: str) -> None:
    player, client = make_guest()
    answer = post("claim", client, username="heather", password=PASSWORD)
    assert (answer.status_code, answer.json()["player"]["kind"]) == (200, "human")
    assert client.get("/api/v1/me").json()["username"] == "heather"
    assert Player.objects.get(username="heather").pk == player.pk
    assert post("token", username="heather", password=PASSWORD).status_code == 201


def test_claiming_does_not_extend_a_token_for_a_program(database: str) -> None:
    _, client = make_guest()
    end = timezone.now() + timedelta(days=1)
    body = {"name": "n", "scopes": ["account:write"], "expires_at": end.isoformat()}
    program = client_with_token(client.post("/api/v1/me/tokens", body).json()["token"])
    expired = timezone.now() - timedelta(minutes=1)
    ApiToken.objects.filter(name="n").update(expiry=expired)
    assert post("claim", client, username="heather", password=PASSWORD).status_code == 200
    assert ApiToken.objects.get(name="n").expiry == expired
    assert program.get("/api/v1/me").status_code == 401


def test_an_account_can_be_claimed_only_once(database: str) -> None:
    _, client = make_guest()
    post("claim", client, username="heather", password=PASSWORD)
    answer = post("claim", client, username="other", password=PASSWORD)
    assert (answer.status_code, code(answer)) == (409, "already_claimed")


def test_a_bot_cannot_claim_an_account(database: str) -> None:
    _, client = make_bot(make_person(), "robot")
    assert code(post("claim", client, username="other", password=PASSWORD)) == "insufficient_scope"


@pytest.mark.parametrize("name", ("heather", "HEATHER"))
def test_login_returns_a_token_and_ignores_the_case_of_the_username(database: str, name: str) -> None:
    make_person("Heather")
    answer = post("token", username=name, password=PASSWORD)
    assert answer.status_code == 201
    assert answer.json()["player"]["username"] == "Heather"


@pytest.mark.parametrize(
    ("name", "password"),
    (
        ("heather", "wrong"),
        ("nobody", PASSWORD),
        ("robot", ""),
        ("x" * 150, "y"),
        ("ai:hard", "y"),
    ),
)
def test_all_wrong_credentials_get_the_same_response(database: str, name: str, password: str) -> None:
    make_bot(make_person("heather"), "robot")
    answer = post("token", username=name, password=password or "none")
    assert (answer.status_code, code(answer)) == (401, "invalid_credentials")
    assert answer.json()["detail"] == "Wrong name or password."


def test_login_reveals_a_ban_only_with_the_correct_password(database: str) -> None:
    make_person("banned", is_active=False)
    codes = [code(post("token", username="banned", password=each)) for each in ("a guess", PASSWORD)]
    assert codes == ["invalid_credentials", "account_banned"]


def test_logout_revokes_only_the_current_token(database: str) -> None:
    player = make_person()
    current, other = client_of(player), client_of(player)
    assert current.delete("/api/v1/auth/token").status_code == 204
    assert current.get("/api/v1/me").status_code == 401
    assert other.get("/api/v1/me").status_code == 200


def test_too_many_wrong_passwords_are_rate_limited(database: str, settings: Settings) -> None:
    settings.HAGGIS_LOG_IN_ATTEMPTS = {"pair": 3, "account": 100, "address": 100}
    make_person("heather")
    statuses = [post("token", username="Heather", password="wrong").status_code for _ in range(3)]
    answer = post("token", username="heather", password=PASSWORD)
    assert (statuses, answer.status_code, code(answer)) == ([401] * 3, 429, "rate_limited")
    assert int(answer["Retry-After"]) > 0
    LogInAttempt.objects.all().delete()
    assert post("token", username="heather", password=PASSWORD).status_code == 201


def test_rate_limiting_does_not_reveal_whether_an_account_exists(database: str, settings: Settings) -> None:
    settings.HAGGIS_LOG_IN_ATTEMPTS = {"pair": 1, "account": 100, "address": 100}
    make_person("heather")
    answers = [
        [post("token", username=name, password="wrong").json() for _ in range(2)]
        for name in ("heather", "nobody")
    ]
    for answer in answers[0] + answers[1]:
        answer.pop("retry_after", None)
    assert answers[0] == answers[1]


def test_a_successful_login_clears_the_failed_attempts(database: str, settings: Settings) -> None:
    settings.HAGGIS_LOG_IN_ATTEMPTS = {"pair": 2, "account": 100, "address": 100}
    make_person("heather")
    for _ in range(3):
        assert post("token", username="heather", password="wrong").status_code == 401
        assert post("token", username="heather", password=PASSWORD).status_code == 201


def test_login_from_another_address_is_not_rate_limited(database: str, settings: Settings) -> None:
    settings.HAGGIS_LOG_IN_ATTEMPTS = {"pair": 1, "account": 100, "address": 100}
    make_person("heather")
    for _ in range(2):
        post("token", username="heather", password="wrong")
    answer = anonymous_client().post(
        "/api/v1/auth/token", {"username": "heather", "password": PASSWORD}, REMOTE_ADDR="10.1.2.3"
    )
    assert answer.status_code == 201


def test_an_attempt_does_not_store_the_entered_username(database: str) -> None:
    post("token", username="my secret by mistake", password="wrong")
    assert "secret" not in repr(LogInAttempt.objects.values().get())


def test_repeated_login_revokes_the_oldest_tokens(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.identity.services.MAX_TOKENS", 3)
    make_person("heather")
    secrets = [post("token", username="heather", password=PASSWORD).json()["token"] for _ in range(5)]
    assert ApiToken.objects.count() == 3
    assert [client_with_token(secret).get("/api/v1/me").status_code for secret in secrets] == [
        401,
        401,
        200,
        200,
        200,
    ]


def test_a_registered_player_is_human(database: str) -> None:
    assert make_person().kind == PlayerKind.HUMAN
