"""API tokens that players create for their programs."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from games.identity.models import ApiToken, Scope
from tests.support.clients import client_of, client_with_token, code, field_errors, make_person

BODY = {"name": "laptop", "scopes": ["matches:read"]}


def create_token(client: APIClient, **changes: Any) -> Any:
    return client.post("/api/v1/me/tokens", {**BODY, **changes})


def test_a_token_has_only_the_requested_scopes(database: str) -> None:
    answer = create_token(client_of(make_person()))
    assert answer.status_code == 201
    made = client_with_token(answer.json()["token"])
    assert made.get("/api/v1/me").status_code == 200
    assert code(made.patch("/api/v1/me", {})) == "insufficient_scope"


def test_the_secret_is_shown_only_on_creation(database: str) -> None:
    client = client_of(make_person())
    made = create_token(client).json()
    listed = client.get("/api/v1/me/tokens")
    assert made["token"] not in listed.content.decode()
    entries = listed.json()["results"]
    assert [entry["name"] for entry in entries] == ["laptop", "test"]
    assert [entry["current"] for entry in entries] == [False, True]
    assert made["token"].startswith(entries[0]["starts_with"])
    assert len(entries[0]["starts_with"]) == 15
    assert made.keys() - {"token"} == entries[0].keys()


def test_a_token_cannot_create_one_with_more_scopes(database: str) -> None:
    client = client_of(make_person(), [Scope.ACCOUNT_WRITE, Scope.MATCHES_READ])
    for scope in ("matches:play", "bot:play", "webhooks:write"):
        assert field_errors(create_token(client, scopes=["matches:read", scope])) == {
            ("/scopes", "beyond_this_token")
        }
    assert create_token(client).status_code == 201


@pytest.mark.parametrize("scopes", ([], ["everything"], [""], ["matches:read"] * 11))
def test_invalid_scopes_are_rejected(database: str, scopes: list[str]) -> None:
    assert create_token(client_of(make_person()), scopes=scopes).status_code == 422


def test_a_token_can_have_an_expiry(database: str) -> None:
    end = timezone.now() + timedelta(days=3)
    made = create_token(client_of(make_person()), expires_at=end.isoformat()).json()
    token = ApiToken.objects.get(public_id=made["id"])
    assert (token.expiry, token.sliding) == (end, None)


@pytest.mark.parametrize(("days", "error"), ((-1, "in_the_past"), (3650, "too_large")))
def test_an_invalid_expiry_is_rejected(database: str, days: int, error: str) -> None:
    end = timezone.now() + timedelta(days=days)
    assert field_errors(create_token(client_of(make_person()), expires_at=end.isoformat())) == {
        ("/expires_at", error)
    }


def test_a_token_can_be_revoked_by_its_id(database: str) -> None:
    client = client_of(make_person())
    made = create_token(client).json()
    assert client.delete(f"/api/v1/me/tokens/{made['id']}").status_code == 204
    assert client_with_token(made["token"]).get("/api/v1/me").status_code == 401
    assert client.delete(f"/api/v1/me/tokens/{made['id']}").status_code == 404


def test_tokens_of_other_players_are_not_found(database: str) -> None:
    theirs = create_token(client_of(make_person())).json()
    answer = client_of(make_person()).delete(f"/api/v1/me/tokens/{theirs['id']}")
    assert (answer.status_code, code(answer)) == (404, "not_found")
    assert client_with_token(theirs["token"]).get("/api/v1/me").status_code == 200


def test_the_number_of_tokens_is_limited(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.identity.services.MAX_TOKENS", 2)
    client = client_of(make_person())
    assert [create_token(client).status_code for _ in range(2)] == [201, 409]
    assert code(create_token(client)) == "limit_reached"


def test_expired_tokens_do_not_count_towards_the_limit(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.identity.services.MAX_TOKENS", 2)
    client = client_of(make_person())
    made = create_token(client).json()
    ApiToken.objects.filter(public_id=made["id"]).update(expiry=timezone.now() - timedelta(days=1))
    assert create_token(client).status_code == 201


def test_the_list_of_tokens_is_paginated(database: str) -> None:
    client = client_of(make_person())
    for number in range(4):
        create_token(client, name=str(number))
    first = client.get("/api/v1/me/tokens?limit=3").json()
    second = client.get(first["next"]).json()
    assert [entry["name"] for entry in first["results"] + second["results"]] == ["3", "2", "1", "0", "test"]
