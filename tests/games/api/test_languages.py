"""The language of problems: title and sentences follow `Accept-Language`, and nothing else does."""

import pytest
from rest_framework.test import APIClient

from games.identity.models import Player
from tests.support.clients import client_of, client_with_token, make_person
from tests.support.table import Table

MATCH = {"ruleset": "classic"}


def refuse(language: str) -> object:
    """Return the response to a match whose rule set does not exist."""
    client = client_of(make_person(f"person-{language or 'none'}"))
    headers = {"Accept-Language": language} if language else {}
    return client.post("/api/v1/matches", {"ruleset": "none"}, headers=headers)


@pytest.mark.parametrize(
    ("language", "title", "content_language"),
    (
        ("", "Validation failed", "en"),
        ("de-CH, en;q=0.5", "Die Angaben sind ungültig", "de"),
        ("fr", "Les données ne sont pas valables", "fr"),
        ("es;q=0.9, nl", "Los datos no son válidos", "es"),
        ("tlh", "Validation failed", "en"),
        (";q=;,", "Validation failed", "en"),
    ),
)
def test_title_and_details_follow_accept_language(
    database: str, language: str, title: str, content_language: str
) -> None:
    response = refuse(language)
    problem = response.json()  # type: ignore[attr-defined]
    assert (problem["title"], response["Content-Language"]) == (title, content_language)  # type: ignore[index]
    assert (problem["code"], problem["errors"][0]["code"]) == ("validation_error", "unknown_ruleset")
    assert (problem["errors"][0]["detail"] == "There is no rule set none.") == (content_language == "en")
    assert "Accept-Language" in response["Vary"]  # type: ignore[index]


def test_refusals_of_the_engine_are_translated_with_their_clause(database: str) -> None:
    table = Table.start("anna", "ben", leads="anna", deals=[{"anna": "3r 9g", "ben": "7y 8o"}])
    body = {"version": table.view["version"], "type": "play", "cards": ["3r", "9g"]}
    response = client_with_token(table["anna"].token).post(
        f"/api/v1/matches/{table['anna'].match_id}/moves", body, headers={"Accept-Language": "de"}
    )
    assert response.json()["detail"].startswith("Diese Karten sind keine Kombination. ")
    assert response.json()["rule"] == "set.one_rank"


def test_limits_of_fields_are_translated(database: str) -> None:
    response = client_of(make_person()).patch(
        "/api/v1/me", {"display_name": "x" * 99}, headers={"Accept-Language": "de"}
    )
    assert response.json()["errors"][0]["detail"] == "Höchstens 50 Zeichen sind erlaubt."


def test_unknown_routes_and_missing_tokens_answer_in_the_language(database: str) -> None:
    client = APIClient(headers={"Accept-Language": "fr"})
    assert client.get("/api/v1/nowhere").json()["title"] == "Introuvable, ou non visible pour vous"
    assert client.get("/api/v1/me").json()["title"] == "Connexion requise"


def test_documents_and_their_etags_are_the_same_in_every_language(database: str) -> None:
    client = client_of(make_person())
    match = client.post("/api/v1/matches", MATCH).json()["id"]
    for path in (f"/api/v1/matches/{match}", "/api/v1/rulesets/classic", f"/api/v1/matches/{match}/moves"):
        answers = [client.get(path, headers={"Accept-Language": each}) for each in ("en", "de")]
        assert answers[0]["ETag"] == answers[1]["ETag"]
        bodies = [answer.json() for answer in answers]
        for body in bodies:
            body.pop("now", None)
        assert bodies[0] == bodies[1]


def test_a_repeated_request_has_the_same_answer_in_another_language(database: str) -> None:
    client = client_of(make_person())
    answers = [
        client.post("/api/v1/matches", MATCH, headers={"Accept-Language": language, "Idempotency-Key": "one"})
        for language in ("de", "fr")
    ]
    assert answers[0].json()["id"] == answers[1].json()["id"]


@pytest.mark.parametrize(("header", "stored"), (("de-DE,de;q=0.9", "de"), ("nl", ""), ("", "")))
def test_a_guest_has_the_language_of_the_browser(database: str, header: str, stored: str) -> None:
    headers = {"Accept-Language": header} if header else {}
    response = APIClient(headers=headers).post("/api/v1/auth/guest", {})
    assert Player.objects.get(username=response.json()["player"]["username"]).language == stored


def test_a_player_chooses_a_language(database: str) -> None:
    client = client_of(make_person())
    assert client.get("/api/v1/me").json()["language"] is None
    assert client.patch("/api/v1/me", {"language": "es"}).json()["language"] == "es"
    assert client.patch("/api/v1/me", {"language": "tlh"}).json()["code"] == "validation_error"
    assert client.get("/api/v1/me").json()["language"] == "es"
    assert client.patch("/api/v1/me", {"language": None}).json()["language"] is None
