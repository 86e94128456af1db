"""The example app of a third party in a browser: sign-in, a whole match, refresh, ending its access."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from examples.oauth_app.__main__ import create_server
from tests.browser.conftest import NewPerson
from tests.browser.test_accessibility import accessibility_violations
from tests.support.requirements import free_port

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

PASSWORD = "a heap of heather"


@dataclass
class ServedApp:
    """The example app at an address of its own, with a player who has not authorized it yet."""

    address: str
    client_id: str
    username: str
    token: str


def post(site: str, path: str, body: Any, token: str = "") -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = httpx.post(f"{site}/api/v1/{path}", json=body, headers=headers)
    answer.raise_for_status()
    return answer.json()


@pytest.fixture
def app(site: str, request: pytest.FixtureRequest) -> Iterator[ServedApp]:
    name = f"app-{abs(hash(request.node.name)) % 10**8}"
    maker = post(site, "auth/register", {"username": f"m-{name}", "password": PASSWORD})["token"]
    player = post(site, "auth/register", {"username": f"p-{name}", "password": PASSWORD})["token"]
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    body = {"name": "Card Reader", "redirect_uris": [address]}
    registered = post(site, "me/apps", body, maker)
    server = create_server(service=site, client_id=registered["id"], port=port)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield ServedApp(address, registered["id"], f"p-{name}", player)
    server.shutdown()
    server.server_close()


def sign_in(page: Page, app: ServedApp) -> None:
    page.goto(app.address)
    page.get_by_role("button", name="Sign in with Haggis").click()
    page.get_by_label("Username").fill(app.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_role("heading", name="Allow Card Reader?")).to_be_visible()
    page.get_by_role("button", name="Allow", exact=True).click()
    expect(page.get_by_role("status")).to_have_text(f"Signed in as {app.username}")


def test_the_example_app_signs_in_and_plays_a_whole_match(person: NewPerson, app: ServedApp) -> None:
    page = person().page
    sign_in(page, app)
    assert page.url == app.address
    page.get_by_role("button", name="Play a match").click()
    expect(page.locator("#log")).to_contain_text("Finished: ", timeout=120_000)
    assert "Played" in page.locator("#log").inner_text()


def test_the_page_works_without_scripts_and_is_accessible(
    person: NewPerson, app: ServedApp, site: str
) -> None:
    page = person(java_script_enabled=False).page
    address = (
        f"{site}/oauth/authorize?response_type=code&client_id={app.client_id}&redirect_uri={app.address}"
        f"&state=s&code_challenge={'x' * 43}&code_challenge_method=S256"
    )
    page.goto(address)
    page.get_by_label("Username").fill(app.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_role("heading", name="Allow Card Reader?")).to_be_visible()
    page.get_by_role("button", name="Refuse").click()
    page.wait_for_url(f"{app.address}?error=access_denied*")
    checked = person().page
    checked.goto(address)
    assert accessibility_violations(checked) == []


def test_a_player_of_the_browser_continues_and_ends_the_access(
    person: NewPerson, app: ServedApp, site: str
) -> None:
    page = person().page
    page.goto(site)
    session = json.dumps(
        {"token": app.token, "player": {"username": app.username, "kind": "human", "display_name": ""}}
    )
    page.evaluate("session => localStorage.setItem('haggis.session', session)", session)
    page.goto(app.address)
    page.get_by_role("button", name="Sign in with Haggis").click()
    page.get_by_role("button", name=f"Continue as {app.username}").click()
    page.get_by_role("button", name="Allow", exact=True).click()
    expect(page.get_by_role("status")).to_have_text(f"Signed in as {app.username}")
    page.goto(f"{site}/account#apps")
    page.get_by_role("button", name="End the access of Card Reader").click()
    expect(page.get_by_text("Card Reader has no access any more.")).to_be_visible()
    page.goto(app.address)
    expect(page.get_by_role("status")).to_have_text("Please sign in again (invalid_grant).")


def test_the_app_refreshes_its_token_once_for_concurrent_requests(person: NewPerson, app: ServedApp) -> None:
    page = person().page
    sign_in(page, app)
    page.evaluate(
        """() => {
            const tokens = JSON.parse(sessionStorage.getItem("tokens"));
            sessionStorage.setItem("tokens", JSON.stringify({ ...tokens, access_token: "haggis_expired" }));
        }"""
    )
    names = page.evaluate(
        """async () => {
            const { request } = await import("./oauth.js");
            const answers = await Promise.all([1, 2, 3].map(() => request("GET", "/me")));
            return answers.map(({ username }) => username);
        }"""
    )
    assert names == [app.username] * 3
