"""Pages of other origins may use the API; who names no origin is told that the answer depends on it."""

import pytest
from django.test import Client

ANY = "https://elsewhere.example"


def _vary(path: str, **headers: str) -> list[str]:
    response = Client().get(path, headers=headers)
    return [name.lower() for name in response.headers.get("Vary", "").split(", ")]


@pytest.mark.parametrize("path", ("/api/v1/rulesets", "/api/v1/nothing", "/api/nothing"))
def test_an_answer_depends_on_the_origin_whether_or_not_one_is_named(database: str, path: str) -> None:
    without, named = _vary(path), _vary(path, origin=ANY)
    assert without == named
    assert without.count("origin") == 1


def test_the_same_is_said_as_to_every_other_asker(database: str) -> None:
    assert _vary("/api/v1/rulesets") == ["authorization", "accept", "origin"]


def test_who_names_an_origin_is_let_in(database: str) -> None:
    response = Client().get("/api/v1/rulesets", headers={"origin": ANY})
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Origin" not in Client().get("/api/v1/rulesets").headers


def test_a_browser_that_asks_first_is_told(database: str) -> None:
    asking = {"origin": ANY, "access-control-request-method": "POST"}
    response = Client().options("/api/v1/rulesets", headers=asking)
    assert "authorization" in response["Access-Control-Allow-Headers"]
