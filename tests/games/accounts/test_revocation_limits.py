"""A leaked token cannot use up the limit that its owner needs to revoke it."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from pytest_django import Settings
from rest_framework.test import APIClient

from games.core import rate_limits
from games.identity.models import Player
from tests.support.clients import PASSWORD, client_of, code, make_person, program_of


@pytest.fixture(autouse=True)
def _limits(settings: Settings) -> Iterator[None]:
    settings.HAGGIS_LIMITS = {"player": (3, 60), "revocations": (4, 60)}
    cache.clear()
    rate_limits.reset_reservations()
    yield
    cache.clear()
    rate_limits.reset_reservations()


@pytest.fixture
def heather(database: str) -> Player:
    return make_person("heather")


def exhaust(leaked: APIClient) -> None:
    assert [leaked.get("/api/v1/me").status_code for _ in range(4)] == [200] * 3 + [429]


def test_the_owner_finds_and_revokes_a_leaked_token_that_sends_too_much(heather: Player) -> None:
    owner, leaked = client_of(heather), program_of(heather)
    exhaust(leaked)
    assert owner.get("/api/v1/me").status_code == 429
    listed = owner.get("/api/v1/me/tokens").json()["results"]
    (stolen,) = (each["id"] for each in listed if each["name"] == "program")
    assert owner.delete(f"/api/v1/me/tokens/{stolen}").status_code == 204
    assert leaked.get("/api/v1/me").status_code == 401


def test_the_owner_ends_sessions_and_logs_out_despite_a_leaked_token(heather: Player) -> None:
    owner, other, leaked = client_of(heather), client_of(heather), program_of(heather)
    exhaust(leaked)
    sessions = owner.get("/api/v1/me/sessions").json()["results"]
    (ended,) = (each["id"] for each in sessions if not each["current"])
    assert owner.delete(f"/api/v1/me/sessions/{ended}").status_code == 204
    assert other.get("/api/v1/me").status_code == 401
    assert owner.delete("/api/v1/me/sessions").status_code == 204
    assert owner.delete("/api/v1/auth/token").status_code == 204


def test_the_owner_logs_in_and_changes_the_password_despite_a_leaked_token(heather: Player) -> None:
    owner, leaked = client_of(heather), program_of(heather)
    exhaust(leaked)
    assert owner.post("/api/v1/auth/token", {"username": "heather", "password": PASSWORD}).status_code == 201
    body = {"current_password": PASSWORD, "password": "another heap of moor"}
    assert owner.post("/api/v1/me/password", body).status_code == 204
    assert leaked.get("/api/v1/me").status_code == 401


def test_revocations_are_limited_for_each_token(heather: Player) -> None:
    owner, leaked = client_of(heather), program_of(heather)
    answers = [leaked.delete("/api/v1/me/tokens/unknown") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [404] * 4 + [429]
    assert code(answers[-1]) == "rate_limited"
    assert answers[0]["RateLimit-Policy"] == '"revocations";q=4;w=60'
    assert owner.get("/api/v1/me/tokens").status_code == 200
