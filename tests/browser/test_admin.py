"""The admin in a browser: what operators look for, what they do with a reason, and what is kept of that."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPerson, served
from tests.browser.players import Person
from tests.browser.test_access import RULES, SERIOUS

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

ME, AI = {"kind": "me"}, {"kind": "ai", "level": "easy"}
OPEN = {"kind": "open"}
NAME, PASSWORD = "morag-of-the-desk", "tartan-blanket-77"
REASON = "somebody asked for it"
# Shape and colour of a card as the admin draws it; the face cards are anybody's to see.
_DRAWN = ".playing-card:not(.face)"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with an operator."""
    web = served(tmp_path_factory.mktemp("desk"))
    web.start()
    site = f"http://127.0.0.1:{web.port}"
    assert httpx.post(
        f"{site}/api/v1/auth/register", json={"username": NAME, "password": PASSWORD}
    ).is_success
    web.manage("appoint", NAME, "--role", "operator")
    yield site
    web.kill()


@pytest.fixture
def operator(person: NewPerson, desk: str) -> Person:
    """The operator at a browser, logged in."""
    somebody = person(desk)
    page = somebody.page
    page.goto("/admin/")
    page.get_by_label("Username").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("Events in the last 24 hours")).to_be_visible()
    return somebody


@pytest.fixture
def player(person: NewPerson, desk: str) -> Person:
    """Somebody who plays there."""
    return person(desk)


def match_page(page: Page, match_id: str) -> None:
    """Find a match by its id, as somebody would who was sent it."""
    page.goto("/admin/")
    page.get_by_role("link", name="Matches").first.click()
    search = page.locator("#searchbar")
    search.fill(match_id)
    search.press("Enter")
    page.get_by_role("link", name=match_id).click()
    expect(page.get_by_role("heading", name="Seats")).to_be_visible()


def do(page: Page, deed: str, **fields: Any) -> None:
    """Do something to a match or to a player, with a reason."""
    page.get_by_role("link", name=deed, exact=True).click()
    for label, value in fields.items():
        field = page.get_by_label(re.compile(label, re.IGNORECASE))
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(index=value)
        else:
            field.fill(str(value))
    page.get_by_label("Reason").fill(REASON)
    page.get_by_role("button", name=deed, exact=True).click()
    expect(page.get_by_text(f"{deed}: done.")).to_be_visible()
    expect(page.locator("tr").filter(has_text=REASON).first).to_contain_text(NAME)


def status_of(page: Page) -> str:
    """The status that the page of a match shows."""
    return page.locator("dl.facts dd").first.inner_text()


def started(somebody: Person, **body: Any) -> dict[str, Any]:
    """A match against an AI with a clock."""
    return somebody.make(seats=[ME, AI], turn_seconds=86400, **body)


def test_nobody_comes_in_without_a_role(player: Person) -> None:
    body = {"username": "angus-no-role", "password": PASSWORD}
    player.api("POST", "/auth/claim", body)
    page = player.page
    page.goto("/admin/")
    page.get_by_label("Username").fill(body["username"])
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text(re.compile("correct username and password|not authorized"))).to_be_visible()
    page.goto("/admin/games/match/")
    expect(page.get_by_role("button", name="Log in")).to_be_visible()


def test_a_match_is_paused_and_resumed_and_its_player_sees_it(operator: Person, player: Person) -> None:
    table = started(player)
    page = operator.page
    match_page(page, table["id"])
    do(page, "Pause")
    assert status_of(page).startswith("paused")
    player.sit_at(table)
    expect(player.page.locator(".felt")).to_contain_text(re.compile("paused", re.IGNORECASE))
    do(page, "Resume")
    assert status_of(page).startswith("active")
    expect(player.page.locator(".felt")).not_to_contain_text(re.compile("paused", re.IGNORECASE))


def test_a_turn_is_extended_by_as_much_as_is_said(operator: Person, player: Person) -> None:
    table = player.make_led_by_me(seats=[ME, AI], turn_seconds=86400)
    page = operator.page
    match_page(page, table["id"])

    def deadline() -> datetime:
        shown = page.locator("dl.facts dt", has_text="Deadline").locator("+ dd").inner_text()
        return datetime.strptime(shown, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)

    before = deadline()
    do(page, "Extend", seconds=3600)
    assert round((deadline() - before).total_seconds()) == 3600


def test_a_caretaker_takes_a_seat_which_its_player_can_take_back(
    operator: Person, player: Person, person: NewPerson, desk: str
) -> None:
    # Against a person who does not move: a caretaker and an AI would play the match to its end meanwhile.
    table = player.make(seats=[ME, OPEN], turn_seconds=86400)
    person(desk).api("POST", f"/matches/{table['id']}/join")
    page = operator.page
    match_page(page, table["id"])
    do(page, "Replace a seat", seat=0)
    expect(page.locator("tr", has_text="caretaker").first).to_be_visible()
    player.sit_at(table)
    player.page.get_by_role("button", name="Take your seat back").click()
    expect(player.page.get_by_role("button", name="Take your seat back")).to_have_count(0)


def test_a_match_that_has_not_begun_is_cancelled(operator: Person, player: Person) -> None:
    table = player.make(seats=[ME, OPEN])
    page = operator.page
    match_page(page, table["id"])
    do(page, "Cancel")
    assert status_of(page).startswith("cancelled")
    player.sit_at(table)
    expect(player.page.get_by_role("heading", name="This match was cancelled")).to_be_visible()


def test_a_match_is_annulled_and_its_player_is_told(operator: Person, player: Person) -> None:
    table = started(player)
    page = operator.page
    match_page(page, table["id"])
    do(page, "Annul")
    assert "annulled" in status_of(page)
    player.sit_at(table)
    expect(player.page.get_by_role("heading", name="The match was annulled")).to_be_visible()


def test_nothing_is_done_without_a_reason(operator: Person, player: Person) -> None:
    table = started(player)
    page = operator.page
    match_page(page, table["id"])
    page.get_by_role("link", name="Annul", exact=True).click()
    page.get_by_role("button", name="Annul", exact=True).click()
    expect(page.get_by_text("This field is required.")).to_be_visible()
    assert player.api("GET", f"/matches/{table['id']}")["status"] == "active"


def test_hands_are_laid_open_once_and_that_is_kept(operator: Person, player: Person) -> None:
    table = player.make_led_by_me(seats=[ME, AI])
    page = operator.page
    match_page(page, table["id"])
    assert page.locator(_DRAWN).count() == 0
    page.get_by_text("Hidden hands").click()
    page.get_by_label("Reason").fill(REASON)
    page.get_by_role("button", name="Reveal hands").click()
    expect(page.get_by_text("Revealed hands")).to_be_visible()
    assert page.locator(_DRAWN).count() == 36
    match_page(page, table["id"])
    assert page.locator(_DRAWN).count() == 0
    page.get_by_role("link", name="Audit log").first.click()
    kept = page.locator("tr").filter(has_text=table["id"])
    expect(kept.first).to_contain_text("Reveal")
    expect(kept.first).to_contain_text(REASON)


def test_a_player_is_banned_and_let_in_again(operator: Person, player: Person, desk: str) -> None:
    body = {"username": "a-loud-player", "password": PASSWORD}
    player.api("POST", "/auth/claim", body)
    page = operator.page
    page.goto("/admin/games/player/")
    search = page.locator("#searchbar")
    search.fill("a-loud")
    search.press("Enter")
    page.get_by_role("link", name=body["username"]).click()
    do(page, "Ban")
    expect(page.locator("dl.facts")).to_contain_text("banned")
    answer = httpx.post(f"{desk}/api/v1/auth/token", json=body)
    assert (answer.status_code, answer.json()["code"]) == (403, "account_banned")
    do(page, "Lift the ban")
    expect(page.locator("dl.facts")).not_to_contain_text("banned")
    assert httpx.post(f"{desk}/api/v1/auth/token", json=body).status_code == 201


# --- For everybody who helps


def faults_of_ours(page: Page) -> list[str]:
    """What axe finds on what is ours: the frame around it is the library's."""
    violations = Axe().run(page, options=RULES, context=".panels").response["violations"]
    return [
        f"{fault['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for fault in violations
        if fault["impact"] in SERIOUS
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("colours", ("light", "dark"))
def test_our_pages_have_no_serious_fault(
    person: NewPerson, operator: Person, player: Person, desk: str, colours: Any
) -> None:
    table = player.make_led_by_me(players=3, seats=[ME, AI, AI], turn_seconds=86400)
    somebody = person(desk, color_scheme=colours, storage_state=operator.context.storage_state())
    page = somebody.page
    faults = {}
    match_page(page, table["id"])
    faults["match"] = faults_of_ours(page)
    page.get_by_role("link", name="Replace a seat").click()
    faults["deed"] = faults_of_ours(page)
    page.goto("/admin/")
    expect(page.locator("canvas").first).to_be_visible()
    faults["dashboard"] = faults_of_ours(page)
    page.goto("/admin/games/player/")
    page.get_by_role("link", name=NAME).first.click()
    expect(page.get_by_text("Latest matches")).to_be_visible()
    faults["player"] = faults_of_ours(page)
    assert {name: found for name, found in faults.items() if found} == {}
