"""How the table explains itself: connection, choices, confirmation, rematches, tips and the glossary."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPerson
from tests.browser.players import Person, select_cards
from tests.browser.test_table import lowest, table_of_two_people, trick_won_by_a_bomb
from tests.support.processes import Web

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

ME, AI = {"kind": "me"}, {"kind": "ai", "level": "easy"}
PHONE = {"width": 390, "height": 844}
LANDSCAPE = {"width": 844, "height": 390}


def play_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Play", exact=True)


def start_with_settings(somebody: Person, **settings: object) -> None:
    """Store settings in the browser before a page is opened."""
    stored = json.dumps(settings)
    somebody.context.add_init_script(f"localStorage.setItem('haggis.settings', '{stored}')")


# --- Connection


def test_offline_is_shown_at_the_hand_and_picks_are_checked_afterwards(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    expect(page.locator(".felt[data-feed=live]")).to_be_visible()
    somebody.context.set_offline(True)
    expect(page.locator(".mine .prompt.away")).to_have_text("You are offline. Reconnecting…", timeout=2_000)
    lowest(page)
    unchecked = page.get_by_text("These cards are checked when you are connected again.")
    expect(unchecked).to_be_visible()
    somebody.context.set_offline(False)
    expect(page.get_by_role("radio")).to_be_checked()
    expect(unchecked).to_have_count(0)
    expect(page.locator(".prompt.away")).to_have_count(0)
    expect(page.locator(".prompt.your-turn")).to_be_visible()


def test_unreachable_service_is_shown_at_the_hand_and_picks_are_checked_afterwards(
    person: NewPerson, own_server: Web
) -> None:
    somebody = person(f"http://127.0.0.1:{own_server.port}")
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    expect(page.locator(".felt[data-feed=live]")).to_be_visible()
    own_server.kill()
    away = page.locator(".mine .prompt.away")
    expect(away).to_have_text("The service cannot be reached. Reconnecting…")
    lowest(page)
    expect(page.get_by_text("These cards are checked when you are connected again.")).to_be_visible()
    own_server.start()
    expect(away).to_have_count(0, timeout=40_000)
    expect(page.get_by_role("radio")).to_be_checked()
    play_button(page).click()
    expect(page.locator(".log li", has_text="You play a single")).to_have_count(1)


def test_watchers_see_that_the_connection_is_lost(person: NewPerson) -> None:
    players, watcher = person(), person()
    table = players.create_match_with_own_lead(seats=[ME, AI])
    watcher.page.goto(f"/matches/{table['id']}")
    expect(watcher.page.get_by_text("You are watching this match.")).to_be_visible()
    watcher.context.set_offline(True)
    expect(watcher.page.get_by_text("You are offline. Reconnecting…")).to_be_visible()


# --- Choices


@pytest.mark.parametrize("viewport", (PHONE, LANDSCAPE))
def test_play_offers_all_readings_of_ambiguous_cards(person: NewPerson, viewport: dict[str, int]) -> None:
    somebody = person(viewport=viewport)
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    lowest(page)
    select_cards(page, "jack", "queen", "king")
    readings = page.get_by_role("radio")
    expect(readings.nth(1)).to_be_visible()
    count = readings.count()
    play_button(page).click()
    dialog = page.get_by_role("dialog", name="What do you want to play?")
    choices = dialog.locator(".choice-list button")
    expect(choices).to_have_count(count)
    for choice in choices.all():
        expect(choice).to_be_in_viewport(ratio=1)
    expect(choices.first).to_be_focused()

    run = choices.filter(has_text=re.compile("^run")).first
    wanted = run.locator("b").inner_text()
    run.click()
    expect(dialog).to_have_count(0)
    expect(page.locator(".log li", has_text=f"You play a {wanted}")).to_have_count(1)


def test_legal_plays_are_grouped_by_kind_and_size(person: NewPerson) -> None:
    somebody = person(viewport=PHONE)
    table = somebody.create_match_with_own_lead(seats=[ME, AI])
    legal = somebody.api("GET", f"/matches/{table['id']}/legal-moves")["combinations"]
    page = somebody.open_table(table)
    page.get_by_role("button", name="What can I play?").click()
    dialog = page.get_by_role("dialog", name="What you can play")
    expect(dialog.get_by_role("button", name="Close")).to_be_in_viewport()
    expect(dialog.locator(".chip")).to_have_count(len(legal))
    headings = [re.sub(r" \d+$", "", text) for text in dialog.locator("h3").all_inner_texts()]
    assert headings[:2] == ["Single cards", "Pairs"]
    assert headings[-1] == "Bombs"
    assert len(headings) == len({(each["kind"], each["width"], each["length"]) for each in shapes(legal)})
    assert dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    last = dialog.locator(".chip").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)

    dialog.get_by_role("group", name=re.compile("^Pairs")).get_by_role("button").first.click()
    expect(dialog).to_have_count(0)
    expect(page.locator(".card.picked")).to_have_count(2)
    expect(play_button(page)).to_be_focused()


def shapes(legal: list[dict[str, dict[str, int]]]) -> list[dict[str, int]]:
    return [each["combination"] for each in legal]


def test_bet_is_explained_before_it_is_confirmed(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match_with_own_lead(players=3, seats=[ME, AI, AI]))
    bets = page.get_by_role("group", name="Bet before your first card")
    bets.get_by_role("button", name="15").click()
    dialog = page.get_by_role("dialog", name="Bet 15 points?")
    expect(dialog).to_contain_text("You win 15 points if you are the first to get rid of all cards.")
    expect(dialog).to_contain_text("each other player without a bet")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.locator(".mine .mark.bet")).to_have_count(0)
    bets.get_by_role("button", name="none").click()
    page.get_by_role("dialog").get_by_role("button", name="No bet").click()
    expect(page.locator(".mine .mark.bet")).to_have_text("no bet")


def test_plays_and_passes_are_confirmed_if_the_player_wants_that(person: NewPerson) -> None:
    somebody = person()
    start_with_settings(somebody, confirmPlay=True)
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    lowest(page)
    expect(page.get_by_role("radio")).to_be_checked()
    play_button(page).click()
    dialog = page.get_by_role("dialog", name=re.compile(r"^Play a single \w+\?$"))
    dialog.get_by_role("button", name="Back").click()
    expect(page.locator(".card.picked")).to_have_count(1)
    expect(page.locator(".hand button.card")).to_have_count(17)
    play_button(page).click()
    dialog.get_by_role("button", name="Play").click()
    expect(page.locator(".hand button.card")).to_have_count(16)


def test_play_is_not_shown_while_an_award_is_due(person: NewPerson) -> None:
    page = trick_won_by_a_bomb(person())
    expect(page.locator(".prompt.your-turn")).to_contain_text("Your bomb won the trick")
    expect(play_button(page)).to_be_hidden()
    expect(page.get_by_role("button", name="Pass", exact=True)).to_be_hidden()
    page.get_by_role("group", name="Who captures the trick?").get_by_role("button").first.click()
    expect(play_button(page)).to_be_visible()


# --- The end of a match


def test_rematch_appears_on_an_open_result_page(person: NewPerson) -> None:
    leader_page, waiting_page = table_of_two_people(person)
    leader_page.get_by_role("button", name="Resign").click()
    leader_page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(waiting_page.get_by_role("button", name="Play again")).to_be_visible()
    expect(leader_page.get_by_role("button", name="Play again")).to_be_visible()
    leader_page.get_by_role("button", name="Play again").click()
    expect(leader_page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    expect(waiting_page.get_by_text("A rematch has been started. You can join it.")).to_be_visible()
    waiting_page.get_by_role("button", name="Join the rematch").click()
    for page in (leader_page, waiting_page):
        expect(page.locator(".hand button.card")).to_have_count(17)


def test_resigning_with_three_players_says_what_follows(person: NewPerson) -> None:
    maker, guest = person(), person()
    table = maker.create_match(players=3, visibility="unlisted", seats=[ME, AI, {"kind": "open"}])
    page = maker.open_table(table)
    guest.page.goto(page.url)
    guest.page.get_by_role("button", name="Join").click()
    expect(page.locator(".hand button.card")).to_have_count(17)
    page.get_by_role("button", name="Resign").click()
    dialog = page.get_by_role("dialog", name="Resign?")
    expect(dialog).to_contain_text("An AI plays your cards until the match ends, and you are placed last.")
    dialog.get_by_role("button", name="Resign").click()
    expect(page.get_by_text("You have resigned.")).to_be_visible()
    expect(
        page.get_by_text("An AI plays your cards until the match ends, and you are placed last.")
    ).to_be_visible()
    expect(page.get_by_role("link", name="Back to the lobby")).to_be_visible()


# --- Attention


def test_title_and_icon_say_that_it_is_your_turn(person: NewPerson) -> None:
    leader_page, waiting_page = table_of_two_people(person)
    icon = "link[rel=icon]"
    expect(leader_page).to_have_title(re.compile("^Your turn · "))
    assert "icon-turn" in (leader_page.locator(icon).get_attribute("href") or "")
    expect(waiting_page).not_to_have_title(re.compile("Your turn"))
    assert "icon-turn" not in (waiting_page.locator(icon).get_attribute("href") or "")
    lowest(leader_page)
    play_button(leader_page).click()
    expect(waiting_page).to_have_title(re.compile("^Your turn · "))
    expect(leader_page).not_to_have_title(re.compile("Your turn"))


def test_lobby_shows_in_its_title_that_it_is_your_turn(person: NewPerson) -> None:
    leader_page, waiting_page = table_of_two_people(person)
    lobby = waiting_page.context.new_page()
    lobby.goto("/")
    expect(lobby).not_to_have_title(re.compile("Your turn"))
    lowest(leader_page)
    play_button(leader_page).click()
    expect(lobby).to_have_title(re.compile("^Your turn · "))


# --- Tips and the glossary


def test_tips_are_dismissed_one_by_one_and_stay_dismissed(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    tip = page.get_by_role("note", name="Tip")
    expect(tip).to_contain_text("You lead")
    tip.get_by_role("button", name="Got it").click()
    expect(tip).to_contain_text("choose an amount to read what you win or lose")
    page.reload()
    expect(tip).to_contain_text("choose an amount to read what you win or lose")
    tip.get_by_role("button", name="No more tips").click()
    expect(tip).to_have_count(0)
    page.reload()
    expect(page.locator(".hand button.card")).to_have_count(17)
    expect(tip).to_have_count(0)


def test_a_short_screen_shows_a_line_of_a_tip_that_opens(person: NewPerson) -> None:
    somebody = person(viewport={"width": 390, "height": 664})
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    tip = page.get_by_role("note", name="Tip")
    tip.get_by_role("button", name="Read the tip").click()
    dialog = page.get_by_role("dialog", name="Tip")
    expect(dialog).to_contain_text("“What can I play?” lists them all.")
    dialog.get_by_role("button", name="Got it").click()
    expect(dialog).to_have_count(0)
    expect(tip).to_contain_text("choose an amount to read what you win or lose")


def test_tips_end_after_the_first_matches(person: NewPerson) -> None:
    somebody = person()
    played = json.dumps({"matches": ["m_1", "m_2", "m_3"]})
    somebody.context.add_init_script(f"localStorage.setItem('haggis.tips', '{played}')")
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    expect(page.locator(".prompt.your-turn")).to_be_visible()
    expect(page.get_by_role("note", name="Tip")).to_have_count(0)


def test_word_of_the_game_is_explained_on_hover_tap_and_by_keyboard(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    word = page.locator(".tip haggis-term[word=combination]")
    explained = word.get_by_text("Cards that can be played together")
    expect(explained).to_have_count(0)
    word.hover()
    expect(explained).to_be_visible()
    page.mouse.move(0, 0)
    expect(explained).to_have_count(0)
    word.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(explained).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(explained).to_have_count(0)
    expect(word.get_by_role("button")).to_have_accessible_description(re.compile("^Cards that can be played"))
