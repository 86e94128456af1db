"""Pages of any origin may use the API, and every response varies by origin."""

import pytest
from django.test import Client

ORIGIN = "https://elsewhere.example"


def _vary(path: str, **headers: str) -> list[str]:
    response = Client().get(path, headers=headers)
    return [name.lower() for name in response.headers.get("Vary", "").split(", ")]


@pytest.mark.parametrize("path", ("/api/v1/rulesets", "/api/v1/nothing", "/api/nothing", "/api/"))
def test_vary_includes_origin_with_and_without_an_origin_header(database: str, path: str) -> None:
    without, named = _vary(path), _vary(path, origin=ORIGIN)
    assert without == named
    assert without.count("origin") == 1


def test_vary_lists_authorization_accept_and_origin(database: str) -> None:
    assert _vary("/api/v1/rulesets") == ["authorization", "accept", "origin"]


def test_any_origin_is_allowed(database: str) -> None:
    response = Client().get("/api/v1/rulesets", headers={"origin": ORIGIN})
    assert response["Access-Control-Allow-Origin"] == "*"
    assert Client().get("/api/", headers={"origin": ORIGIN})["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Origin" not in Client().get("/api/v1/rulesets").headers


def test_preflight_request_lists_allowed_headers(database: str) -> None:
    preflight = {"origin": ORIGIN, "access-control-request-method": "POST"}
    response = Client().options("/api/v1/rulesets", headers=preflight)
    assert "authorization" in response["Access-Control-Allow-Headers"]
