"""The table: readings, bombs, awards, bets, several tabs and server failures."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPerson
from tests.browser.players import Person, select_cards, take_turn
from tests.support.processes import Web

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

ME, AI = {"kind": "me"}, {"kind": "ai", "level": "easy"}


def lowest(page: Page) -> None:
    page.locator(".hand button.card").first.click()


def test_ambiguous_cards_are_played_as_the_chosen_reading(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    lowest(page)
    select_cards(page, "jack", "queen")
    readings = page.get_by_role("radio")
    expect(readings.nth(1)).to_be_visible()
    run = page.get_by_role("radio", name=re.compile("^run")).first
    wanted = run.locator("b").inner_text()
    run.click()
    expect(run).to_be_checked()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".trick .top figcaption, .trick .earlier figcaption").first).to_be_visible()
    expect(page.locator(".log li", has_text=f"You play a {wanted}")).to_have_count(1)


def test_illegal_cards_show_the_reason_and_cannot_be_played(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    lowest(page)
    select_cards(page, "king")
    pair = page.get_by_role("radio", name=re.compile("pair"))
    expect(pair).to_be_checked()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".card.picked")).to_have_count(0)
    expect(page.locator(".prompt.your-turn")).to_be_visible()
    if page.locator(".trick:not(.over) .top").count():
        lowest(page)
        only = page.get_by_role("radio").first
        expect(only).to_have_attribute("aria-disabled", "true")
        expect(only).to_contain_text(re.compile("not the same size|only a bomb"))
        expect(page.get_by_role("button", name="Play", exact=True)).to_have_attribute("aria-disabled", "true")


def test_cards_without_a_combination_show_a_message(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    cards = page.locator(".hand button.card:not([data-card*=':'])")
    cards.first.click()
    cards.last.click()
    expect(page.locator(".readings.no, .reading").first).to_be_visible()
    if cards.first.get_attribute("data-code")[0] != cards.last.get_attribute("data-code")[0]:  # type: ignore[index]
        expect(page.get_by_text("These cards do not form a combination.")).to_be_visible()


def trick_won_by_a_bomb(somebody: Person) -> Page:
    """Create a table where J-Q-K has won the trick; retry if a higher bomb beats it."""
    while True:
        page = somebody.open_table(somebody.create_match_with_own_lead(players=3, seats=[ME, AI, AI]))
        select_cards(page, "jack", "queen", "king")
        expect(page.get_by_role("radio", name="bomb")).to_be_checked()
        page.get_by_role("button", name="Play", exact=True).click()
        won = page.get_by_role("group", name="Who captures the trick?")
        beaten = page.locator(".log li", has_text=re.compile("^Easy AI . plays a bomb"))
        expect(won.or_(beaten).first).to_be_visible(timeout=15_000)
        if won.count():
            return page


def test_bomb_wins_the_trick_and_its_player_chooses_who_captures_it(person: NewPerson) -> None:
    page = trick_won_by_a_bomb(person())
    award = page.get_by_role("group", name="Who captures the trick?")
    expect(award.get_by_role("button")).to_have_count(2)
    award.get_by_role("button", name="Easy AI 2").click()
    expect(page.locator(".log li", has_text="You give the trick to Easy AI 2.")).to_have_count(1)
    expect(page.get_by_label("Easy AI 2").get_by_text("captured 3 cards, 10 pts")).to_be_visible()


def test_bet_is_made_once_and_shown_to_everybody(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    page.get_by_role("group", name="Bet before your first card").get_by_role("button", name="30").click()
    page.get_by_role("dialog", name="Bet 30 points?").get_by_role("button", name="Bet 30").click()
    expect(page.locator(".mine .mark.bet")).to_have_text("bet 30")
    expect(page.get_by_role("group", name="Bet before your first card")).to_have_count(0)


def table_of_two_people(person: NewPerson) -> tuple[Page, Page]:
    """Start a match of two people; return the page of the leader and that of the other player."""
    maker, guest = person(), person()
    table = maker.create_match(players=2, visibility="unlisted")
    maker_page, guest_page = maker.open_table(table), guest.page
    guest_page.goto(maker_page.url)
    guest_page.get_by_role("button", name="Join").click()
    expect(maker_page.locator(".hand button.card")).to_have_count(17)
    leads = maker_page.locator(".prompt.your-turn").is_visible()
    return (maker_page, guest_page) if leads else (guest_page, maker_page)


def test_standing_order_passes_and_can_be_withdrawn(person: NewPerson) -> None:
    leader_page, waiting_page = table_of_two_people(person)
    lowest(leader_page)
    leader_page.get_by_role("button", name="Play", exact=True).click()
    expect(waiting_page.locator(".prompt.your-turn")).to_be_visible()
    lowest(waiting_page)
    waiting_page.locator(".hand button.card").last.click()
    waiting_page.locator(".hand button.card").first.click()
    expect(waiting_page.get_by_role("radio")).to_be_checked()
    waiting_page.get_by_role("button", name="Play", exact=True).click()
    order = waiting_page.get_by_role("switch", name="Pass for the rest of this trick")
    order.click()
    expect(order).to_be_checked()
    order.click()
    expect(order).not_to_be_checked()


def test_two_tabs_of_a_player_stay_in_sync(person: NewPerson) -> None:
    somebody = person()
    one = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    other = somebody.new_page()
    other.goto(one.url)
    expect(other.locator(".hand button.card")).to_have_count(17)
    lowest(one)
    one.get_by_role("button", name="Play", exact=True).click()
    expect(other.locator(".hand button.card")).to_have_count(16)


def test_table_continues_after_a_server_kill(person: NewPerson, own_server: Web) -> None:
    somebody = person(f"http://127.0.0.1:{own_server.port}")
    table = somebody.create_match_with_own_lead(seats=[ME, AI])
    page = somebody.open_table(table)
    take_turn(page)
    own_server.kill()
    expect(page.get_by_text("Reconnecting…")).to_be_visible(timeout=20_000)
    own_server.start()
    expect(page.get_by_text("Reconnecting…")).to_have_count(0, timeout=40_000)
    # The AI may have been killed while thinking: its turn is taken again after its lease of 30 s.
    expect(page.locator(".prompt.your-turn")).to_be_visible(timeout=60_000)
    take_turn(page)
    expect(page.locator(".prompt.your-turn")).to_be_visible(timeout=20_000)

    shown = page.locator(".log li").count()
    log = somebody.api("GET", f"/matches/{table['id']}/moves?limit=100")["results"]
    assert [entry["version"] for entry in log] == list(range(1, len(log) + 1))
    assert shown == len(log)


def test_table_recovers_from_failed_requests(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    page.route(re.compile(r"/api/v1/matches/[^/?]+$"), lambda route: route.abort())
    take_turn(page)
    expect(page.get_by_text("The service cannot be reached right now.")).to_be_visible(timeout=20_000)
    page.unroute(re.compile(r"/api/v1/matches/[^/?]+$"))
    expect(page.locator(".prompt.your-turn")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("The service cannot be reached right now.")).to_have_count(0)


def test_match_is_paused_and_resumed_by_consent(person: NewPerson) -> None:
    maker, guest = person(), person()
    table = maker.create_match(players=2, visibility="unlisted", turn_seconds=86400)
    maker_page, guest_page = maker.open_table(table), guest.page
    guest_page.goto(maker_page.url)
    guest_page.get_by_role("button", name="Join").click()
    expect(maker_page.locator(".hand button.card")).to_have_count(17)
    maker_page.get_by_role("button", name="Ask for a pause").click()
    expect(maker_page.get_by_text("You asked for a pause.")).to_be_visible()
    guest_page.get_by_role("button", name="Agree").click()
    for page in (maker_page, guest_page):
        expect(page.get_by_text("The match is paused. It resumes")).to_be_visible()
    guest_page.get_by_role("button", name="Resume match").click()
    maker_page.get_by_role("button", name="Resume match").click()
    for page in (maker_page, guest_page):
        expect(page.get_by_text("The match is paused. It resumes")).to_have_count(0)


def test_hint_selects_legal_cards(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI], hints=True))
    page.get_by_role("button", name="Hint").click()
    message = page.get_by_text(re.compile("A strong player would (bet|declare)"))
    expect(page.get_by_role("radio").first.or_(message)).to_be_visible(timeout=20_000)
    if message.count():
        return
    assert page.locator(".card.picked").count() > 0
    expect(page.locator(".reading:not(.no)").first).to_be_visible()


def test_player_to_act_sees_the_remaining_time(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI], turn_seconds=120))
    clock = page.locator(".mine .clock")
    expect(clock).to_have_text(re.compile(r"^1:\d\d$"))
    earlier = clock.inner_text()
    expect(clock).not_to_have_text(earlier)


def test_moves_arrive_by_stream_without_polling(person: NewPerson) -> None:
    leader_page, waiting_page = table_of_two_people(person)
    expect(waiting_page.locator(".felt[data-feed=live]")).to_be_visible()
    waiting_page.wait_for_timeout(1000)
    asked: list[str] = []
    waiting_page.on("request", lambda request: asked.append(request.url))
    waiting_page.wait_for_timeout(3000)
    assert [url for url in asked if not url.endswith("/watchers")] == []  # their number is not in the stream
    lowest(leader_page)
    leader_page.get_by_role("button", name="Play", exact=True).click()
    expect(waiting_page.locator(".prompt.your-turn")).to_be_visible()
    assert [url for url in asked if "/moves?" in url] == []


def test_moves_arrive_without_streams(person: NewPerson) -> None:
    somebody = person()
    somebody.context.route("**/events*", lambda route: route.abort())
    page = somebody.open_table(somebody.create_match_with_own_lead(seats=[ME, AI]))
    lowest(page)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".log li", has_text=re.compile("^Easy AI (plays|passes)"))).to_have_count(
        1, timeout=15_000
    )


def test_missing_match_shows_a_message(person: NewPerson) -> None:
    page = person().page
    page.goto("/matches/m_nothing")
    expect(page.get_by_role("heading", name="Match not found")).to_be_visible()
