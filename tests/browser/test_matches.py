"""Whole matches in the browser, by people who see only what the pages show them."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPerson
from tests.browser.players import play_to_the_end

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]


def test_a_guest_plays_a_first_match_from_the_landing_page_to_the_score_sheet(person: NewPerson) -> None:
    page = person(reduced_motion="no-preference").page
    page.goto("/")
    page.get_by_role("button", name="More options…").click()
    page.get_by_label("Length").select_option("One round")
    page.get_by_label("Clock").select_option("A day for each turn")
    page.get_by_role("button", name="Start match").click()
    page.wait_for_url("**/matches/m_*")
    expect(page.locator(".hand button.card")).to_have_count(17)

    play_to_the_end(page)

    expect(page.locator(".result h1")).to_have_text(re.compile("won"))
    row = page.get_by_role("table", name="Score sheet").locator("tbody tr")
    expect(row).to_have_count(1)
    totals = [int(text) for text in page.locator(".scores tfoot td").all_inner_texts()]
    assert sum(totals) > 0
    assert [int(text) for text in row.locator("td").all_inner_texts()] == totals
    page.get_by_role("button", name="Round 1: how it was scored").click()
    sheet = page.get_by_role("dialog", name="Round 1 is over")
    parts = sheet.get_by_role(
        "row", name=re.compile("^(Going out|First out|Captured|Bets)")
    ).all_inner_texts()
    assert sum(int(points) for line in parts for points in re.findall(r"-?\d+", line)) == sum(totals)


def test_two_clicks_and_a_guest_sits_at_a_table(person: NewPerson) -> None:
    page = person().page
    page.goto("/")
    page.get_by_role("button", name="Play against an AI").click()
    page.wait_for_url("**/matches/m_*")
    expect(page.locator(".hand button.card")).to_have_count(17)


def test_two_people_and_an_ai_play_a_match_for_three_to_its_end_in_two_browsers(person: NewPerson) -> None:
    maker, guest = person(), person()
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "ai", "level": "easy"}]
    table = maker.make(players=3, rounds=1, seats=seats, visibility="unlisted")
    here = maker.sit_at(table)
    link = here.get_by_label("Share this link to invite players:").input_value()

    there = guest.page
    there.goto(link)
    there.get_by_role("button", name="Join").click()
    expect(here.locator(".hand button.card")).to_have_count(17)
    play_to_the_end(here, there)

    scores = [page.locator(".scores tfoot td").all_inner_texts() for page in (here, there)]
    assert scores[0] == scores[1]
    record = maker.api("GET", f"/matches/{table['id']}/record")
    assert [str(score) for score in record["result"]["scores"]] == scores[0]
    assert maker.api("POST", "/records/verify", {"record": record}) == {"valid": True, "deals": "proven"}


def test_who_asks_for_another_match_and_who_asks_after_come_to_one_table(person: NewPerson) -> None:
    maker, guest = person(), person()
    table = maker.make(players=2, rounds=1, visibility="unlisted")
    here, there = maker.sit_at(table), guest.page
    link = here.url
    there.goto(link)
    there.get_by_role("button", name="Join").click()
    expect(here.locator(".hand button.card")).to_have_count(17)
    here.get_by_role("button", name="Resign").click()
    here.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(there.locator(".result h1")).to_have_text("You won!")

    here.get_by_role("button", name="Play again").click()
    here.wait_for_url(lambda address: table["id"] not in address)
    there.reload()
    there.get_by_role("button", name="Join the rematch").click()
    there.wait_for_url(lambda address: table["id"] not in address)
    for page in (here, there):
        expect(page.locator(".hand button.card")).to_have_count(17)
    assert here.url == there.url != link


def test_a_seat_that_nobody_takes_is_given_to_an_ai_and_the_match_begins(person: NewPerson) -> None:
    somebody = person()
    page = somebody.sit_at(somebody.make(players=2))
    page.get_by_label("Seat 2: add an AI").select_option("easy")
    expect(page.locator(".hand button.card")).to_have_count(17)


def test_a_guest_keeps_the_account_and_comes_back_to_the_match_in_another_browser(person: NewPerson) -> None:
    here, there = person(), person()
    table = here.make(seats=[{"kind": "me"}, {"kind": "ai", "level": "easy"}])
    here.page.goto("/account")
    name = f"heather{table['id'][-8:]}"
    here.page.get_by_label("Username", exact=True).fill(name)
    here.page.get_by_label("Password").fill("heather in the rain")
    here.page.get_by_role("button", name="Save account").click()
    expect(here.page.get_by_role("button", name="Log out")).to_be_visible()

    page = there.page
    page.goto("/account")
    page.get_by_label("Username", exact=True).first.fill(name)
    page.get_by_label("Password").first.fill("heather in the rain")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    page.goto("/")
    page.locator(f"a[href='/matches/{table['id']}']").click()
    expect(page.locator(".hand button.card")).to_have_count(17)


def test_whoever_goes_on_vacation_is_told_so_and_can_come_back(person: NewPerson) -> None:
    somebody = person()
    somebody.make(players=2)
    page = somebody.page
    page.goto("/account")
    back = datetime.now(UTC).date() + timedelta(days=3)
    page.get_by_label("Back on").fill(back.isoformat())
    page.get_by_role("button", name="Start vacation").click()
    expect(page.get_by_role("heading", name="You are on vacation")).to_be_visible()
    page.get_by_role("button", name="End vacation").click()
    expect(page.get_by_role("heading", name="Vacation", exact=True)).to_be_visible()
