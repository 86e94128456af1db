"""What happens at a table: readings, bombs, awards, bets, other tabs, and a server that goes away."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPerson
from tests.browser.players import Person, pick, take_turn
from tests.chaos.servers import Web

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

ME, AI = {"kind": "me"}, {"kind": "ai", "level": "easy"}


def lowest(page: Page) -> None:
    page.locator(".hand button.card").first.click()


def test_cards_that_can_be_several_things_are_played_as_the_one_that_is_chosen(person: NewPerson) -> None:
    somebody = person()
    page = somebody.sit_at(somebody.make_led_by_me(seats=[ME, AI]))
    lowest(page)
    pick(page, "jack", "queen")
    readings = page.get_by_role("radio")
    expect(readings.nth(1)).to_be_visible()
    play = page.get_by_role("button", name="Play", exact=True)
    expect(play).to_have_attribute("aria-disabled", "true")

    run = page.get_by_role("radio", name=re.compile("^run")).first
    wanted = run.locator("b").inner_text()
    run.click()
    expect(run).to_be_checked()
    play.click()
    expect(page.locator(".trick .top figcaption, .trick .earlier figcaption").first).to_be_visible()
    expect(page.locator(".log li", has_text=f"You play a {wanted}")).to_have_count(1)


def test_what_beats_nothing_says_why_and_cannot_be_played(person: NewPerson) -> None:
    somebody = person()
    page = somebody.sit_at(somebody.make_led_by_me(seats=[ME, AI]))
    lowest(page)
    pick(page, "king")
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


def test_cards_that_are_nothing_are_said_to_be_nothing(person: NewPerson) -> None:
    somebody = person()
    page = somebody.sit_at(somebody.make_led_by_me(seats=[ME, AI]))
    cards = page.locator(".hand button.card:not([data-card*=':'])")
    cards.first.click()
    cards.last.click()
    expect(page.locator(".readings.no, .reading").first).to_be_visible()
    if cards.first.get_attribute("data-code")[0] != cards.last.get_attribute("data-code")[0]:  # type: ignore[index]
        expect(page.get_by_text("These cards do not form a combination.")).to_be_visible()


def led_with_a_bomb_that_nobody_beats(somebody: Person) -> Page:
    """A table where J-Q-K has won the trick. One bomb is higher: whoever meets it begins anew."""
    while True:
        page = somebody.sit_at(somebody.make_led_by_me(players=3, seats=[ME, AI, AI]))
        pick(page, "jack", "queen", "king")
        expect(page.get_by_role("radio", name="bomb")).to_be_checked()
        page.get_by_role("button", name="Play", exact=True).click()
        won = page.get_by_role("group", name="Who captures the trick?")
        beaten = page.locator(".log li", has_text=re.compile("^Easy AI . plays bomb"))
        expect(won.or_(beaten).first).to_be_visible(timeout=15_000)
        if won.count():
            return page


def test_a_bomb_wins_the_trick_and_its_player_says_who_captures_it(person: NewPerson) -> None:
    page = led_with_a_bomb_that_nobody_beats(person())
    award = page.get_by_role("group", name="Who captures the trick?")
    expect(award.get_by_role("button")).to_have_count(2)
    award.get_by_role("button", name="Easy AI 2").click()
    expect(page.locator(".log li", has_text="You give the trick to Easy AI 2.")).to_have_count(1)
    expect(page.get_by_label("Easy AI 2").get_by_text("captured 3 cards, 10 pts")).to_be_visible()


def test_a_bet_is_made_once_and_everybody_sees_it(person: NewPerson) -> None:
    somebody = person()
    page = somebody.sit_at(somebody.make_led_by_me(seats=[ME, AI]))
    page.get_by_role("group", name="Bet before your first card").get_by_role("button", name="30").click()
    expect(page.locator(".mine .mark.bet")).to_have_text("bet 30")
    expect(page.get_by_role("group", name="Bet before your first card")).to_have_count(0)


def test_a_standing_order_passes_and_can_be_taken_back(person: NewPerson) -> None:
    maker, guest = person(), person()
    table = maker.make(players=2, visibility="unlisted")
    here, there = maker.sit_at(table), guest.page
    there.goto(here.url)
    there.get_by_role("button", name="Join").click()
    expect(here.locator(".hand button.card")).to_have_count(17)
    leads, waits = (here, there) if here.locator(".prompt.your-turn").is_visible() else (there, here)
    lowest(leads)
    leads.get_by_role("button", name="Play", exact=True).click()
    expect(waits.locator(".prompt.your-turn")).to_be_visible()
    lowest(waits)
    waits.locator(".hand button.card").last.click()
    waits.locator(".hand button.card").first.click()
    expect(waits.get_by_role("radio")).to_be_checked()
    waits.get_by_role("button", name="Play", exact=True).click()
    order = waits.get_by_role("switch", name="Pass for the rest of this trick")
    order.click()
    expect(order).to_be_checked()
    order.click()
    expect(order).not_to_be_checked()


def test_two_tabs_of_one_player_agree(person: NewPerson) -> None:
    somebody = person()
    one = somebody.sit_at(somebody.make_led_by_me(seats=[ME, AI]))
    other = somebody.new_page()
    other.goto(one.url)
    expect(other.locator(".hand button.card")).to_have_count(17)
    lowest(one)
    one.get_by_role("button", name="Play", exact=True).click()
    expect(other.locator(".hand button.card")).to_have_count(16)


def test_after_the_server_was_killed_the_table_goes_on_and_nothing_is_missing(
    person: NewPerson, own_server: Web
) -> None:
    somebody = person(f"http://127.0.0.1:{own_server.port}")
    table = somebody.make_led_by_me(seats=[ME, AI])
    page = somebody.sit_at(table)
    take_turn(page)
    own_server.kill()
    expect(page.get_by_text("Reconnecting…")).to_be_visible(timeout=20_000)
    own_server.start()
    expect(page.get_by_text("Reconnecting…")).to_have_count(0, timeout=40_000)
    # The AI may have been killed in thought: its turn is found again when its lease of 30 s is over.
    expect(page.locator(".prompt.your-turn")).to_be_visible(timeout=60_000)
    take_turn(page)
    expect(page.locator(".prompt.your-turn")).to_be_visible(timeout=20_000)

    shown = page.locator(".log li").count()
    log = somebody.api("GET", f"/matches/{table['id']}/moves?limit=100")["results"]
    assert [entry["version"] for entry in log] == list(range(1, len(log) + 1))
    assert shown == len(log)


def test_a_table_that_could_not_be_read_for_a_while_is_read_again(person: NewPerson) -> None:
    somebody = person()
    page = somebody.sit_at(somebody.make_led_by_me(seats=[ME, AI]))
    page.route(re.compile(r"/api/v1/matches/[^/?]+$"), lambda route: route.abort())
    take_turn(page)
    expect(page.get_by_text("The service cannot be reached right now.")).to_be_visible(timeout=20_000)
    page.unroute(re.compile(r"/api/v1/matches/[^/?]+$"))
    expect(page.locator(".prompt.your-turn")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("The service cannot be reached right now.")).to_have_count(0)


def test_a_match_is_paused_and_goes_on_when_both_want_it(person: NewPerson) -> None:
    maker, guest = person(), person()
    table = maker.make(players=2, visibility="unlisted", turn_seconds=86400)
    here, there = maker.sit_at(table), guest.page
    there.goto(here.url)
    there.get_by_role("button", name="Join").click()
    expect(here.locator(".hand button.card")).to_have_count(17)
    here.get_by_role("button", name="Ask for a pause").click()
    expect(here.get_by_text("You asked for a pause.")).to_be_visible()
    there.get_by_role("button", name="Agree").click()
    for page in (here, there):
        expect(page.get_by_text("The match is paused. It resumes")).to_be_visible()
    there.get_by_role("button", name="Resume match").click()
    here.get_by_role("button", name="Resume match").click()
    for page in (here, there):
        expect(page.get_by_text("The match is paused. It resumes")).to_have_count(0)


def test_a_hint_picks_cards_that_may_be_played(person: NewPerson) -> None:
    somebody = person()
    page = somebody.sit_at(somebody.make_led_by_me(seats=[ME, AI], hints=True))
    page.get_by_role("button", name="Hint").click()
    told = page.get_by_text(re.compile("A strong player would (bet|declare)"))
    expect(page.get_by_role("radio").first.or_(told)).to_be_visible(timeout=20_000)
    if told.count():
        return
    assert page.locator(".card.picked").count() > 0
    expect(page.locator(".reading:not(.no)").first).to_be_visible()


def test_who_has_the_turn_sees_how_much_time_is_left(person: NewPerson) -> None:
    somebody = person()
    page = somebody.sit_at(somebody.make_led_by_me(seats=[ME, AI], turn_seconds=120))
    clock = page.locator(".mine .clock")
    expect(clock).to_have_text(re.compile(r"^1:\d\d$"))
    earlier = clock.inner_text()
    expect(clock).not_to_have_text(earlier)


def test_the_moves_of_others_come_by_stream_and_nothing_is_asked_for_meanwhile(person: NewPerson) -> None:
    maker, guest = person(), person()
    table = maker.make(players=2, visibility="unlisted")
    here, there = maker.sit_at(table), guest.page
    there.goto(here.url)
    there.get_by_role("button", name="Join").click()
    expect(here.locator(".hand button.card")).to_have_count(17)
    leads, waits = (here, there) if here.locator(".prompt.your-turn").is_visible() else (there, here)
    expect(waits.locator(".felt[data-feed=live]")).to_be_visible()
    waits.wait_for_timeout(1000)
    asked: list[str] = []
    waits.on("request", lambda request: asked.append(request.url))
    waits.wait_for_timeout(3000)
    assert asked == []
    lowest(leads)
    leads.get_by_role("button", name="Play", exact=True).click()
    expect(waits.locator(".prompt.your-turn")).to_be_visible()
    assert [url for url in asked if "/moves?" in url] == []


def test_without_streams_the_moves_of_others_arrive_all_the_same(person: NewPerson) -> None:
    somebody = person()
    somebody.context.route("**/events*", lambda route: route.abort())
    page = somebody.sit_at(somebody.make_led_by_me(seats=[ME, AI]))
    lowest(page)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".log li", has_text=re.compile("^Easy AI (plays|passes)"))).to_have_count(
        1, timeout=15_000
    )


def test_a_table_that_is_not_there_says_so(person: NewPerson) -> None:
    page = person().page
    page.goto("/matches/m_nothing")
    expect(page.get_by_role("heading", name="Match not found")).to_be_visible()
