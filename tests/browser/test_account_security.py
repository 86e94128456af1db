"""Account security in a browser: password prompts, the second factor, sessions and undoing a change."""

import re
import sqlite3
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPerson
from tests.browser.test_accessibility import accessibility_violations
from tests.browser.test_mails import link_in_the_mail
from tests.support.processes import Web
from tests.support.totp import totp_code

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

NAME, PASSWORD = "heather", "a heap of heather"


@pytest.fixture
def page(person: NewPerson, own_server: Web) -> Page:
    """Provide the account page of a registered player."""
    opened = person(site_of(own_server)).page
    opened.goto("/account")
    opened.locator("#new_username").fill(NAME)
    opened.locator("#new_password").fill(PASSWORD)
    opened.get_by_role("button", name="Create account").click()
    expect(opened.get_by_role("heading", name="Second factor")).to_be_visible()
    return opened


def site_of(web: Web) -> str:
    return f"http://127.0.0.1:{web.port}"


def end_freshness(web: Web) -> None:
    """Let the time pass after which the password is needed again."""
    with sqlite3.connect(next(web.data.rglob("haggis.sqlite3"))) as connection:
        connection.execute("UPDATE games_apitoken SET fresh_until = '2020-01-01 00:00:00'")


def log_in(page: Page, password: str = PASSWORD) -> None:
    page.locator("#username").fill(NAME)
    page.locator("#password").fill(password)
    page.get_by_role("button", name="Log in", exact=True).click()


def prompt(page: Page) -> Any:
    return page.get_by_role("dialog", name="Enter your password")


def test_a_change_of_address_asks_for_the_password_and_can_be_undone(page: Page, own_server: Web) -> None:
    page.get_by_label("E-mail address").fill("old@example.org")
    page.get_by_role("button", name="Save e-mail settings").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.goto(link_in_the_mail(own_server, "confirm-email"))
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="E-mail address confirmed")).to_be_visible()

    end_freshness(own_server)
    page.goto("/account")
    page.get_by_label("E-mail address").fill("new@example.org")
    page.get_by_role("button", name="Save e-mail settings").click()
    expect(prompt(page)).to_be_visible()
    assert accessibility_violations(page) == []
    page.get_by_role("button", name="Cancel").click()
    expect(prompt(page)).to_have_count(0)
    expect(page.get_by_role("alert")).to_contain_text("Enter your password again")
    page.get_by_role("button", name="Save e-mail settings").click()
    prompt(page).get_by_label("Password").fill("wrong")
    prompt(page).get_by_role("button", name="Continue").click()
    expect(prompt(page).get_by_role("alert")).to_contain_text("not correct")
    prompt(page).get_by_label("Password").fill(PASSWORD)
    prompt(page).get_by_role("button", name="Continue").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(prompt(page)).to_have_count(0)

    page.goto(link_in_the_mail(own_server, "undo-email-change"))
    assert page.url.endswith("/undo-email-change"), "the secret is taken out of the address"
    assert accessibility_violations(page) == []
    page.get_by_role("button", name="Restore my address").click()
    page.get_by_label("New password").fill("another heap of moor")
    page.get_by_role("button", name="Save password").click()
    expect(page.get_by_role("heading", name="Password changed")).to_be_visible()
    body = {"username": NAME, "password": "another heap of moor"}
    token = httpx.post(f"{site_of(own_server)}/api/v1/auth/token", json=body).json()["token"]
    me = httpx.get(f"{site_of(own_server)}/api/v1/me", headers={"Authorization": f"Bearer {token}"}).json()
    assert (me["email"], me["email_confirmed"]) == ("old@example.org", True)


def test_second_factor_is_set_up_used_and_removed(page: Page, own_server: Web) -> None:
    end_freshness(own_server)
    page.get_by_role("button", name="Set up second factor").click()
    prompt(page).get_by_label("Password").fill(PASSWORD)
    prompt(page).get_by_role("button", name="Continue").click()
    key = page.locator(".secret-key").inner_text().replace(" ", "")
    link = page.get_by_role("link", name="open the app on this device").get_attribute("href") or ""
    assert link.startswith("otpauth://totp/")
    page.get_by_label("Code that the app shows").fill("000000")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("alert").first).to_contain_text("The code is wrong")
    page.get_by_label("Code that the app shows").fill(totp_code(key, -1))
    page.get_by_role("button", name="Confirm").click()
    codes = page.locator(".recovery-codes li")
    expect(codes).to_have_count(10)
    recovery = codes.first.inner_text()
    assert accessibility_violations(page) == []
    page.get_by_role("button", name="I have saved them").click()
    expect(page.get_by_text("10 recovery codes are left")).to_be_visible()

    page.get_by_role("button", name="Log out", exact=True).last.click()
    log_in(page)
    expect(page.get_by_role("alert")).to_contain_text("authenticator app")
    page.locator("#log_in_code").fill(totp_code(key))
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_role("button", name="Remove second factor")).to_be_visible()

    end_freshness(own_server)
    page.get_by_role("button", name="Remove second factor").click()
    prompt(page).get_by_label("Password").fill(PASSWORD)
    prompt(page).get_by_role("button", name="Continue").click()
    prompt(page).get_by_label("Code of your authenticator app").fill(recovery)
    prompt(page).get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Set up second factor")).to_be_visible()


def test_sessions_are_listed_and_ended(page: Page, own_server: Web) -> None:
    body = {"username": NAME, "password": PASSWORD}
    tokens = [
        httpx.post(
            f"{site_of(own_server)}/api/v1/auth/token", json=body, headers={"User-Agent": "curl/8.5.0"}
        ).json()["token"]
        for _ in range(2)
    ]
    page.reload()
    rows = page.locator("haggis-account-security .devices li")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text="This device")).to_contain_text(re.compile("Chrome on Linux"))
    rows.filter(has_text="curl").first.get_by_role("button").click()
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="Log out everywhere else").click()
    expect(rows).to_have_count(1)
    for token in tokens:
        headers = {"Authorization": f"Bearer {token}"}
        assert httpx.get(f"{site_of(own_server)}/api/v1/me", headers=headers).status_code == 401


def test_password_is_changed_and_the_account_deleted(page: Page, own_server: Web) -> None:
    end_freshness(own_server)
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password").fill("another heap of moor")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Your password has been changed.")).to_be_visible()
    page.get_by_label("Type your username to confirm").fill("bracken")
    page.get_by_role("button", name="Delete account").click()
    expect(page.get_by_role("alert")).to_contain_text("This is not your username.")
    page.get_by_label("Type your username to confirm").fill(NAME)
    page.get_by_role("button", name="Delete account").click()
    expect(page.get_by_role("heading", name="Log in or create an account")).to_be_visible()
    assert httpx.get(f"{site_of(own_server)}/api/v1/players/{NAME}").status_code == 404
