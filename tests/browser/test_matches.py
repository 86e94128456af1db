"""Whole matches in the browser, played with what the pages show."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPerson
from tests.browser.players import play_to_the_end

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]


def test_guest_plays_a_match_from_landing_page_to_score_sheet(person: NewPerson) -> None:
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


def test_guest_reaches_a_table_with_two_clicks(person: NewPerson) -> None:
    page = person().page
    page.goto("/")
    page.get_by_role("button", name="Play an easy AI").click()
    page.wait_for_url("**/matches/m_*")
    expect(page.locator(".hand button.card")).to_have_count(17)


def test_two_people_and_an_ai_finish_a_match_for_three(person: NewPerson) -> None:
    maker, guest = person(), person()
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "ai", "level": "easy"}]
    table = maker.create_match(players=3, rounds=1, seats=seats, visibility="unlisted")
    maker_page = maker.open_table(table)
    link = maker_page.get_by_label("Share this link to invite players:").input_value()

    guest_page = guest.page
    guest_page.goto(link)
    guest_page.get_by_role("button", name="Join").click()
    expect(maker_page.locator(".hand button.card")).to_have_count(17)
    play_to_the_end(maker_page, guest_page)

    scores = [page.locator(".scores tfoot td").all_inner_texts() for page in (maker_page, guest_page)]
    assert scores[0] == scores[1]
    record = maker.api("GET", f"/matches/{table['id']}/record")
    assert [str(score) for score in record["result"]["scores"]] == scores[0]
    assert maker.api("POST", "/records/verify", {"record": record}) == {"valid": True, "deals": "proven"}


def test_both_rematch_requests_lead_to_one_match(person: NewPerson) -> None:
    maker, guest = person(), person()
    table = maker.create_match(players=2, rounds=1, visibility="unlisted")
    maker_page, guest_page = maker.open_table(table), guest.page
    link = maker_page.url
    guest_page.goto(link)
    guest_page.get_by_role("button", name="Join").click()
    expect(maker_page.locator(".hand button.card")).to_have_count(17)
    maker_page.get_by_role("button", name="Resign").click()
    maker_page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(guest_page.locator(".result h1")).to_have_text("You won!")

    maker_page.get_by_role("button", name="Play again").click()
    maker_page.wait_for_url(lambda address: table["id"] not in address)
    guest_page.reload()
    guest_page.get_by_role("button", name="Join the rematch").click()
    guest_page.wait_for_url(lambda address: table["id"] not in address)
    for page in (maker_page, guest_page):
        expect(page.locator(".hand button.card")).to_have_count(17)
    assert maker_page.url == guest_page.url != link


def test_open_seat_can_be_given_to_an_ai(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match(players=2))
    page.get_by_label("Seat 2: add an AI").select_option("easy")
    expect(page.locator(".hand button.card")).to_have_count(17)


def test_guest_claims_the_account_and_continues_in_another_browser(person: NewPerson) -> None:
    first, second = person(), person()
    table = first.create_match(seats=[{"kind": "me"}, {"kind": "ai", "level": "easy"}])
    first.page.goto("/account")
    name = f"heather{table['id'][-8:]}"
    first.page.get_by_label("Username", exact=True).fill(name)
    first.page.get_by_label("Password").fill("heather in the rain")
    first.page.get_by_role("button", name="Save account").click()
    expect(first.page.get_by_role("button", name="Log out")).to_be_visible()

    page = second.page
    page.goto("/account")
    page.get_by_label("Username", exact=True).first.fill(name)
    page.get_by_label("Password").first.fill("heather in the rain")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    page.goto("/")
    page.locator(f"a[href='/matches/{table['id']}']").click()
    expect(page.locator(".hand button.card")).to_have_count(17)


def test_vacation_is_shown_and_can_be_ended(person: NewPerson) -> None:
    somebody = person()
    somebody.create_match(players=2)
    page = somebody.page
    page.goto("/account")
    back = datetime.now(UTC).date() + timedelta(days=3)
    page.get_by_label("Back on").fill(back.isoformat())
    page.get_by_role("button", name="Start vacation").click()
    expect(page.get_by_role("heading", name="You are on vacation")).to_be_visible()
    page.get_by_role("button", name="End vacation").click()
    expect(page.get_by_role("heading", name="Vacation", exact=True)).to_be_visible()
