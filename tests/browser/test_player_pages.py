"""Pages of players and of matches to watch, as people use them."""

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPerson
from tests.browser.players import Person

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]


def register(site: str, name: str) -> str:
    """Register a player; return the token."""
    body = {"username": name, "password": "a heap of heather"}
    return str(httpx.post(f"{site}/api/v1/auth/register", json=body).raise_for_status().json()["token"])


def resigned_match(winner: Person, loser: Person, **body: Any) -> str:
    """Play a match of two people that the second resigns; return its id."""
    match = winner.create_match(players=2, seats=[{"kind": "me"}, {"kind": "open"}], **body)
    loser.api("POST", f"/matches/{match['id']}/join")
    loser.api("POST", f"/matches/{match['id']}/resign")
    return str(match["id"])


def test_a_player_page_shows_statistics_history_and_head_to_head(person: NewPerson) -> None:
    anna, ben = person(), person(viewport={"width": 390, "height": 844})
    anna.api("PATCH", "/me", {"display_name": "Anna of the Glen"})
    resigned_match(anna, ben)
    resigned_match(ben, anna, ruleset="revised")
    resigned_match(anna, ben, visibility="unlisted")
    name, own = (each.api("GET", "/me")["username"] for each in (anna, ben))
    page = ben.page
    for _ in range(40):
        if ben.api("GET", f"/players/{name}/stats?against={own}")["matches"]["played"] == 3:
            break
        page.wait_for_timeout(500)
    page.goto(f"/@{name}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Anna of the Glen")
    expect(
        page.get_by_text("You played 3 matches together: you won 1, Anna of the Glen won 2.")
    ).to_be_visible()
    expect(page.locator(".history-row")).to_have_count(2)
    page.get_by_role("button", name="Only matches with you").click()
    expect(page.locator(".history-row")).to_have_count(3)
    page.get_by_label("Rule set").select_option("revised")
    expect(page.locator(".history-row")).to_have_count(1)
    expect(page.locator(".outcome")).to_have_text("Abandoned")
    expect(page).to_have_url(re.compile(r"\?ruleset=revised&against="))
    page.reload()
    expect(page.locator(".history-row")).to_have_count(1)
    expect(page.get_by_label("Rule set")).to_have_value("revised")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_search_finds_opponents_by_name_and_the_keyboard_reaches_the_match(person: NewPerson) -> None:
    anna, ben = person(), person()
    ben.api("PATCH", "/me", {"display_name": "Ben the Ferryman"})
    match = resigned_match(anna, ben)
    anna.create_match(players=2, seats=[{"kind": "me"}, {"kind": "ai", "level": "easy"}])
    page = anna.page
    page.goto("/@me")
    expect(page.locator(".history-row")).to_have_count(2)
    page.get_by_label("Search opponents").fill("ferry")
    expect(page.locator(".history-row")).to_have_count(1)
    expect(page.get_by_role("link", name="Ben the Ferryman")).to_be_visible()
    page.get_by_label("Result").select_option("lost")
    expect(page.get_by_text("No matches with these filters.")).to_be_visible()
    page.get_by_label("Result").select_option("won")
    link = page.locator(".history-link")
    link.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/matches/{match}/replay"))
    page.get_by_role("heading", level=2).get_by_role("link", name="Ben the Ferryman").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ben the Ferryman")


@pytest.mark.parametrize("viewport", ((320, 640), (844, 390), (390, 844), (1920, 1080)))
def test_player_pages_and_the_list_to_watch_fit_every_screen(
    person: NewPerson, site: str, viewport: tuple[int, int]
) -> None:
    anna, ben = person(viewport={"width": viewport[0], "height": viewport[1]}), person()
    for each in (anna, ben):
        each.api("PATCH", "/me", {"display_name": "M" * 50})
    match = anna.create_match(players=2, seats=[{"kind": "me"}, {"kind": "open"}])
    ben.api("POST", f"/matches/{match['id']}/join")
    page = anna.page
    register(site, "abcdefghijklmnopqrstuvwxy_" + str(viewport[0]))
    for path in (f"/@{ben.api('GET', '/me')['username']}", "/@me", "/watch", "/players"):
        page.goto(path)
        expect(page.locator(".history-row, .featured, .player-row").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_a_visitor_without_an_account_is_asked_to_log_in_for_their_own_matches(person: NewPerson) -> None:
    page = person().page
    page.goto("/@me")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your matches")
    expect(page.locator("main").get_by_role("link", name="log in")).to_be_visible()


def test_unknown_players_have_no_page(person: NewPerson) -> None:
    page = person().page
    response = page.goto("/@nobody-of-that-name")
    assert response is not None
    assert response.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")


def test_watchers_are_counted_on_the_page_to_watch_and_at_the_table(person: NewPerson) -> None:
    anna, ben, visitor = person(), person(), person()
    match = anna.create_match(players=2, seats=[{"kind": "me"}, {"kind": "open"}])
    ben.api("POST", f"/matches/{match['id']}/join")
    visitor.page.goto("/watch")
    featured = visitor.page.get_by_role("region", name="Featured match")
    expect(featured).to_be_visible()
    visitor.page.goto(f"/matches/{match['id']}")
    expect(visitor.page.get_by_text("You are watching this match.")).to_be_visible()
    expect(visitor.page.get_by_text("1 person watching")).to_be_visible(timeout=60_000)
    anna.page.goto("/watch")
    expect(anna.page.get_by_text("1 person watching").first).to_be_visible(timeout=60_000)


def test_a_player_is_reported_from_the_page(person: NewPerson, site: str) -> None:
    anna, ben = person(), person()
    name = anna.api("GET", "/me")["username"]
    anna.page.goto("/@me")
    expect(anna.page.get_by_role("heading", level=1)).to_be_visible()
    expect(anna.page.get_by_role("button", name="Report")).to_have_count(0)
    ben.api("GET", "/me")
    page = ben.page
    page.goto(f"/@{name}")
    page.get_by_role("button", name=f"Report {name}").click()
    dialog = page.get_by_role("dialog", name=f"Report {name}")
    dialog.get_by_label("Cheating").check()
    dialog.get_by_label("Details (optional)").fill("Always has the highest bomb.")
    with page.expect_response(f"{site}/api/v1/reports") as response:
        dialog.get_by_role("button", name="Send report").click()
    assert response.value.status == 202
    expect(dialog.get_by_text("A moderator will look at it.")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name=f"Report {name}")).to_be_focused()


def test_player_pages_show_in_title_and_icon_that_it_is_your_turn(person: NewPerson) -> None:
    somebody = person()
    name = somebody.api("GET", "/me")["username"]
    for address in ("/@me", f"/@{name}"):
        somebody.page.goto(address)
        expect(somebody.page.get_by_role("heading", level=1)).to_be_visible()
        expect(somebody.page).not_to_have_title(re.compile("Your turn"))
    somebody.create_match_with_own_lead(seats=[{"kind": "me"}, {"kind": "ai", "level": "easy"}])
    for address in ("/@me", f"/@{name}"):
        somebody.page.goto(address)
        expect(somebody.page).to_have_title(re.compile("^.*Your turn · "))
        expect(somebody.page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("icon-turn"))


def test_a_player_is_followed_and_blocked_on_their_page(person: NewPerson) -> None:
    anna, ben = person(), person()
    name, own = (each.api("GET", "/me")["username"] for each in (ben, anna))
    page = anna.page
    page.goto(f"/@{name}")
    page.get_by_role("button", name="Follow", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text(f"You follow {name}")
    page.get_by_role("button", name="Block", exact=True).click()
    expect(page.get_by_role("button", name="Unblock")).to_be_visible()
    expect(page.get_by_role("button", name="Follow", exact=True)).to_be_visible()
    table = anna.create_match(players=2, seats=[{"kind": "me"}, {"kind": "open"}])
    ben.page.goto(f"/matches/{table['id']}")
    ben.page.get_by_role("button", name=re.compile("^(Join|Take)")).first.click()
    expect(ben.page.get_by_role("alert")).to_contain_text("cannot play in this match")
    ben.page.goto(f"/@{own}")
    expect(ben.page.get_by_role("button", name="Block", exact=True)).to_be_visible()
    page.goto("/account")
    panel = page.locator("#relations")
    panel.get_by_role("button", name=f"Unblock {name}").click()
    expect(panel.get_by_role("status")).to_have_text("The list has been changed.")
    expect(panel.get_by_text("Nobody.")).to_have_count(2)


def test_a_player_is_found_and_invited(person: NewPerson, site: str) -> None:
    anna = person()
    token = register(site, "juniper")
    page = anna.page
    page.goto("/players")
    page.get_by_label("Name").fill("junip")
    expect(page.locator(".player-row")).to_have_count(1)
    page.get_by_label("Kind").select_option("bot")
    expect(page.get_by_text("No players with these filters.")).to_be_visible()
    page.get_by_label("Kind").select_option("human")
    page.get_by_role("link", name="Invite juniper").click()
    dialog = page.get_by_role("dialog", name="New match")
    expect(dialog.get_by_role("textbox")).to_have_value("juniper")
    dialog.get_by_role("button", name="Start match").click()
    page.wait_for_url("**/matches/*")
    headers = {"Authorization": f"Bearer {token}"}
    (invitation,) = httpx.get(f"{site}/api/v1/me/invitations", headers=headers).json()["results"]
    assert invitation["maker"] == anna.api("GET", "/me")["username"]
