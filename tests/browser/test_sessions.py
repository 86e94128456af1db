"""Log-ins that end while a page is open: the page says so, and nobody becomes a new guest unasked."""

import re
import sqlite3
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPerson
from tests.browser.players import Person
from tests.browser.test_accessibility import accessibility_violations
from tests.support.processes import Web

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

PASSWORD = "a heap of heather"
ME, AI = {"kind": "me"}, {"kind": "ai", "level": "easy"}


def stored_session(page: Page) -> dict[str, Any]:
    session: dict[str, Any] = page.evaluate("JSON.parse(localStorage.getItem('haggis.session'))")
    return session


def register(page: Page, name: str) -> None:
    page.goto("/account")
    page.locator("#new_username").fill(name)
    page.locator("#new_password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def revoke(site: str, page: Page) -> None:
    """Revoke the token of the page, as another device would."""
    headers = {"Authorization": f"Bearer {stored_session(page)['token']}"}
    assert httpx.delete(f"{site}/api/v1/auth/token", headers=headers).status_code == 204


def ended_dialog(page: Page) -> Any:
    return page.get_by_role("dialog", name="You are logged out")


def show_again(page: Page) -> None:
    """Return to the page, which loads what has changed meanwhile."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def log_in_again(page: Page, password: str = PASSWORD) -> None:
    ended_dialog(page).get_by_label("Password").fill(password)
    ended_dialog(page).get_by_role("button", name="Log in", exact=True).click()


def test_player_whose_log_in_ends_during_a_match_logs_in_again_and_plays_on(
    person: NewPerson, site: str
) -> None:
    somebody = person()
    register(somebody.page, "bracken")
    table = somebody.create_match_with_own_lead(players=2, seats=[ME, AI])
    page = somebody.open_table(table)
    revoke(site, page)
    show_again(page)
    expect(ended_dialog(page)).to_contain_text("The log-in of bracken in this browser has expired")
    expect(page.locator(".hand button.card")).to_have_count(17)
    assert accessibility_violations(page, "haggis-session-ended") == []
    assert stored_session(page)["player"]["username"] == "bracken"

    log_in_again(page, "a wrong password")
    expect(ended_dialog(page).get_by_role("alert")).to_be_visible()
    log_in_again(page)
    expect(ended_dialog(page)).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    page.locator(".hand button.card").first.click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".hand button.card")).to_have_count(16)


def test_dismissing_the_dialog_creates_no_guest_and_the_next_action_asks_again(
    person: NewPerson, site: str
) -> None:
    page = person().page
    register(page, "thistle")
    page.goto("/")
    expect(page.get_by_role("heading", name="Open matches")).to_be_visible()
    revoke(site, page)
    show_again(page)
    ended_dialog(page).get_by_role("button", name="Not now").click()
    expect(ended_dialog(page)).to_have_count(0)
    assert stored_session(page)["token"] is None

    page.get_by_role("button", name=re.compile("Play (an easy|against an) AI")).click()
    expect(ended_dialog(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("alert")).to_contain_text("You are logged out. Log in to continue.")
    assert stored_session(page)["token"] is None

    page.get_by_role("button", name=re.compile("Play (an easy|against an) AI")).click()
    log_in_again(page)
    page.wait_for_url("**/matches/m_*")
    assert stored_session(page)["player"]["username"] == "thistle"


def test_guest_whose_token_is_gone_chooses_to_start_again(person: NewPerson, site: str) -> None:
    somebody = person()
    table = somebody.create_match(players=2, seats=[ME, AI])
    page = somebody.page
    name = stored_session(page)["player"]["username"]
    revoke(site, page)
    page.goto(f"/matches/{table['id']}")
    expect(ended_dialog(page)).to_contain_text(f"can no longer open the guest account {name}")
    page.keyboard.press("Escape")
    expect(page.get_by_text("You are watching this match.")).to_be_visible()
    page.reload()
    ended_dialog(page).get_by_role("button", name="Play as a new guest").click()
    expect(ended_dialog(page)).to_have_count(0)
    assert stored_session(page)["player"]["username"] != name


def test_log_in_in_another_tab_closes_the_dialog(person: NewPerson, site: str) -> None:
    somebody = person()
    register(somebody.page, "gorse")
    other = somebody.new_page()
    other.goto("/")
    expect(other.get_by_role("heading", name="Open matches")).to_be_visible()
    revoke(site, other)
    show_again(other)
    expect(ended_dialog(other)).to_be_visible()
    expect(ended_dialog(somebody.page)).to_be_visible()
    log_in_again(somebody.page)
    expect(ended_dialog(somebody.page)).to_have_count(0)
    expect(ended_dialog(other)).to_have_count(0)


def test_banned_player_reads_that_the_account_is_banned(person: NewPerson, own_server: Web) -> None:
    site = f"http://127.0.0.1:{own_server.port}"
    banned: Person = person(site)
    page = banned.page
    register(page, "knapweed")
    page.goto("/")
    expect(page.get_by_role("heading", name="Open matches")).to_be_visible()
    with sqlite3.connect(next(own_server.data.rglob("haggis.sqlite3"))) as connection:
        connection.execute("DELETE FROM games_apitoken")
        connection.execute("UPDATE games_player SET is_active = 0 WHERE username = 'knapweed'")
    show_again(page)
    log_in_again(page, "a wrong password")
    expect(ended_dialog(page).get_by_role("alert")).not_to_contain_text("banned")
    log_in_again(page)
    expect(ended_dialog(page).get_by_role("alert")).to_contain_text("This account is banned")


def test_an_action_is_finished_before_the_page_changes_to_the_language_of_the_account(
    person: NewPerson, site: str
) -> None:
    somebody = person()
    page = somebody.page
    register(page, "tansy")
    assert somebody.api("PATCH", "/me", {"language": "de"})["language"] == "de"
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    revoke(site, page)
    # The dialog may have opened already, and then lies over the button.
    page.locator(".hero").get_by_role("button", name="Play an easy AI").dispatch_event("click")
    log_in_again(page)
    page.wait_for_url("**/matches/*")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator(".hand button.card")).to_have_count(17)
    assert len(somebody.api("GET", "/me/matches")["results"]) == 1


def test_a_log_in_shows_the_page_in_the_language_of_the_account(person: NewPerson) -> None:
    somebody = person()
    register(somebody.page, "yarrow")
    somebody.api("PATCH", "/me", {"language": "fr"})
    page = person().page
    page.goto("/account")
    form = page.locator("form", has=page.get_by_role("button", name="Log in", exact=True))
    form.get_by_label("Username").fill("yarrow")
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button", name="Log in", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page).to_have_url(re.compile("/account$"))
