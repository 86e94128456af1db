"""The puzzle of the day, solved in a browser from the front page."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.puzzles.services import shipped_puzzles
from tests.browser.conftest import NewPerson

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]


def choose(page: Page, action: dict[str, Any]) -> None:
    """Play the cards of an action, as the combination that it names, or pass."""
    if action["type"] == "pass":
        page.locator(".buttons .pass").click()
        return
    for card in action["cards"]:
        page.locator(f".hand [data-code='{card}']").click()
    page.locator(".buttons .play:not([aria-disabled])").click()


def open_daily(page: Page, site: str) -> dict[str, Any]:
    """Open the puzzle of the day from the front page; return it with its solution."""
    daily = page.request.get(f"{site}/api/v1/puzzles/daily").json()["id"]
    page.goto("/")
    page.get_by_role("link", name="Puzzle of the day").click()
    expect(page.locator(".hand button.card").first).to_be_visible()
    return next(dict(puzzle) for puzzle in shipped_puzzles() if puzzle["id"] == daily)


def test_the_puzzle_of_the_day_is_solved_from_the_front_page(person: NewPerson, site: str) -> None:
    page = person().page
    puzzle = open_daily(page, site)
    choose(page, puzzle["choices"][-1]["action"])
    expect(page.locator(".coach .other")).to_contain_text("on average")
    page.get_by_role("button", name="Again", exact=True).click()
    choose(page, puzzle["choices"][0]["action"])
    expect(page.locator(".coach .right")).to_have_text("That is the best choice.")
    expect(page.locator(".coach-place")).to_contain_text("Days in a row: 1")
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.locator(".hand button.card").first).to_be_visible()
    page.goto("/")
    expect(page.locator(".puzzle-offer")).to_contain_text("Solved")


def test_a_puzzle_names_its_rules_and_has_no_tips_for_first_matches(person: NewPerson, site: str) -> None:
    page = person(viewport={"width": 390, "height": 664}).page
    puzzle = open_daily(page, site)
    place = page.locator(".coach-place")
    expect(place.get_by_role("link", name="Rules:")).to_have_attribute("href", f"/rules/{puzzle['ruleset']}")
    expect(place).to_contain_text(f"{puzzle['players']} players")
    expect(page.locator(".tip-place")).to_have_count(0)
    assert page.evaluate("localStorage.getItem('haggis.tips')") is None
    prompt, trick = page.locator(".prompt").bounding_box(), page.locator(".trick").bounding_box()
    assert prompt is not None
    assert trick is not None
    assert trick["y"] + trick["height"] <= prompt["y"]
