"""The lobby: newcomers, matches of other players, ending matches, and the menu of the site."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPerson

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

ME, AI = {"kind": "me"}, {"kind": "ai", "level": "easy"}


def test_newcomers_see_the_lessons_first_and_one_button_to_play_an_easy_ai(person: NewPerson) -> None:
    page = person().page
    page.goto("/")
    choices = page.locator(".hero .choices")
    expect(choices.get_by_role("link", name="Learn by playing")).to_have_class(re.compile("main"))
    expect(choices.get_by_role("button")).to_have_text(
        ["Play an easy AI", "Invite a friend", "More options…"]
    )


def test_player_ends_a_match_against_two_ais_from_the_lobby(person: NewPerson) -> None:
    somebody = person()
    table = somebody.create_match(players=3, seats=[ME, AI, AI])
    page = somebody.page
    page.goto("/")
    page.get_by_role("button", name="End match against").click()
    page.get_by_role("dialog", name="End this match?").get_by_role("button", name="Keep it").click()
    page.get_by_role("button", name="End match against").click()
    page.get_by_role("dialog", name="End this match?").get_by_role("button", name="End match").click()
    expect(page.get_by_role("status").filter(has_text="The match has ended.")).to_have_count(1)
    expect(page.get_by_role("button", name="End match against")).to_have_count(0)
    ended = somebody.api("GET", f"/matches/{table['id']}")
    assert (ended["status"], ended["seats"][0]["state"]) == ("cancelled", "resigned")


def test_match_against_an_ai_is_not_shown_as_waiting_for_players(person: NewPerson) -> None:
    somebody = person()
    table = somebody.create_match(players=2, seats=[ME, AI], hold=True)
    page = somebody.page
    page.goto("/")
    row = page.locator(f'a[href="/matches/{table["id"]}"]')
    expect(row).to_contain_text("ready to start")
    row.click()
    expect(page.locator("h1")).to_have_text("Ready to start")
    expect(page.get_by_text("Share this link to invite players:")).to_have_count(0)
    page.get_by_role("button", name="Start match").click()
    expect(page.locator("h1")).to_have_text("Match against Easy AI")


def test_list_of_finished_matches_says_whose_they_are(person: NewPerson) -> None:
    somebody = person()
    table = somebody.create_match(players=2, seats=[ME, AI])
    somebody.api("POST", f"/matches/{table['id']}/resign")
    stranger = person().page
    stranger.goto("/")
    expect(stranger.get_by_role("heading", name="Matches of other players")).to_be_visible()
    expect(stranger.get_by_text("Public matches that other players have finished.")).to_be_visible()
    somebody.page.goto("/")
    expect(somebody.page.get_by_role("heading", name="Your finished matches")).to_be_visible()
    expect(somebody.page.get_by_role("heading", name="Matches of other players")).to_have_count(0)


def test_narrow_screens_have_a_menu_of_the_site(person: NewPerson) -> None:
    page = person(viewport={"width": 320, "height": 640}).page
    page.goto("/nothing-here")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    site = page.get_by_role("navigation", name="Site")
    expect(site).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(site.get_by_role("link", name="Rules")).to_be_visible()
    page.keyboard.press("Escape")
    expect(site).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") == 320
