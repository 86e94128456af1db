"""Links of mails in a browser: address confirmation, mail settings and password reset."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPerson
from tests.browser.test_accessibility import accessibility_violations
from tests.support.processes import Web, wait_for

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]


def link_in_the_mail(web: Web, page: str) -> str:
    """Return the latest link to a page in the mails that `make run` printed."""

    def links() -> list[str]:
        return re.findall(rf"/{page}#\S+", web.running.log.read_text())

    wait_for("the mail", lambda: bool(links()))
    return links()[-1]


def test_mail_links_confirm_the_address_and_reset_the_password(person: NewPerson, own_server: Web) -> None:
    page = person(f"http://127.0.0.1:{own_server.port}").page
    page.goto("/account")
    page.locator("#new_username").fill("heather")
    page.locator("#new_password").fill("a heap of heather")
    page.locator("#email").fill("heather@example.org")
    page.get_by_role("button", name="Create account").click()
    expect(page.locator("haggis-mails")).to_contain_text("Not confirmed yet")

    page.goto(link_in_the_mail(own_server, "confirm-email"))
    assert page.url.endswith("/confirm-email"), "the secret is taken out of the address"
    assert accessibility_violations(page) == []
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="E-mail address confirmed")).to_be_visible()

    page.goto("/account")
    page.get_by_label("Your turn", exact=True).select_option("email")
    page.get_by_label("End of a match").select_option("digest")
    page.get_by_role("button", name="Save e-mail settings").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Your turn", exact=True)).to_have_value("email")
    expect(page.get_by_label("End of a match")).to_have_value("digest")
    assert accessibility_violations(page) == []

    page.goto("/reset-password")
    assert accessibility_violations(page) == []
    page.get_by_label("Username").fill("heather")
    page.get_by_role("button", name="Send reset link").click()
    expect(page.get_by_role("heading", name="Check your e-mail")).to_be_visible()
    page.goto("about:blank")
    page.goto(link_in_the_mail(own_server, "reset-password"))
    page.get_by_label("New password").fill("another heap of moor")
    page.get_by_role("button", name="Save password").click()
    expect(page.get_by_role("heading", name="Password changed")).to_be_visible()
