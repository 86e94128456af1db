"""The admin in a browser: search, actions with a reason, and the audit log."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPerson, server_with_fast_ai
from tests.browser.players import Person
from tests.browser.test_accessibility import accessibility_violations
from tests.support.processes import Web, serving, wait_for
from tests.support.totp import totp_code

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

ME, AI = {"kind": "me"}, {"kind": "ai", "level": "easy"}
OPEN = {"kind": "open"}
NAME, PASSWORD = "morag-the-operator", "tartan-blanket-77"
REASON = "somebody asked for it"
# Suit cards as the admin draws them; face cards are public.
_DRAWN = ".playing-card:not(.face)"


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Provide the URL of a server with an operator, who needs no second factor."""
    data = tmp_path_factory.mktemp("admin")
    with serving(server_with_fast_ai(data, HAGGIS_ADMIN_SECOND_FACTOR="false")) as web:
        site = f"http://127.0.0.1:{web.port}"
        account = {"username": NAME, "password": PASSWORD}
        assert httpx.post(f"{site}/api/v1/auth/register", json=account).is_success
        web.manage("appoint", NAME, "--role", "operator")
        yield site


@pytest.fixture
def operator(person: NewPerson, admin_site: str) -> Person:
    """Provide the operator, logged in."""
    somebody = person(admin_site)
    page = somebody.page
    page.goto("/admin/")
    page.get_by_label("Username").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("Events in the last 24 hours")).to_be_visible()
    return somebody


@pytest.fixture
def player(person: NewPerson, admin_site: str) -> Person:
    """Provide a player on that server."""
    return person(admin_site)


def match_page(page: Page, match_id: str) -> None:
    """Find a match by its id."""
    page.goto("/admin/")
    page.get_by_role("link", name="Matches").first.click()
    search = page.locator("#searchbar")
    search.fill(match_id)
    search.press("Enter")
    page.get_by_role("link", name=match_id).click()
    expect(page.get_by_role("heading", name="Seats")).to_be_visible()


def do(page: Page, action: str, **fields: Any) -> None:
    """Run an admin action with a reason."""
    page.get_by_role("link", name=action, exact=True).click()
    for label, value in fields.items():
        field = page.get_by_label(re.compile(label, re.IGNORECASE))
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(index=value)
        else:
            field.fill(str(value))
    page.get_by_label("Reason").fill(REASON)
    page.get_by_role("button", name=action, exact=True).click()
    expect(page.get_by_text(f"{action}: done.")).to_be_visible()
    expect(page.locator("tr").filter(has_text=REASON).first).to_contain_text(NAME)


def status_of(page: Page) -> str:
    """Return the status shown on the page of a match."""
    return page.locator("dl.facts dd").first.inner_text()


def create_timed_match(somebody: Person, **body: Any) -> dict[str, Any]:
    """Create a match against an AI with a turn time."""
    return somebody.create_match(seats=[ME, AI], turn_seconds=86400, **body)


def test_operator_sets_up_a_second_factor_at_the_first_log_in(person: NewPerson, own_server: Web) -> None:
    site = f"http://127.0.0.1:{own_server.port}"
    account = {"username": NAME, "password": PASSWORD}
    assert httpx.post(f"{site}/api/v1/auth/register", json=account).is_success
    own_server.manage("appoint", NAME, "--role", "operator")
    page = person(site).page
    page.goto("/admin/")
    page.get_by_label("Username").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    key = page.locator(".totp-key").inner_text().replace(" ", "")
    page.get_by_role("textbox", name="Code").fill(totp_code(key, -1))
    page.get_by_role("button", name="Set up").click()
    expect(page.locator(".recovery-codes li")).to_have_count(10)
    page.get_by_role("link", name="Continue").click()
    expect(page.get_by_text("Events in the last 24 hours")).to_be_visible()

    page.context.clear_cookies()
    page.goto("/admin/")
    page.get_by_label("Username").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("Enter a code of your authenticator app")).to_be_visible()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("textbox", name="Code").fill(totp_code(key))
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("Events in the last 24 hours")).to_be_visible()


def test_player_without_a_role_cannot_log_in(player: Person) -> None:
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


def test_pause_and_resume_are_shown_to_the_player(operator: Person, player: Person) -> None:
    table = create_timed_match(player)
    page = operator.page
    match_page(page, table["id"])
    do(page, "Pause")
    assert status_of(page).startswith("paused")
    player.open_table(table)
    expect(player.page.locator(".felt")).to_contain_text(re.compile("paused", re.IGNORECASE))
    do(page, "Resume")
    assert status_of(page).startswith("active")
    expect(player.page.locator(".felt")).not_to_contain_text(re.compile("paused", re.IGNORECASE))


def test_turn_is_extended_by_the_given_seconds(operator: Person, player: Person) -> None:
    table = player.create_match_with_own_lead(seats=[ME, AI], turn_seconds=86400)
    page = operator.page
    match_page(page, table["id"])

    def deadline() -> datetime:
        shown = page.locator("dl.facts dt", has_text="Deadline").locator("+ dd").inner_text()
        time, _, _ = shown.partition(" (")  # what follows is the time that is left, in words
        return datetime.strptime(time, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)

    before = deadline()
    do(page, "Extend", seconds=3600)
    assert round((deadline() - before).total_seconds()) == 3600


def test_replaced_player_can_take_the_seat_back(
    operator: Person, player: Person, person: NewPerson, admin_site: str
) -> None:
    # Against a person, who does not move: a caretaker and an AI would play the match to its end.
    table = player.create_match(seats=[ME, OPEN], turn_seconds=86400)
    person(admin_site).api("POST", f"/matches/{table['id']}/join")
    page = operator.page
    match_page(page, table["id"])
    do(page, "Replace a seat", seat=0)
    expect(page.locator("tr", has_text="caretaker").first).to_be_visible()
    player.open_table(table)
    player.page.get_by_role("button", name="Take your seat back").click()
    expect(player.page.get_by_role("button", name="Take your seat back")).to_have_count(0)


def test_waiting_match_is_cancelled(operator: Person, player: Person) -> None:
    table = player.create_match(seats=[ME, OPEN])
    page = operator.page
    match_page(page, table["id"])
    do(page, "Cancel")
    assert status_of(page).startswith("cancelled")
    player.open_table(table)
    expect(player.page.get_by_role("heading", name="This match was cancelled")).to_be_visible()


def test_annulled_match_is_shown_to_the_player(operator: Person, player: Person) -> None:
    table = create_timed_match(player)
    page = operator.page
    match_page(page, table["id"])
    do(page, "Annul")
    assert "annulled" in status_of(page)
    player.open_table(table)
    expect(player.page.get_by_role("heading", name="The match was annulled")).to_be_visible()


def test_action_without_a_reason_is_rejected(operator: Person, player: Person) -> None:
    table = create_timed_match(player)
    page = operator.page
    match_page(page, table["id"])
    page.get_by_role("link", name="Annul", exact=True).click()
    page.get_by_role("button", name="Annul", exact=True).click()
    expect(page.get_by_text("This field is required.")).to_be_visible()
    assert player.api("GET", f"/matches/{table['id']}")["status"] == "active"


def test_revealing_hands_is_logged(operator: Person, player: Person) -> None:
    table = player.create_match_with_own_lead(seats=[ME, AI])
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
    cached_urls = page.locator("tr").filter(has_text=table["id"])
    expect(cached_urls.first).to_contain_text("Reveal")
    expect(cached_urls.first).to_contain_text(REASON)


def test_player_is_banned_and_unbanned(operator: Person, player: Person, admin_site: str) -> None:
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
    answer = httpx.post(f"{admin_site}/api/v1/auth/token", json=body)
    assert (answer.status_code, answer.json()["code"]) == (403, "account_banned")
    do(page, "Lift the ban")
    expect(page.locator("dl.facts")).not_to_contain_text("banned")
    assert httpx.post(f"{admin_site}/api/v1/auth/token", json=body).status_code == 201


# --- Cases


def report_from_the_table(reporter: Person, table: dict[str, Any], name: str) -> None:
    """Report a player at a table through the dialog."""
    page = reporter.page
    page.goto(f"/matches/{table['id']}")
    page.get_by_role("button", name=f"Report {name}").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Insults or harassment").check()
    dialog.get_by_label("Details").fill("swears at everybody")
    dialog.get_by_role("button", name="Send report").click()
    expect(dialog).to_contain_text("A moderator will look at it")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


def look_for_notices(somebody: Person) -> None:
    """Open the lobby as in a new tab, which looks for messages of the operators."""
    somebody.page.evaluate("sessionStorage.clear()")
    somebody.page.goto("/")


def test_report_leads_to_a_warning_that_the_player_acknowledges(
    operator: Person, player: Person, person: NewPerson, admin_site: str
) -> None:
    rude = person(admin_site)
    table = player.create_match(seats=[ME, OPEN])
    name = rude.api("POST", f"/matches/{table['id']}/join")["seats"][1]["player"]["username"]
    report_from_the_table(player, table, name)
    page = operator.page
    page.goto("/admin/games/report/")
    page.locator("tr", has_text=name).get_by_role("link").first.click()
    expect(page.locator(".report-text")).to_have_text("swears at everybody")
    page.get_by_role("link", name="Claim").click()
    page.get_by_role("button", name="Claim").click()
    expect(page.get_by_text(f"claimed by {NAME}")).to_be_visible()
    do(page, "Warn", message="Please be kind.")
    expect(page.locator("dl.facts")).to_contain_text(f"warned by {NAME}")
    look_for_notices(rude)
    dialog = rude.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Please be kind.")
    dialog.get_by_role("button", name="I have read this").click()
    expect(dialog).to_have_count(0)
    assert rude.api("GET", "/me")["notices"] == []


def test_suspended_player_reads_why_and_plays_again_afterwards(
    operator: Person, player: Person, admin_site: str
) -> None:
    name = player.api("GET", "/me")["username"]
    page = operator.page
    page.goto("/admin/")
    page.get_by_label("Find a player").fill(f"{admin_site}/@{name}")
    page.get_by_role("button", name="Find").click()
    do(page, "Suspend", message="Insults at the table.", days=2)
    expect(page.locator("dl.facts")).to_contain_text("suspended until")
    look_for_notices(player)
    expect(player.page.get_by_role("dialog")).to_contain_text("Insults at the table.")
    do(page, "Lift the suspension")
    assert player.api("GET", "/me")["username"] == name


def test_failing_webhook_is_stopped_enabled_and_its_delivery_sent_again(
    operator: Person, player: Person
) -> None:
    webhook = player.api("POST", "/me/webhooks", {"url": "http://127.0.0.1:9/a-secret-path"})
    delivery = player.api("POST", f"/me/webhooks/{webhook['id']}/test")
    page = operator.page
    page.goto("/admin/")
    page.get_by_label("Find a player").fill(webhook["id"])
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_text("http://127.0.0.1:9/…")).to_be_visible()
    do(page, "Stop")
    expect(page.locator("dl.facts")).to_contain_text("stopped (operator)")
    do(page, "Enable")
    expect(page.locator("dl.facts")).to_contain_text("active")
    page.goto(f"/admin/find/?q={delivery['id']}")
    redeliver = page.get_by_role("link", name="Redeliver")
    wait_for("the first attempt to fail", lambda: page.reload() is not None and redeliver.count() > 0)
    expect(page.locator("tbody tr").first).to_contain_text("ms")
    assert "a-secret-path" not in page.content()
    do(page, "Redeliver")


# --- Accessibility


# Our own content, without the frame of the library.
OWN_CONTENT = ".panels"


@pytest.mark.parametrize("colours", ("light", "dark"))
def test_admin_pages_have_no_serious_accessibility_violations(
    person: NewPerson, operator: Person, player: Person, admin_site: str, colours: Any
) -> None:
    table = player.create_match_with_own_lead(players=3, seats=[ME, AI, AI], turn_seconds=86400)
    somebody = person(admin_site, color_scheme=colours, storage_state=operator.context.storage_state())
    page = somebody.page
    violations_by_page = {}
    match_page(page, table["id"])
    violations_by_page["match"] = accessibility_violations(page, OWN_CONTENT)
    page.get_by_role("link", name="Replace a seat").click()
    violations_by_page["action"] = accessibility_violations(page, OWN_CONTENT)
    page.goto("/admin/")
    expect(page.locator("canvas").first).to_be_visible()
    violations_by_page["dashboard"] = accessibility_violations(page, OWN_CONTENT)
    page.goto("/admin/games/player/")
    page.get_by_role("link", name=NAME).first.click()
    expect(page.get_by_text("Latest matches")).to_be_visible()
    violations_by_page["player"] = accessibility_violations(page, OWN_CONTENT)
    webhook = player.api("POST", "/me/webhooks", {"url": "http://127.0.0.1:9/"})
    delivery = player.api("POST", f"/me/webhooks/{webhook['id']}/test")
    for name, key in (("webhook", webhook["id"]), ("delivery", delivery["id"])):
        page.goto(f"/admin/find/?q={key}")
        violations_by_page[name] = accessibility_violations(page, OWN_CONTENT)
    player.api("POST", "/reports", {"username": NAME, "reason": "name", "text": "too long"})
    page.goto("/admin/games/report/")
    page.locator("tr", has_text=NAME).get_by_role("link").first.click()
    violations_by_page["report"] = accessibility_violations(page, OWN_CONTENT)
    assert {name: found for name, found in violations_by_page.items() if found} == {}


@pytest.mark.parametrize("page_path", ("", "games/match/", "games/player/", "games/operatoraction/"))
@pytest.mark.parametrize("width", (390, 1200))
def test_every_control_works_without_evaluating_strings(operator: Person, page_path: str, width: int) -> None:
    page = operator.page
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"/admin/{page_path}")
    controls = page.locator("[x-on\\:click]")
    assert controls.count() >= 5
    for number in range(controls.count()):
        controls.nth(number).dispatch_event("click")
    for key in ("t", "/", "Control+k", "Escape"):
        page.keyboard.press(key)
    # The fixture fails the test for any error of a script and any violation of the policy.


def test_theme_and_sidebar_are_remembered(operator: Person) -> None:
    page = operator.page
    page.set_viewport_size({"width": 1200, "height": 800})
    page.goto("/admin/games/match/")
    page.locator(
        "[x-on\\:click*=\"switchTheme('dark')\"], [x-on\\:click*=\"adminTheme = 'dark'\"]"
    ).first.dispatch_event("click")
    expect(page.locator("html")).to_have_class(re.compile("dark"))
    page.locator("[x-on\\:click^='sidebarDesktopOpen']").first.dispatch_event("click")
    page.reload()
    expect(page.locator("html")).to_have_class(re.compile("dark"))
    assert page.evaluate("localStorage.getItem('sidebarDesktopOpen')") == "0"
