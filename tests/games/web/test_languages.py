"""The language of pages, the language switch, and rule pages in every language."""

import re
from collections import Counter
from typing import Final

import pytest
from django.test import Client

from games.core.languages import language_names
from games.gateway.agreement import rule_titles
from games.web.rule_pages import rule_html, rule_markdown

pytestmark = pytest.mark.django_db

OTHERS: Final = ("de", "fr", "es")
PAGES: Final = ("", *(key for key, _ in rule_titles()))


def get(path: str, accept_language: str = "", **cookies: str) -> object:
    """Return a page as a browser with these preferences gets it."""
    client = Client(headers={"Accept-Language": accept_language} if accept_language else {})
    for name, value in cookies.items():
        client.cookies[name] = value
    return client.get(path)


@pytest.mark.parametrize(
    ("accept_language", "chosen", "language"),
    (
        ("", "", "en"),
        ("de-AT,de;q=0.9,en;q=0.8", "", "de"),
        ("nl", "", "en"),
        ("de", "fr", "fr"),
        ("de", "tlh", "de"),
        ("de", "en", "en"),
    ),
)
def test_a_page_is_in_the_chosen_or_preferred_language(
    accept_language: str, chosen: str, language: str
) -> None:
    cookies = {"haggis_language": chosen} if chosen else {}
    response = get("/", accept_language, **cookies)
    content = response.content.decode()  # type: ignore[attr-defined]
    assert f'<html lang="{language}">' in content
    assert response["Content-Language"] == language  # type: ignore[index]
    assert {"Accept-Language", "Cookie"} <= set(response["Vary"].split(", "))  # type: ignore[index]
    assert ("web/messages/" in content) == (language != "en")


def test_script_catalogue_is_loaded_before_the_modules_and_not_inline() -> None:
    content = get("/matches/m_1", "es").content.decode()  # type: ignore[attr-defined]
    assert content.index("web/messages/es.js") < content.index('type="module"')
    assert all(" src=" in tag for tag in re.findall(r"<script[^>]*>", content))


def test_the_switch_stores_the_choice_and_returns_to_the_page() -> None:
    client = Client()
    response = client.get("/replay?language=de&x=1")
    assert (response.status_code, response["Location"]) == (302, "/replay?x=1")
    cookie = response.cookies["haggis_language"]
    assert (cookie.value, cookie["samesite"], cookie["httponly"]) == ("de", "Lax", True)
    assert '<html lang="de">' in client.get("/replay").content.decode()
    client.get("/replay?language=")
    assert '<html lang="en">' in client.get("/replay").content.decode()


def test_an_unknown_choice_is_ignored() -> None:
    response = Client().get("/?language=tlh")
    assert response.status_code == 200
    assert not response.cookies


@pytest.mark.parametrize("path", ("//evil.example/?language=de", "/\\evil.example?language=de"))
def test_the_switch_does_not_redirect_to_other_hosts(path: str) -> None:
    response = Client().get("/offline", {"language": "de"}, PATH_INFO=path.partition("?")[0])
    assert not response.headers.get("Location", "/").startswith(("//", "/\\"))


def test_an_unknown_page_is_in_the_language() -> None:
    response = get("/nowhere", "de")
    assert "Seite nicht gefunden" in response.content.decode()  # type: ignore[attr-defined]


def test_every_language_is_offered_in_its_own_words() -> None:
    content = get("/", "de").content.decode()  # type: ignore[attr-defined]
    for code, name in language_names().items():
        assert re.search(rf'<a href="\?language={code}" lang="{code}"[^>]*>{name}</a>', content)


def test_the_admin_stays_english() -> None:
    assert 'lang="en' in get("/admin/login/", "de").content.decode()  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("key", PAGES)
def test_a_rule_page_has_the_same_structure_in_every_language(key: str, language: str) -> None:
    english, other = rule_html(key), rule_html(key, language)
    for pattern in (r"</?\w+", r"<haggis-cards>.*?</haggis-cards>", r"<code>.*?</code>", r'href="[^"]*"'):
        assert re.findall(pattern, english) == re.findall(pattern, other)
    assert Counter(re.findall(r"\d+", english)) == Counter(re.findall(r"\d+", other))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("key", PAGES)
def test_no_sentence_of_a_rule_page_is_left_in_english(key: str, language: str) -> None:
    def blocks(text: str) -> set[str]:
        return {" ".join(block.split()) for block in text.split("\n\n") if len(block) > 60}

    assert not blocks(rule_markdown(key, "en")) & blocks(rule_markdown(key, language))
