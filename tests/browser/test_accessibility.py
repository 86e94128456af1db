"""Accessibility: the pages work with a keyboard and with a screen reader."""

import re
import time
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPerson
from tests.browser.players import MATCH_TIMEOUT_SECONDS, Person, close_sheet, select_cards, take_turn
from tests.browser.test_table import trick_won_by_a_bomb

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
SERIOUS = {"serious", "critical"}
ME, AI = {"kind": "me"}, {"kind": "ai", "level": "easy"}


PAGES = (
    "/",
    "/account",
    "/watch",
    "/players",
    "/puzzles",
    "/puzzles/daily",
    "/@me",
    "/replay",
    "/learn",
    "/learn/bets",
    "/learn/captures",
    "/learn/practice",
    "/rules",
    "/rules/classic",
    "/rules/trainer",
    "/confirm-email",
    "/undo-email-change",
    "/reset-password",
    "/offline",
    "/unsubscribe",
    "/nothing",
)
RECORD = Path(__file__).parents[1] / "records" / "classic-3.json"


def accessibility_violations(page: Page, part: str | None = None) -> list[str]:
    """Return the serious violations that axe finds on a page, or in a part of it (a CSS selector)."""
    violations = Axe().run(page, context=part, options=RULES).response["violations"]
    return [
        f"{violation['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for violation in violations
        if violation["impact"] in SERIOUS
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("colours", ("light", "dark"))
@pytest.mark.parametrize("width", (390, 1280))
def test_pages_have_no_serious_accessibility_violations(person: NewPerson, colours: str, width: int) -> None:
    somebody = person(color_scheme=colours, viewport={"width": width, "height": 800})
    page = somebody.page
    violations_by_page = {}
    table = somebody.create_match_with_own_lead(players=3, seats=[ME, AI, AI])
    waiting = somebody.create_match(players=2)
    name = somebody.api("GET", "/me")["username"]
    for address in (*PAGES, f"/@{name}"):
        page.goto(address)
        page.wait_for_timeout(700)
        violations_by_page[address] = accessibility_violations(page)
    somebody.open_table(waiting)
    violations_by_page["waiting"] = accessibility_violations(page)
    somebody.open_table(table)
    page.locator(".hand button.card").first.click()
    page.get_by_role("button", name=re.compile("^jack")).click()
    page.get_by_role("button", name=re.compile("^queen")).click()
    expect(page.get_by_role("radio").first).to_be_visible()
    violations_by_page["table"] = accessibility_violations(page)
    page.get_by_role("button", name="Settings").click()
    violations_by_page["settings"] = accessibility_violations(page)
    page.goto("/replay")
    page.get_by_label("Record file").set_input_files(RECORD)
    expect(page.get_by_role("slider", name="Step")).to_be_visible()
    violations_by_page["replay of a record"] = accessibility_violations(page)
    page.goto("/")
    page.get_by_role("button", name="More options…").click()
    expect(page.get_by_label("Rules")).to_contain_text("Classic")
    violations_by_page["a new match"] = accessibility_violations(page)
    assert {address: found for address, found in violations_by_page.items() if found} == {}


@pytest.mark.parametrize("colours", ("light", "dark"))
def test_what_players_open_has_no_serious_accessibility_violations(person: NewPerson, colours: str) -> None:
    """The page of another player, a report, the language switch, an account, a lesson and a puzzle."""
    anna = person()
    name = anna.api("GET", "/me")["username"]
    somebody = person(color_scheme=colours, viewport={"width": 390, "height": 800})
    somebody.create_match_with_own_lead(seats=[ME, AI])
    page = somebody.page
    page.goto(f"/@{name}")
    page.get_by_role("button", name=f"Report {name}").click()
    expect(page.get_by_role("dialog", name=f"Report {name}")).to_be_visible()
    violations_by_page = {"report": accessibility_violations(page)}
    page.get_by_role("button", name="Cancel").click()
    violations_by_page["player"] = accessibility_violations(page)
    page.get_by_role("button", name="Settings").click()
    expect(page.locator(".menu-list .languages a")).to_have_count(4)
    violations_by_page["settings"] = accessibility_violations(page)
    page.goto("/account")
    expect(page.get_by_role("heading", level=1, name="Account of")).to_be_visible()
    page.wait_for_timeout(700)
    violations_by_page["account"] = accessibility_violations(page)
    page.goto("/learn/singles")
    page.get_by_role("button", name="Continue", exact=True).click()
    page.locator(".hand button.card").first.click()
    expect(page.locator(".readings .why")).to_be_visible()
    violations_by_page["lesson"] = accessibility_violations(page)
    page.goto("/puzzles/daily")
    page.get_by_role("button", name="What can I play?").click()
    page.locator(".plays .chip").first.click()
    page.locator(".buttons .play:not([aria-disabled])").click()
    expect(page.locator(".coach .next")).to_be_visible()
    violations_by_page["puzzle"] = accessibility_violations(page)
    page.goto("/watch")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_timeout(500)
    violations_by_page["watch"] = accessibility_violations(page)
    assert {shown: found for shown, found in violations_by_page.items() if found} == {}


@pytest.mark.parametrize("colours", ("light", "dark"))
def test_sheets_and_results_have_no_serious_accessibility_violations(person: NewPerson, colours: str) -> None:
    """Piles, the end of a round, resigning, the choice of who captures, and the end of a match."""
    somebody = person(color_scheme=colours, viewport={"width": 390, "height": 800})
    page = trick_won_by_a_bomb(somebody)
    violations_by_page = {"award": accessibility_violations(page)}
    award = page.get_by_role("group", name="Who captures the trick?")
    award.get_by_role("button").first.click()
    expect(award).to_have_count(0)
    page.locator("button.pile").first.click()
    expect(page.get_by_role("dialog", name="Captured cards")).to_be_visible()
    violations_by_page["pile"] = accessibility_violations(page)
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="End match").click()
    expect(page.get_by_role("dialog", name="End this match?")).to_be_visible()
    violations_by_page["resign"] = accessibility_violations(page)
    page.get_by_role("button", name="Keep playing").click()
    page = somebody.open_table(somebody.create_match(rounds=1, seats=[ME, {"kind": "ai", "level": "random"}]))
    sheet, mine = page.locator("dialog.sheet[open]"), page.locator(".prompt.your-turn")
    expect(sheet.or_(mine).first).to_be_visible()
    while not sheet.count():
        take_turn(page)
        expect(sheet.or_(mine).first).to_be_visible()
    violations_by_page["end of a round"] = accessibility_violations(page)
    close_sheet(page)
    expect(page.locator(".result h1")).to_be_visible()
    violations_by_page["result"] = accessibility_violations(page)
    assert {shown: found for shown, found in violations_by_page.items() if found} == {}


@pytest.mark.parametrize("colours", ("light", "dark"))
def test_choices_at_the_table_have_no_serious_accessibility_violations(
    person: NewPerson, colours: str
) -> None:
    """Tips, bets, legal plays, readings, help with an explained word, and a lost connection."""
    somebody = person(color_scheme=colours, viewport={"width": 390, "height": 800})
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    expect(page.get_by_role("note", name="Tip")).to_be_visible()
    violations_by_page = {"tip": accessibility_violations(page)}
    page.get_by_role("group", name="Bet before your first card").get_by_role("button", name="15").click()
    violations_by_page["bet"] = accessibility_violations(page)
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="What can I play?").click()
    expect(page.locator(".plays .chip").first).to_be_visible()
    violations_by_page["plays"] = accessibility_violations(page)
    page.get_by_role("button", name="Close").click()
    page.locator(".hand button.card").first.click()
    select_cards(page, "jack", "queen", "king")
    expect(page.get_by_role("radio").first).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("dialog", name="What do you want to play?")).to_be_visible()
    violations_by_page["readings"] = accessibility_violations(page)
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_role("dialog", name="What do you want to play?")).to_have_count(0)
    page.keyboard.press("?")
    page.locator("dialog haggis-term[word=bomb]").click()
    violations_by_page["help"] = accessibility_violations(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    somebody.context.set_offline(True)
    expect(page.locator(".prompt.away")).to_be_visible()
    violations_by_page["offline"] = accessibility_violations(page)
    assert {shown: found for shown, found in violations_by_page.items() if found} == {}


def test_round_is_played_by_keyboard(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match(rounds=1, seats=[ME, AI]))
    tab_to_the_hand(page)
    give_up = time.monotonic() + MATCH_TIMEOUT_SECONDS
    while not page.locator(".result").count():
        assert time.monotonic() < give_up
        press_a_turn(somebody)
    expect(page.locator(".result h1")).to_be_visible()


def tab_to_the_hand(page: Page) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.code"):
            return
    raise AssertionError("The hand cannot be reached by Tab.")


def press_a_turn(somebody: Person) -> None:
    """Show legal plays and choose the first, or pass; Escape closes the sheet above the table."""
    page = somebody.page
    if page.locator("dialog[open]").count():
        page.keyboard.press("Enter")
        return
    if not page.locator(".prompt.your-turn").count():
        page.wait_for_timeout(50)
        return
    version = page.locator(".felt").get_attribute("data-version") or ""
    if not page.evaluate("document.activeElement.dataset.code"):
        tab_to_the_hand(page)
    page.keyboard.press("s")
    nothing = page.locator(".readings", has_text="You cannot beat this play.")
    expect(page.locator(".plays .chip").first.or_(nothing)).to_be_visible()
    if nothing.count():
        page.keyboard.press("p")
    else:
        expect(page.locator(".plays .chip").first).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("radio").first).to_be_visible()
        choose_by_keyboard(page)
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator(".felt")).not_to_have_attribute("data-version", version)


def choose_by_keyboard(page: Page) -> None:
    """Choose the first playable reading of ambiguous cards."""
    if page.locator(".reading.chosen").count():
        return
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.matches('.reading:not(.no)')"):
            break
    page.keyboard.press("Space")
    expect(page.locator(".reading.chosen")).to_have_count(1)
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.play')"):
            return


def test_events_are_announced_to_screen_readers(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    page.locator(".hand button.card").first.click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("[aria-live=polite]")).to_have_text(re.compile(r"plays|passes|You play"))


def test_cards_have_accessible_names_with_rank_colour_and_shape(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match(seats=[ME, AI]))
    names = page.locator(".hand button.card").evaluate_all("cards => cards.map(card => card.ariaLabel)")
    shape = "(red heart|orange star|yellow bell|green clover)s"
    assert all(re.fullmatch(rf"\w+ of {shape}|(jack|queen|king), wild", name) for name in names)
