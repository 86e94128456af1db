"""Tests of the pages as the server sends them."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from games.gateway.agreement import rule_titles
from games.privacy.services import delete_account
from games.web.rule_pages import rule_html
from tests.support.factories import make_player

PAGES = (
    "/",
    "/matches/m_0",
    "/matches/m_0/replay",
    "/replay",
    "/account",
    "/watch",
    "/players",
    "/@me",
    "/confirm-email",
    "/undo-email-change",
    "/reset-password",
    "/offline",
    "/learn",
    "/learn/singles",
    "/rules",
    "/rules/trainer",
    *(f"/rules/{key}" for key, _ in rule_titles()),
)
MANIFEST = "/manifest.webmanifest"


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest, db: None) -> str:
    answer = Client().get(request.param)
    assert answer.status_code == 200
    assert "require-trusted-types-for 'script'" in answer["Content-Security-Policy"]
    return answer.content.decode()


def test_a_page_has_no_inline_scripts_or_styles(page: str) -> None:
    assert re.findall(r"<script(?![^>]*\ssrc=)", page) == []
    assert "<style" not in page
    assert re.findall(r"\s(?:style|on\w+)=", page) == []


def test_a_page_loads_only_existing_static_files(page: str) -> None:
    loaded = re.findall(r'<(?:script|link|use)[^>]*\s(?:src|href)="([^"#]+)', page)
    assert loaded
    assert loaded.count(MANIFEST) == 1
    for address in set(loaded) - {MANIFEST}:
        assert address.startswith("/static/")
        assert finders.find(address.removeprefix("/static/")) is not None


def imported_modules(script: Path) -> set[Path]:
    """Return all direct and indirect imports of a script."""
    found: set[Path] = set()
    waiting = [script]
    while waiting:
        here = waiting.pop()
        named = re.findall(r'^import [^;]*?"(\.[^"]+)";', here.read_text(encoding="utf-8"), re.MULTILINE)
        new = {(here.parent / name).resolve() for name in named} - found
        found |= new
        waiting.extend(new)
    return found


@pytest.mark.parametrize(
    ("address", "module"), (("/matches/m_0", "table/table.js"), ("/learn/sets", "learn/lesson.js"))
)
def test_the_table_preloads_all_of_its_modules(db: None, address: str, module: str) -> None:
    """Without preloading, each level of imports costs a round trip."""
    page = Client().get(address).content.decode()
    asked = re.findall(r'rel="modulepreload" href="/static/([^"]+)"', page)
    script = finders.find(f"web/{module}")
    assert script is not None
    found = {Path(finders.find(address) or "") for address in asked}
    assert found == imported_modules(Path(script))


def test_a_page_sets_no_cookie_and_is_the_same_for_all_users(db: None) -> None:
    one, other = (
        Client().get("/matches/m_0"),
        Client().get("/matches/m_0", headers={"Authorization": "Bearer x"}),
    )
    assert not one.cookies
    assert one.content == other.content


@pytest.mark.django_db
def test_an_unknown_lesson_returns_404() -> None:
    assert Client().get("/learn/nothing").status_code == 404


def test_the_rules_begin_with_a_summary_on_one_page() -> None:
    page = Client().get("/rules").content.decode()
    assert page.index("Haggis on one page") < page.index("Where they differ")
    assert 'href="/learn"' in page
    assert "Haggis on one page" not in Client().get("/rules/classic").content.decode()


def test_the_rules_of_an_unknown_rule_set_return_404() -> None:
    assert Client().get("/rules/nothing").status_code == 404
    assert Client().get("/rules/README").status_code == 404


@pytest.mark.parametrize(("key", "title"), rule_titles())
def test_the_rules_of_each_rule_set_draw_their_cards(key: str, title: str) -> None:
    page = rule_html(key)
    assert f"<h1>Haggis: {title}</h1>" in page
    assert page.count("<haggis-cards>") > 10
    assert "<haggis-cards>Tr Tg J Q</haggis-cards>" in page


def test_the_overview_links_to_each_rule_set() -> None:
    page = rule_html("")
    assert all(f'href="/rules/{key}"' in page for key, _ in rule_titles())
    assert ".md" not in page


@pytest.mark.django_db
def test_a_player_page_exists_for_active_players_only() -> None:
    player, banned = make_player("Heather-1", display_name="<Heather>"), make_player(is_active=False)
    page = Client().get("/@heather-1")
    assert page.status_code == 200
    assert 'username="Heather-1"' in page.content.decode()
    assert "&lt;Heather&gt; · Haggis" in page.content.decode()
    for name in (banned.username, "nobody-here", "x", "a/b"):
        answer = Client().get(f"/@{name}")
        assert answer.status_code == 404, name
        assert "Page not found" in answer.content.decode()
    delete_account(player=player)
    player.refresh_from_db()
    for name in ("Heather-1", player.username):
        assert Client().get(f"/@{name}").status_code == 404


@pytest.mark.parametrize(
    "address", ("/nothing", "/matches/nonsense", "/matches/nonsense/replay", "/rules/poker")
)
def test_unknown_pages_answer_404_and_lead_back(db: None, address: str) -> None:
    answer = Client().get(address)
    assert answer.status_code == 404
    page = answer.content.decode()
    assert "Page not found" in page
    assert {'href="/"', 'href="/rules"', 'href="/learn"'} <= set(re.findall(r'href="[^"]*"', page))
