"""Negotiation of the language, and messages that are translated when they are shown."""

import pytest
from django.conf import settings
from django.utils.translation import gettext_lazy

from games.core.languages import language_names, message, negotiated_language, speaking, translated
from tests.support.clients import client_of, make_person
from tools.messages import LANGUAGES as CATALOGUES


@pytest.mark.parametrize(
    ("header", "language"),
    (
        ("", "en"),
        ("de", "de"),
        ("de-AT", "de"),
        ("DE-at,de;q=0.9,en;q=0.8", "de"),
        ("en;q=0.5, fr;q=0.8", "fr"),
        ("nl, es;q=0.1", "es"),
        ("nl, ja;q=0.8", "en"),
        ("*", "en"),
        ("de;q=0, es;q=0.1", "es"),
        ("de;q=0", "en"),
        ("de;q=abc", "en"),
        (";;;,,,=", "en"),
        ("\u00ff\u0000", "en"),
        ("de," * 10_000, "de"),
        ("x" * 100_000, "en"),
    ),
)
def test_the_preferred_offered_language_is_chosen(header: str, language: str) -> None:
    assert negotiated_language(header) == language


def test_every_language_but_english_has_catalogues() -> None:
    assert set(language_names()) - {settings.LANGUAGE_CODE} == set(CATALOGUES)


def test_a_message_is_translated_when_it_is_shown() -> None:
    text = message("You can have at most {most} bots.", most=5)
    assert str(text) == "You can have at most 5 bots."
    with speaking("de"):
        assert translated(text) == "Du kannst höchstens 5 Bots haben."


def test_only_marked_words_among_the_values_of_a_message_are_translated() -> None:
    template = "{title} is only for these numbers of players: {players}."
    marked = message(template, title=gettext_lazy("Classic"), players="2")
    entered = message(template, title="Classic", players="2")
    with speaking("fr"):
        assert translated(marked).startswith("Classique")
        assert translated(entered).startswith("Classic ")


def test_a_name_in_an_error_is_not_translated(database: str) -> None:
    body = {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "player", "username": "Password"}]}
    answer = client_of(make_person()).post("/api/v1/matches", body, HTTP_ACCEPT_LANGUAGE="de")
    (error,) = answer.json()["errors"]
    assert "Password" in error["detail"]


def test_an_empty_text_stays_empty_in_every_language() -> None:
    with speaking("es"):
        assert translated("") == ""


def test_an_unknown_text_stays_as_it_is() -> None:
    with speaking("de"):
        assert translated("No catalogue has this.") == "No catalogue has this."
