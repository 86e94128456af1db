"""Being told on a device: the offer at the table, the account page, and what the service worker shows.

Where a real browser asks the push service of its maker, these ask one of the test's own; all else is real.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Worker, expect

from tests.browser.conftest import NewPerson, served
from tests.browser.players import Person
from tests.browser.test_access import serious_faults
from tests.browser.test_installed import wait_for_the_worker
from tests.chaos.servers import Web
from tests.games.api.push.subscriptions import read, subscription
from tests.receiver import Receiver, receiving

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

KEY = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"
ME = {"kind": "me"}
_BROWSER = """given => {
    let there = JSON.parse(sessionStorage.getItem("pushed"));
    const made = () => there && {
        endpoint: there.endpoint,
        toJSON: () => ({ ...there, expirationTime: null }),
        unsubscribe: async () => { there = null; sessionStorage.removeItem("pushed"); return true; },
    };
    PushManager.prototype.getSubscription = async () => made();
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
        if (!userVisibleOnly || applicationServerKey.length !== 87) throw new TypeError("no key");
        there = given;
        sessionStorage.setItem("pushed", JSON.stringify(there));
        return made();
    };
    Notification.requestPermission = async () => { asked = true; return "granted"; };
    let asked = false;
    const real = Object.getOwnPropertyDescriptor(Notification, "permission");
    const now = () => (asked ? "granted" : real.get.call(Notification));
    const get = () => (now() === "denied" ? "default" : now());
    Object.defineProperty(Notification, "permission", { get });
}"""


@pytest.fixture
def push_service() -> Iterator[Receiver]:
    """Where this test's browsers are reached."""
    with receiving() as there:
        there.answer = lambda _: 201
        yield there


@pytest.fixture(scope="module")
def telling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that sends push messages, and does not wait long."""
    web: Web = served(tmp_path_factory.mktemp("telling"))
    environment = {**web.environment, "HAGGIS_PUSH_KEY": KEY, "HAGGIS_TURN_PUSH_SECONDS": "1"}
    web = Web(web.command, web.data, web.port, environment)
    web.start()
    yield f"http://127.0.0.1:{web.port}"
    web.kill()


def with_device(somebody: Person, push_service: Receiver, name: str) -> None:
    """Let the browser subscribe at the push service of the test."""
    given = json.dumps(subscription(name, push_service.url))
    somebody.context.add_init_script(f"({_BROWSER})({given})")


def turn_on(page: Page) -> None:
    """Have this device told, on the account's page."""
    page.goto("/account")
    page.get_by_role("button", name="Enable on this device").click()
    expect(page.get_by_role("status").filter(has_text="Notifications are on")).to_be_visible()


def test_whoever_waits_is_offered_to_be_told_and_is(
    person: NewPerson, telling: str, push_service: Receiver
) -> None:
    first, second = person(telling), person(telling)
    with_device(second, push_service, "seconds")
    table = first.make(players=2, seats=[ME, {"kind": "open"}])
    second.api("POST", f"/matches/{table['id']}/join")
    state = first.api("GET", f"/matches/{table['id']}")
    waiting, acting = (second, first) if state["you"]["to_act"] else (first, second)
    if waiting is first:
        with_device(first, push_service, "firsts")
    page = waiting.sit_at(table)
    page.get_by_role("button", name="Enable").click()
    expect(page.get_by_role("status").filter(has_text="Notifications are on")).to_be_visible()
    page.goto("/rules")
    acting.sit_at(table)
    acting.page.locator(".hand button.card").first.click()
    acting.page.get_by_role("button", name="Play", exact=True).click()
    [received] = push_service.wait_for(1)
    told = json.loads(read(received.body))
    assert (told["kind"], told["path"]) == ("your_turn", f"/matches/{table['id']}")


def test_whoever_does_not_want_it_is_not_asked_again(
    person: NewPerson, telling: str, push_service: Receiver
) -> None:
    first, second = person(telling), person(telling)
    table = first.make(players=2, seats=[ME, {"kind": "open"}])
    second.api("POST", f"/matches/{table['id']}/join")
    waiting = second if first.api("GET", f"/matches/{table['id']}")["you"]["to_act"] else first
    with_device(waiting, push_service, "nobodys")
    page = waiting.sit_at(table)
    page.get_by_role("button", name="No, thanks").click()
    expect(page.locator(".offer")).to_have_count(0)
    page.reload()
    expect(page.locator(".prompt").first).to_contain_text("Waiting for")
    expect(page.locator(".offer")).to_have_count(0)


def test_the_accounts_page_turns_it_on_and_off_chooses_and_tests(
    person: NewPerson, telling: str, push_service: Receiver
) -> None:
    somebody = person(telling)
    with_device(somebody, push_service, "mine")
    somebody.api("GET", "/me")
    page = somebody.page
    turn_on(page)
    assert serious_faults(page) == []
    assert somebody.api("GET", "/me")["notifications"]["push"] == ["invitation", "match_end", "your_turn"]
    page.get_by_label("Time running out").last.check()
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    assert "reminder" in somebody.api("GET", "/me")["notifications"]["push"]
    page.get_by_role("button", name="Send test notification").click()
    [received] = push_service.wait_for(1)
    assert json.loads(read(received.body))["title"] == "Messages arrive here"
    page.get_by_role("button", name="Disable on this device").click()
    expect(page.get_by_role("button", name="Enable on this device")).to_be_visible()
    assert somebody.api("GET", "/me/devices")["results"] == []


def test_another_device_is_taken_off_the_list(
    person: NewPerson, telling: str, push_service: Receiver
) -> None:
    somebody = person(telling)
    somebody.api("POST", "/me/devices", {**subscription("old", push_service.url), "name": "the old phone"})
    page = somebody.page
    page.goto("/account")
    page.get_by_role("button", name="Remove the old phone").click()
    expect(page.get_by_role("button", name="Remove the old phone")).to_have_count(0)
    assert somebody.api("GET", "/me/devices")["results"] == []


def test_whoever_leaves_is_told_nothing_more_here(
    person: NewPerson, telling: str, push_service: Receiver
) -> None:
    somebody = person(telling)
    with_device(somebody, push_service, "leaving")
    somebody.api("GET", "/me")
    turn_on(somebody.page)
    [device] = somebody.api("GET", "/me/devices")["results"]
    with somebody.page.expect_response(re.compile(rf"/me/devices/{device['id']}$")) as taken_off:
        somebody.page.get_by_role("button", name="Discard guest account").click()
    assert taken_off.value.status == 204
    expect(somebody.page.get_by_role("heading", name="Log in or register")).to_be_visible()
    assert somebody.page.evaluate("localStorage.getItem('haggis.device')") is None


def test_a_service_that_sends_none_offers_none(person: NewPerson) -> None:
    somebody = person()
    somebody.api("GET", "/me")
    with somebody.page.expect_response("**/api/v1/push/key") as asked:
        somebody.page.goto("/account")
    assert asked.value.status == 404
    expect(somebody.page.get_by_role("heading", name="Display name")).to_be_visible()
    expect(somebody.page.locator("haggis-devices > *")).to_have_count(0)


# --- What the service worker makes of a message

TOLD = {"kind": "your_turn", "title": "Your turn", "body": "Go on.", "path": "/rules", "tag": "m_1"}


def worker_of(somebody: Person) -> Worker:
    """The service worker of the pages of this browser, which is allowed to say something."""
    somebody.context.grant_permissions(["notifications"])
    somebody.page.goto("/")
    wait_for_the_worker(somebody.page)
    return somebody.context.service_workers[0]


_PUSH = """async told => {
    const event = new PushEvent("push", { data: JSON.stringify(told) });
    const waited = [];
    event.waitUntil = promise => waited.push(promise);
    self.dispatchEvent(event);
    await Promise.all(waited);
    return (await self.registration.getNotifications()).map(
        ({ title, body, tag, data }) => ({ title, body, tag, path: data.path }));
}"""
_CLICK = """async () => {
    const opened = [];
    self.clients.openWindow = async path => { opened.push(path); };
    const [notification] = await self.registration.getNotifications();
    const event = new NotificationEvent("notificationclick", { notification });
    const waited = [];
    event.waitUntil = promise => waited.push(promise);
    self.dispatchEvent(event);
    await Promise.all(waited);
    return [opened, (await self.registration.getNotifications()).length];
}"""


def test_a_message_is_shown_and_a_later_one_takes_its_place(person: NewPerson) -> None:
    worker = worker_of(person())
    shown = {"title": "Your turn", "body": "Go on.", "tag": "m_1", "path": "/rules"}
    assert worker.evaluate(_PUSH, TOLD) == [shown]
    later: dict[str, Any] = {**TOLD, "title": "Your match is over"}
    assert worker.evaluate(_PUSH, later) == [{**shown, "title": "Your match is over"}]


def test_whoever_looks_at_that_table_is_not_told(person: NewPerson) -> None:
    somebody = person()
    worker = worker_of(somebody)
    somebody.page.goto("/rules")
    somebody.page.bring_to_front()
    somebody.page.wait_for_function("document.hasFocus()")
    assert worker.evaluate(_PUSH, TOLD) == []


def test_a_message_leads_to_its_table(person: NewPerson) -> None:
    worker = worker_of(person())
    worker.evaluate(_PUSH, TOLD)
    assert worker.evaluate(_CLICK) == [["/rules"], 0]
