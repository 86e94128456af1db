"""The pages as an app: what the service worker keeps, what not, and what is seen without a network."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPerson
from tests.browser.players import Person

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

ME, AI = {"kind": "me"}, {"kind": "ai", "level": "easy"}
_READY = (
    "async () => { await navigator.serviceWorker.ready; return navigator.serviceWorker.controller !== null }"
)
_KEPT = """async () => {
    const kept = [];
    for (const name of await caches.keys()) {
        const requests = await (await caches.open(name)).keys();
        for (const request of requests) kept.push([name, new URL(request.url).pathname]);
    }
    return kept;
}"""


def wait_for_the_worker(page: Page) -> None:
    """Wait until the worker answers for the page."""
    page.wait_for_function(_READY)


def kept(page: Page) -> list[tuple[str, str]]:
    """Every address that the browser keeps, with the name of its cache."""
    return [(name, path) for name, path in page.evaluate(_KEPT)]


def test_the_browser_finds_nothing_that_keeps_the_page_from_being_installed(person: NewPerson) -> None:
    page = person().page
    page.goto("/")
    wait_for_the_worker(page)
    devtools = page.context.new_cdp_session(page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["name"] == "Haggis"
    faults = [
        each["errorId"] for each in devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    ]
    assert [fault for fault in faults if fault != "in-incognito"] == []


def test_the_worker_keeps_the_shell_and_never_a_table(person: NewPerson) -> None:
    somebody = person()
    page = somebody.sit_at(somebody.make(seats=[ME, AI]))
    wait_for_the_worker(page)
    page.reload()
    expect(page.locator(".hand button.card").first).to_be_visible()
    paths = {path for _, path in kept(page)}
    assert {"/offline", "/static/web/table/table.js", "/static/web/css/base.css"} <= paths
    assert {path for path in paths if not path.startswith("/static/web/")} == {"/offline"}


def without_a_network(somebody: Person, address: str) -> Page:
    """The page that is shown there when nothing can be reached."""
    page = somebody.page
    page.goto("/")
    wait_for_the_worker(page)
    somebody.context.set_offline(True)
    page.goto(address)
    return page


def test_without_a_network_a_page_says_so_and_goes_on_when_there_is_one(person: NewPerson) -> None:
    somebody = person()
    table = somebody.make(seats=[ME, AI])
    page = without_a_network(somebody, f"/matches/{table['id']}")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper in {"rgb(243, 239, 230)", "rgb(20, 27, 24)"}, "the styles are kept too"
    assert page.locator(".card").count() == 0
    somebody.context.set_offline(False)
    expect(page.locator(".hand button.card").first).to_be_visible()


def test_trying_again_in_vain_says_so(person: NewPerson) -> None:
    page = without_a_network(person(), "/rules")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("status")).to_contain_text("Still offline.")


def test_an_upgrade_takes_the_place_of_what_was_kept(person: NewPerson) -> None:
    """Another version at the same address: the next page has it, and nothing of the last one is kept."""
    page = person().page
    page.goto("/")
    wait_for_the_worker(page)
    [before] = {name for name, _ in kept(page)}
    script: Any = page.evaluate("async () => (await fetch('/sw.js')).text()")
    version = before.rpartition("-")[2]
    page.context.route(
        "**/sw.js",
        lambda route: route.fulfill(
            body=script.replace(version, "another0version0"), content_type="text/javascript"
        ),
    )
    page.evaluate("async () => { await (await navigator.serviceWorker.getRegistration()).update() }")
    page.wait_for_function("async () => (await caches.keys()).join() === 'haggis-shell-another0version0'")
    assert len(kept(page)) > 50
