"""Push messages: the offer at the table, the account page and the service worker.

The browsers subscribe at a push service of the test instead of their maker's; everything else is real.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Worker, expect

from tests.browser.conftest import NewPerson, server_with_fast_ai
from tests.browser.players import Person
from tests.browser.test_accessibility import accessibility_violations
from tests.browser.test_installed_app import wait_for_service_worker
from tests.support.processes import Web, serving
from tests.support.receiver import Receiver, decrypt, push_subscription, run_receiver

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
    """Provide the push service of the test."""
    with run_receiver() as receiver:
        receiver.answer = lambda _: 201
        yield receiver


@pytest.fixture(scope="module")
def push_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Provide the URL of a server that sends push messages after a short delay."""
    web: Web = server_with_fast_ai(tmp_path_factory.mktemp("push"))
    environment = {**web.environment, "HAGGIS_PUSH_KEY": KEY, "HAGGIS_TURN_PUSH_SECONDS": "1"}
    web = Web(web.command, web.data, web.port, environment)
    with serving(web):
        yield f"http://127.0.0.1:{web.port}"


def install_push_stub(somebody: Person, push_service: Receiver, name: str) -> None:
    """Make the browser subscribe at the push service of the test."""
    given = json.dumps(push_subscription(name, push_service.url))
    somebody.context.add_init_script(f"({_BROWSER})({given})")


def turn_on(page: Page) -> None:
    """Enable push messages on the account page."""
    page.goto("/account")
    page.get_by_role("button", name="Enable on this device").click()
    expect(page.get_by_role("status").filter(has_text="Notifications are on")).to_be_visible()


def test_waiting_player_accepts_the_offer_and_is_notified(
    person: NewPerson, push_site: str, push_service: Receiver
) -> None:
    first, second = person(push_site), person(push_site)
    install_push_stub(second, push_service, "seconds")
    table = first.create_match(players=2, seats=[ME, {"kind": "open"}])
    second.api("POST", f"/matches/{table['id']}/join")
    state = first.api("GET", f"/matches/{table['id']}")
    waiting, acting = (second, first) if state["you"]["to_act"] else (first, second)
    if waiting is first:
        install_push_stub(first, push_service, "firsts")
    page = waiting.open_table(table)
    page.get_by_role("button", name="Enable").click()
    expect(page.get_by_role("status").filter(has_text="Notifications are on")).to_be_visible()
    page.goto("/rules")
    acting.open_table(table)
    acting.page.locator(".hand button.card").first.click()
    acting.page.get_by_role("button", name="Play", exact=True).click()
    [received] = push_service.wait_for(1)
    message = json.loads(decrypt(received.body))
    assert (message["kind"], message["path"]) == ("your_turn", f"/matches/{table['id']}")


def test_declined_offer_is_not_repeated(person: NewPerson, push_site: str, push_service: Receiver) -> None:
    first, second = person(push_site), person(push_site)
    table = first.create_match(players=2, seats=[ME, {"kind": "open"}])
    second.api("POST", f"/matches/{table['id']}/join")
    waiting = second if first.api("GET", f"/matches/{table['id']}")["you"]["to_act"] else first
    install_push_stub(waiting, push_service, "nobodys")
    page = waiting.open_table(table)
    page.get_by_role("button", name="No, thanks").click()
    expect(page.locator(".offer")).to_have_count(0)
    page.reload()
    expect(page.locator(".prompt").first).to_contain_text("Waiting for")
    expect(page.locator(".offer")).to_have_count(0)


def test_account_page_manages_push_messages(
    person: NewPerson, push_site: str, push_service: Receiver
) -> None:
    somebody = person(push_site)
    install_push_stub(somebody, push_service, "mine")
    somebody.api("GET", "/me")
    page = somebody.page
    turn_on(page)
    assert accessibility_violations(page) == []
    assert somebody.api("GET", "/me")["notifications"]["push"] == ["invitation", "match_end", "your_turn"]
    page.get_by_label("Time running out").last.check()
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    assert "reminder" in somebody.api("GET", "/me")["notifications"]["push"]
    page.get_by_role("button", name="Send test notification").click()
    [received] = push_service.wait_for(1)
    assert json.loads(decrypt(received.body))["title"] == "Notifications work on this device"
    page.get_by_role("button", name="Disable on this device").click()
    expect(page.get_by_role("button", name="Enable on this device")).to_be_visible()
    assert somebody.api("GET", "/me/devices")["results"] == []


def test_other_device_is_removed(person: NewPerson, push_site: str, push_service: Receiver) -> None:
    somebody = person(push_site)
    somebody.api(
        "POST", "/me/devices", {**push_subscription("old", push_service.url), "name": "the old phone"}
    )
    page = somebody.page
    page.goto("/account")
    page.get_by_role("button", name="Remove the old phone").click()
    expect(page.get_by_role("button", name="Remove the old phone")).to_have_count(0)
    assert somebody.api("GET", "/me/devices")["results"] == []


def test_log_out_removes_the_device(person: NewPerson, push_site: str, push_service: Receiver) -> None:
    somebody = person(push_site)
    install_push_stub(somebody, push_service, "leaving")
    somebody.api("GET", "/me")
    turn_on(somebody.page)
    [device] = somebody.api("GET", "/me/devices")["results"]
    with somebody.page.expect_response(re.compile(rf"/me/devices/{device['id']}$")) as taken_off:
        somebody.page.get_by_role("button", name="Discard guest account").click()
    assert taken_off.value.status == 204
    expect(somebody.page.get_by_role("heading", name="Log in or create an account")).to_be_visible()
    assert somebody.page.evaluate("localStorage.getItem('haggis.device')") is None


def test_nothing_is_offered_without_a_push_key(person: NewPerson) -> None:
    somebody = person()
    somebody.api("GET", "/me")
    with somebody.page.expect_response("**/api/v1/push/key") as asked:
        somebody.page.goto("/account")
    assert asked.value.status == 404
    expect(somebody.page.get_by_role("heading", name="Display name")).to_be_visible()
    expect(somebody.page.locator("haggis-devices > *")).to_have_count(0)


# --- Messages in the service worker

MESSAGE = {"kind": "your_turn", "title": "Your turn", "body": "Go on.", "path": "/rules", "tag": "m_1"}


def service_worker_of(somebody: Person) -> Worker:
    """Return the service worker of this browser, with permission for notifications."""
    somebody.context.grant_permissions(["notifications"])
    somebody.page.goto("/")
    wait_for_service_worker(somebody.page)
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


def test_later_message_replaces_an_earlier_one(person: NewPerson) -> None:
    worker = service_worker_of(person())
    shown = {"title": "Your turn", "body": "Go on.", "tag": "m_1", "path": "/rules"}
    assert worker.evaluate(_PUSH, MESSAGE) == [shown]
    later: dict[str, Any] = {**MESSAGE, "title": "Your match is over"}
    assert worker.evaluate(_PUSH, later) == [{**shown, "title": "Your match is over"}]


def test_no_notification_while_the_table_has_focus(person: NewPerson) -> None:
    somebody = person()
    worker = service_worker_of(somebody)
    somebody.page.goto("/rules")
    somebody.page.bring_to_front()
    somebody.page.wait_for_function("document.hasFocus()")
    assert worker.evaluate(_PUSH, MESSAGE) == []


def test_click_on_a_notification_opens_the_table(person: NewPerson) -> None:
    worker = service_worker_of(person())
    worker.evaluate(_PUSH, MESSAGE)
    assert worker.evaluate(_CLICK) == [["/rules"], 0]
