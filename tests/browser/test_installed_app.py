"""The pages as an installed app: the cache of the service worker, and the offline page."""

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
_CACHED_URLS = """async () => {
    const kept = [];
    for (const name of await caches.keys()) {
        const requests = await (await caches.open(name)).keys();
        for (const request of requests) kept.push([name, new URL(request.url).pathname]);
    }
    return kept;
}"""


def wait_for_service_worker(page: Page) -> None:
    """Wait until the service worker controls the page."""
    page.wait_for_function(_READY)


def cached_urls(page: Page) -> list[tuple[str, str]]:
    """Return every cached path with the name of its cache."""
    return [(name, path) for name, path in page.evaluate(_CACHED_URLS)]


def test_page_is_installable(person: NewPerson) -> None:
    page = person().page
    page.goto("/")
    wait_for_service_worker(page)
    devtools = page.context.new_cdp_session(page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["name"] == "Haggis"
    errors = [
        each["errorId"] for each in devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    ]
    assert [error for error in errors if error != "in-incognito"] == []


def test_service_worker_caches_the_shell_and_no_table(person: NewPerson) -> None:
    somebody = person()
    page = somebody.open_table(somebody.create_match(seats=[ME, AI]))
    wait_for_service_worker(page)
    page.reload()
    expect(page.locator(".hand button.card").first).to_be_visible()
    paths = {path for _, path in cached_urls(page)}
    assert {"/offline", "/static/web/table/table.js", "/static/web/css/base.css"} <= paths
    assert {path for path in paths if not path.startswith("/static/web/")} == {"/offline"}


def open_offline(somebody: Person, address: str) -> Page:
    """Go offline and open a page."""
    page = somebody.page
    page.goto("/")
    wait_for_service_worker(page)
    somebody.context.set_offline(True)
    page.goto(address)
    return page


def test_offline_page_is_shown_until_the_network_is_back(person: NewPerson) -> None:
    somebody = person()
    table = somebody.create_match(seats=[ME, AI])
    page = open_offline(somebody, f"/matches/{table['id']}")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper in {"rgb(243, 239, 230)", "rgb(20, 27, 24)"}, "the styles are kept too"
    assert page.locator(".card").count() == 0
    somebody.context.set_offline(False)
    expect(page.locator(".hand button.card").first).to_be_visible()


def test_retrying_offline_shows_a_message(person: NewPerson) -> None:
    page = open_offline(person(), "/rules")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("status")).to_contain_text("Still offline.")


def test_upgraded_service_worker_replaces_its_cache(person: NewPerson) -> None:
    """Another version at the same URL replaces the whole cache."""
    page = person().page
    page.goto("/")
    wait_for_service_worker(page)
    [before] = {name for name, _ in cached_urls(page)}
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
    assert len(cached_urls(page)) > 50
