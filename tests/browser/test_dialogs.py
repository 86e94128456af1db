"""Errors of dialogs and forms: in words for people, at the field, until the form is sent again."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPerson
from tests.browser.test_accessibility import accessibility_violations

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]


@pytest.fixture
def dialog(page: Page) -> Page:
    """Provide a page with the dialog for a new match, in which somebody unknown is invited."""
    page.goto("/")
    page.get_by_role("button", name="More options…").click()
    page.get_by_label("Seat 2", exact=True).select_option("Invite a player")
    page.get_by_label("Username of the player in seat 2").fill("nobody-at-all")
    return page


def test_error_of_an_unknown_invited_name_is_shown_at_the_field(dialog: Page) -> None:
    field = dialog.get_by_label("Username of the player in seat 2")
    dialog.get_by_role("button", name="Start match").click()
    error = dialog.get_by_role("dialog").get_by_role("alert")
    expect(error).to_have_text("There is no player called nobody-at-all.")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("There is no player called nobody-at-all.")
    assert accessibility_violations(dialog) == []


def test_error_of_a_dialog_stays_while_the_lists_behind_it_are_loaded_again(dialog: Page) -> None:
    dialog.get_by_role("button", name="Start match").click()
    error = dialog.get_by_role("dialog").get_by_role("alert")
    expect(error).to_be_visible()
    with dialog.expect_response("**/api/v1/me/matches*"):
        dialog.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(error).to_have_text("There is no player called nobody-at-all.")
    dialog.get_by_role("button", name="Cancel").click()
    dialog.get_by_role("button", name="More options…").click()
    expect(dialog.get_by_role("dialog").get_by_role("alert")).to_have_count(0)


def test_form_shows_errors_at_their_fields_and_focuses_the_first(person: NewPerson) -> None:
    page = person().page
    page.goto("/account")
    page.locator("#new_username").fill("a b")
    page.locator("#new_password").fill("short")
    page.get_by_role("button", name="Create account").click()
    name, password = page.locator("#new_username"), page.locator("#new_password")
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_be_focused()
    page.locator("#new_username").fill("heath-bedstraw")
    page.get_by_role("button", name="Create account").click()
    expect(password).to_have_attribute("aria-invalid", "true")
    expect(password).to_be_focused()
    expect(name).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator("#new_password-error")).to_contain_text("short")
