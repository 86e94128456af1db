"""The account page: its panels, tokens, bots, preferences, test mails and the list of sent notifications."""

import re
import sqlite3
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPerson
from tests.browser.test_accessibility import accessibility_violations
from tests.support.processes import Web

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

PASSWORD = "a heap of heather"


@pytest.fixture
def page(person: NewPerson, own_server: Web) -> Page:
    """Provide the account page of a registered player with a confirmed address."""
    opened = person(site_of(own_server)).page
    opened.goto("/account")
    opened.locator("#new_username").fill("heather")
    opened.locator("#new_password").fill(PASSWORD)
    opened.get_by_role("button", name="Create account").click()
    expect(opened.get_by_role("heading", name="Second factor")).to_be_visible()
    with sqlite3.connect(database_of(own_server)) as connection:
        connection.execute("UPDATE games_player SET email = 'heather@example.org', email_confirmed = 1")
    opened.reload()
    expect(opened.get_by_role("heading", name="Second factor")).to_be_visible()
    return opened


def site_of(web: Web) -> str:
    return f"http://127.0.0.1:{web.port}"


def database_of(web: Web) -> Any:
    return next(web.data.rglob("haggis.sqlite3"))


def test_table_of_contents_leads_to_each_panel(page: Page) -> None:
    contents = page.get_by_role("navigation", name="On this page")
    titles = page.locator("main .panel[id] h2").all_inner_texts()
    assert {"Display name", "E-mail notifications", "Sent notifications", "Table", "Tokens for programs"} < {
        *titles
    }
    expect(contents.get_by_role("link")).to_have_text(titles)
    contents.get_by_role("link", name="Delete account").click()
    expect(page.get_by_role("heading", name="Delete account")).to_be_focused()
    expect(page.get_by_role("heading", name="Delete account")).to_be_in_viewport()
    assert accessibility_violations(page) == []


@pytest.mark.parametrize("width", (320, 390))
def test_page_does_not_scroll_sideways_on_a_phone(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.reload()
    expect(page.get_by_role("heading", name="Delete account")).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_token_is_shown_once_works_and_is_revoked(page: Page, own_server: Web) -> None:
    panel = page.locator("#tokens")
    panel.get_by_label("Name of the program").fill("score board")
    panel.get_by_role("button", name="Create token").click()
    expect(panel.get_by_role("alert")).to_have_text("Choose what the token permits.")
    panel.get_by_label("See your matches").check()
    panel.get_by_role("button", name="Create token").click()
    secret = panel.get_by_label(re.compile("Token of score board"))
    token = secret.input_value()
    headers = {"Authorization": f"Bearer {token}"}
    assert httpx.get(f"{site_of(own_server)}/api/v1/me/matches", headers=headers).status_code == 200
    assert httpx.get(f"{site_of(own_server)}/api/v1/me/devices", headers=headers).status_code == 403

    page.reload()
    expect(panel.get_by_text("score board")).to_be_visible()
    expect(secret).to_have_count(0)
    panel.get_by_role("button", name="Revoke score board").click()
    expect(panel.get_by_role("status")).to_have_text("score board has been revoked.")
    expect(panel.get_by_role("heading", name="Tokens for programs")).to_be_focused()
    assert httpx.get(f"{site_of(own_server)}/api/v1/me/matches", headers=headers).status_code == 401


def test_bot_is_created_renewed_and_deleted(page: Page, own_server: Web) -> None:
    panel = page.locator("#bots")
    panel.get_by_label("Username of a new bot").fill("no spaces please")
    panel.get_by_role("button", name="Create bot").click()
    expect(panel.get_by_label("Username of a new bot")).to_have_attribute("aria-invalid", "true")
    panel.get_by_label("Username of a new bot").fill("heathers-bot")
    panel.get_by_role("button", name="Create bot").click()
    secret = panel.get_by_label(re.compile("Token of heathers-bot"))
    first = secret.input_value()
    panel.get_by_role("button", name="New token for heathers-bot").click()
    expect(secret).not_to_have_value(first)
    headers = {"Authorization": f"Bearer {secret.input_value()}"}
    me = httpx.get(f"{site_of(own_server)}/api/v1/me", headers=headers).json()
    assert me["username"] == "heathers-bot"
    panel.get_by_role("button", name="Delete heathers-bot").click()
    panel.get_by_role("button", name="Delete heathers-bot for good").click()
    expect(panel.get_by_role("status")).to_have_text("heathers-bot has been deleted.")
    expect(panel.get_by_role("button", name="New token for heathers-bot")).to_have_count(0)


def test_test_mail_is_sent_and_listed(page: Page) -> None:
    expect(page.locator("#sent")).to_contain_text("No notification was sent to you")
    page.locator("#email").get_by_role("button", name="Send test mail").click()
    expect(page.locator("#email").get_by_role("status")).to_contain_text("A test mail is on its way.")

    sent = page.locator("#sent").get_by_role("row", name=re.compile("Test E-mail Accepted"))
    for _ in range(40):
        with page.expect_response("**/notifications/deliveries*"):
            page.locator("#sent").get_by_role("button", name="Refresh").click()
        if sent.count():
            break
        page.wait_for_timeout(500)
    expect(sent).to_be_visible()
    assert accessibility_violations(page, "#sent") == []


def test_preferences_are_stored_in_the_browser(page: Page) -> None:
    panel = page.locator("#preferences")
    panel.get_by_label("Card size").select_option("Large")
    panel.get_by_label("Animations").select_option("Off")
    panel.get_by_label("Ask before each play").check()
    panel.get_by_label(re.compile("^Volume")).fill("30")
    expect(panel.get_by_text("Volume: 30 %")).to_be_visible()
    page.reload()
    stored = page.evaluate("JSON.parse(localStorage.getItem('haggis.settings'))")
    expected = {"cardSize": "large", "animationSpeed": "off", "confirmPlay": True, "volume": 30}
    assert {name: stored[name] for name in expected} == expected
    expect(panel.get_by_label("Card size")).to_have_value("large")


def test_result_of_an_action_is_announced_in_its_panel(page: Page) -> None:
    page.locator("#name").get_by_label("Shown to other players").fill("Heather B.")
    page.locator("#name").get_by_role("button", name="Save name").click()
    expect(page.locator("#name").get_by_role("status")).to_have_text("Saved.")
    panel = page.locator("#password-change")
    panel.get_by_label("Current password").fill("not this one")
    panel.get_by_label("New password").fill("another heap of moor")
    panel.get_by_role("button", name="Change password").click()
    expect(panel.get_by_label("Current password")).to_be_focused()
    expect(panel.get_by_role("alert")).to_be_visible()


def test_turns_are_counted_in_the_title(person: NewPerson) -> None:
    somebody = person()
    ai = {"kind": "ai", "level": "easy"}
    somebody.create_match_with_own_lead(players=2, seats=[{"kind": "me"}, ai])
    for address in ("/account", "/"):
        somebody.page.goto(address)
        expect(somebody.page).to_have_title(re.compile("Your turn"))
