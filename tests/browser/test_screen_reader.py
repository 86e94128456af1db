"""What a screen reader announces at the table, and where the focus goes."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPerson
from tests.browser.players import Person, select_cards
from tests.browser.test_table import lowest, table_of_two_people, trick_won_by_a_bomb

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

ME, AI = {"kind": "me"}, {"kind": "ai", "level": "easy"}

# Collects everything that the live region says, as a screen reader does.
LISTEN = """() => {
    window.said = [];
    const table = document.querySelector("haggis-table");
    new MutationObserver(() => {
        const text = table.querySelector("[aria-live]")?.textContent;
        if (text && text !== window.said.at(-1)) window.said.push(text);
    }).observe(table, { subtree: true, childList: true, characterData: true });
}"""
# Controls whose label does not contain the text that they show (WCAG 2.5.3). Cards are drawings.
MISLABELLED = """() => [...document.querySelectorAll("button[aria-label], a[aria-label]")]
    .filter((control) => control.checkVisibility() && !control.querySelector("svg"))
    .filter((control) => control.innerText.match(/[a-z0-9]/i))
    .filter((control) => !control.ariaLabel.toLowerCase().includes(control.innerText.trim().toLowerCase()))
    .map((control) => control.outerHTML)"""


def listen(page: Page) -> None:
    page.evaluate(LISTEN)


def expect_announced(page: Page, pattern: str) -> None:
    page.wait_for_function("pattern => window.said.some(text => text.match(pattern))", arg=pattern)


def own_lead(person: NewPerson, **options: object) -> Page:
    somebody: Person = person()
    return somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI], **options))


def test_your_turn_and_the_play_before_it_are_announced_together(person: NewPerson) -> None:
    leader_page, waiting_page = table_of_two_people(person)
    listen(waiting_page)
    lowest(leader_page)
    leader_page.get_by_role("button", name="Play", exact=True).click()
    expect_announced(waiting_page, r"plays a single \w+\.")
    expect_announced(waiting_page, r"Your turn: beat the single \w+, or pass\.")


def test_readings_of_the_selected_cards_are_announced(person: NewPerson) -> None:
    page = own_lead(person)
    listen(page)
    lowest(page)
    expect_announced(page, r"You can play: single \w+\.")
    select_cards(page, "jack", "queen")
    expect_announced(page, r"You can play: three \w+; run of three")


def test_refusal_of_the_selected_cards_is_announced(person: NewPerson) -> None:
    page = own_lead(person)
    listen(page)
    page.locator(".hand button.card").first.click()
    page.locator(".hand button.card:not([data-card*=':'])").last.click()
    expect_announced(page, r"These cards do not form a combination\.|You can play: pair")


def test_play_out_of_turn_is_announced(person: NewPerson) -> None:
    _, waiting_page = table_of_two_people(person)
    listen(waiting_page)
    lowest(waiting_page)
    expect(waiting_page.get_by_role("radio").first).to_be_visible()
    waiting_page.keyboard.press("Enter")
    expect_announced(waiting_page, r"It is not your turn yet\.")


def test_skip_link_moves_the_focus_to_the_hand(person: NewPerson) -> None:
    page = own_lead(person)
    skip = page.get_by_role("link", name="Skip to your hand")
    skip.focus()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator(".hand button.card").first).to_be_focused()


def test_every_state_of_the_table_has_one_first_level_heading(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match(players=2))
    expect(page.locator("h1")).to_have_text("Waiting for players")
    page = somebody.open_table(somebody.create_match(seats=[ME, AI]))
    expect(page.locator("h1")).to_have_text("Match against Easy AI")
    page.get_by_role("button", name="End match").click()
    page.get_by_role("dialog").get_by_role("button", name="End match").click()
    expect(page.locator("h1")).to_have_text("Easy AI won")
    page.goto("/matches/m_nothing")
    expect(page.locator("h1")).to_have_text("Match not found")


def test_labels_contain_the_visible_text(person: NewPerson) -> None:
    page = own_lead(person, hints=True)
    assert page.evaluate(MISLABELLED) == []


def test_focus_stays_at_the_hand_after_actions(person: NewPerson) -> None:
    page = own_lead(person)
    in_hand = page.locator(".hand button.card:focus")
    page.get_by_role("group", name="Bet before your first card").get_by_role("button", name="15").click()
    page.get_by_role("dialog").get_by_role("button", name="Bet 15").click()
    expect(in_hand).to_have_count(1)
    lowest(page)
    page.get_by_role("button", name="Clear").click()
    expect(in_hand).to_have_count(1)
    lowest(page)
    expect(page.get_by_role("radio")).to_be_checked()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".hand button.card")).to_have_count(16)
    expect(in_hand).to_have_count(1)


def test_focus_returns_from_dialogs_to_what_opened_them(person: NewPerson) -> None:
    page = own_lead(person)
    opener = page.get_by_role("button", name="What can I play?")
    opener.click()
    expect(page.locator(".plays .chip").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(opener).to_be_focused()


def test_focus_goes_to_the_hand_after_an_award(person: NewPerson) -> None:
    page = trick_won_by_a_bomb(person())
    page.get_by_role("group", name="Who captures the trick?").get_by_role("button").first.click()
    expect(page.locator(".hand button.card:focus")).to_have_count(1)


def test_help_lists_shortcuts_and_opens_by_key_and_by_button(person: NewPerson) -> None:
    page = own_lead(person)
    dialog = page.get_by_role("dialog", name="Help")
    page.keyboard.press("?")
    expect(dialog.locator("dt")).to_have_text(["← →", "Space", "Enter", "Esc", "P", "S", "H", "?"])
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Help and shortcuts (?)").click()
    expect(dialog).to_contain_text("Words of the game")


def test_shortcuts_act_at_the_hand(person: NewPerson) -> None:
    page = own_lead(person, hints=True)
    page.locator(".hand button.card").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".hand button.card").nth(1)).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator(".card.picked")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".card.picked")).to_have_count(0)
    page.keyboard.press("s")
    expect(page.get_by_role("dialog", name="What you can play")).to_be_visible()
