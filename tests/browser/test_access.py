"""Who cannot use a mouse, or cannot see the page, can play all the same."""

import re
import time
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPerson
from tests.browser.players import SECONDS_FOR_A_MATCH, Person, close_sheet, take_turn
from tests.browser.test_table import led_with_a_bomb_that_nobody_beats

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
SERIOUS = {"serious", "critical"}
ME, AI = {"kind": "me"}, {"kind": "ai", "level": "easy"}


PAGES = (
    "/",
    "/account",
    "/replay",
    "/rules",
    "/rules/classic",
    "/rules/trainer",
    "/confirm-email",
    "/reset-password",
    "/offline",
    "/unsubscribe",
    "/nothing",
)
RECORD = Path(__file__).parents[1] / "records" / "classic-3.json"


def serious_faults(page: Page) -> list[str]:
    """What axe finds that keeps somebody out."""
    violations = Axe().run(page, options=RULES).response["violations"]
    return [
        f"{fault['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for fault in violations
        if fault["impact"] in SERIOUS
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("colours", ("light", "dark"))
@pytest.mark.parametrize("width", (390, 1280))
def test_no_page_has_a_serious_fault(person: NewPerson, colours: str, width: int) -> None:
    somebody = person(color_scheme=colours, viewport={"width": width, "height": 800})
    page = somebody.page
    faults = {}
    table = somebody.make_led_by_me(players=3, seats=[ME, AI, AI])
    waiting = somebody.make(players=2)
    for address in PAGES:
        page.goto(address)
        page.wait_for_timeout(700)
        faults[address] = serious_faults(page)
    somebody.sit_at(waiting)
    faults["waiting"] = serious_faults(page)
    somebody.sit_at(table)
    page.locator(".hand button.card").first.click()
    page.get_by_role("button", name=re.compile("^jack")).click()
    page.get_by_role("button", name=re.compile("^queen")).click()
    expect(page.get_by_role("radio").first).to_be_visible()
    faults["table"] = serious_faults(page)
    page.get_by_role("button", name="Settings").click()
    faults["settings"] = serious_faults(page)
    page.goto("/replay")
    page.get_by_label("Record file").set_input_files(RECORD)
    expect(page.get_by_role("slider", name="Step")).to_be_visible()
    faults["replay of a record"] = serious_faults(page)
    page.goto("/")
    page.get_by_role("button", name="More options…").click()
    expect(page.get_by_label("Rules")).to_contain_text("Classic")
    faults["a new match"] = serious_faults(page)
    assert {address: found for address, found in faults.items() if found} == {}


@pytest.mark.parametrize("colours", ("light", "dark"))
def test_nothing_that_opens_over_a_table_and_no_result_has_a_serious_fault(
    person: NewPerson, colours: str
) -> None:
    """Piles, the end of a round, leaving for good, the choice of who captures, and the end of a match."""
    somebody = person(color_scheme=colours, viewport={"width": 390, "height": 800})
    page = led_with_a_bomb_that_nobody_beats(somebody)
    faults = {"award": serious_faults(page)}
    award = page.get_by_role("group", name="Who captures the trick?")
    award.get_by_role("button").first.click()
    expect(award).to_have_count(0)
    page.locator("button.pile").first.click()
    expect(page.get_by_role("dialog", name="Captured cards")).to_be_visible()
    faults["pile"] = serious_faults(page)
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("dialog", name="Resign?")).to_be_visible()
    faults["resign"] = serious_faults(page)
    page.get_by_role("button", name="Keep playing").click()
    page = somebody.sit_at(somebody.make(rounds=1, seats=[ME, {"kind": "ai", "level": "random"}]))
    sheet, mine = page.locator("dialog.sheet[open]"), page.locator(".prompt.your-turn")
    expect(sheet.or_(mine).first).to_be_visible()
    while not sheet.count():
        take_turn(page)
        expect(sheet.or_(mine).first).to_be_visible()
    faults["end of a round"] = serious_faults(page)
    close_sheet(page)
    expect(page.locator(".result h1")).to_be_visible()
    faults["result"] = serious_faults(page)
    assert {shown: found for shown, found in faults.items() if found} == {}


def test_a_round_is_played_by_keyboard_alone(person: NewPerson) -> None:
    somebody = person()
    page = somebody.sit_at(somebody.make(rounds=1, seats=[ME, AI]))
    tab_to_the_hand(page)
    give_up = time.monotonic() + SECONDS_FOR_A_MATCH
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
    """Show what can be played, take the first of it, or pass; Escape closes what is shown above the table."""
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
    nothing = page.get_by_text("You cannot beat this play.")
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
    """Where several shapes would do: back to the readings, choose the first that may be played, and on."""
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


def test_what_happens_is_said_to_a_screen_reader(person: NewPerson) -> None:
    somebody = person()
    page = somebody.sit_at(somebody.make_led_by_me(seats=[ME, AI]))
    page.locator(".hand button.card").first.click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("[aria-live=polite]")).to_have_text(re.compile(r"plays|passes|You play"))


def test_every_card_is_named_by_rank_colour_and_shape(person: NewPerson) -> None:
    somebody = person()
    page = somebody.sit_at(somebody.make(seats=[ME, AI]))
    names = page.locator(".hand button.card").evaluate_all("cards => cards.map(card => card.ariaLabel)")
    shape = "(red heart|orange star|yellow bell|green clover)s"
    assert all(re.fullmatch(rf"\w+ of {shape}|(jack|queen|king), wild", name) for name in names)
