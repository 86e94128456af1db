"""People at browsers: what they do at a table by what they see there."""

import re
import time
from typing import Any, Final

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

SECONDS_FOR_A_MATCH: Final = 200
# What a browser says of an answer that is no, and that the page shows in its own words.
_REFUSED: Final = re.compile(
    r"the server responded with a status of (40[0-9]|42[0-9])"
    r"|ERR_(CONNECTION|INCOMPLETE|INTERNET|EMPTY|FAILED)"
)

_ASK: Final = """async ([method, path, body]) => {
    const { asPlayer } = await import("/static/web/lib/auth.js");
    const api = await import("/static/web/lib/api.js");
    const ask = { GET: api.get, POST: api.post, PATCH: api.patch }[method];
    return asPlayer(() => ask(path, ...(method === "GET" ? [] : [body ?? {}])));
}"""


class Person:
    """Somebody at one browser, with the page that they look at."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.complaints: list[str] = []
        self.page = self.new_page()

    def new_page(self) -> Page:
        """Another tab."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._heard)
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not _REFUSED.search(message.text):
            self.complaints.append(message.text)

    # --- What the page does, done by the same token: to make a table as a test needs it

    def api(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Ask the API as the person who plays in this browser; a guest where nobody does."""
        self.page.goto("/account")
        return self.page.evaluate(_ASK, [method, path, body])

    def make(self, **body: Any) -> dict[str, Any]:
        """Make a match."""
        table: dict[str, Any] = self.api(
            "POST", "/matches", {"ruleset": "classic", "turn_seconds": None, **body}
        )
        return table

    def make_led_by_me(self, **body: Any) -> dict[str, Any]:
        """Make matches until one is led by the person: who leads is drawn."""
        while True:
            table = self.make(**body)
            if table["you"]["to_act"]:
                return table

    def sit_at(self, table: dict[str, Any]) -> Page:
        """Go to a table."""
        self.page.goto(f"/matches/{table['id']}")
        expect(self.page.locator(".hand button.card, .waiting, .result").first).to_be_visible()
        return self.page


def pick(page: Page, *names: str) -> None:
    """Pick cards by what a screen reader calls them, or by how that begins."""
    for name in names:
        page.locator(".hand").get_by_role("button", name=re.compile(f"^{name}")).first.click()


def take_turn(page: Page) -> bool:
    """Do what is to be done, the plainest way; False when there is nothing."""
    close_sheet(page)
    felt = page.locator(".felt")
    if page.locator(".prompt.your-turn").count() == 0:
        return False
    version = felt.get_attribute("data-version") or ""
    award = page.get_by_role("group", name="Who captures the trick?")
    if award.is_visible():
        award.get_by_role("button").first.click()
    else:
        _play_or_pass(page)
    expect(felt).not_to_have_attribute("data-version", version)
    return True


def _play_or_pass(page: Page) -> None:
    page.get_by_role("button", name="What can I play?").click()
    offers, nothing = page.locator(".plays .chip"), page.get_by_text("You cannot beat this play.")
    expect(offers.first.or_(nothing)).to_be_visible()
    if nothing.is_visible():
        page.get_by_role("button", name="Pass", exact=True).click()
        return
    offers.first.click()
    expect(page.get_by_role("radio").first).to_be_visible()
    if not page.locator(".reading.chosen").count():
        page.locator(".reading:not(.no)").first.click()
    page.get_by_role("button", name="Play", exact=True).click()


def close_sheet(page: Page) -> None:
    """Put away what is shown above the table."""
    sheet = page.locator("dialog.sheet[open]")
    if sheet.is_visible():
        sheet.get_by_role("button", name=re.compile("Continue|See the result|Close")).click()


def play_to_the_end(*pages: Page) -> None:
    """Take turns, each person at their own page, until everybody sees the result."""
    give_up = time.monotonic() + SECONDS_FOR_A_MATCH
    while not all(page.locator(".result").is_visible() for page in pages):
        assert time.monotonic() < give_up, pages[0].locator("body").inner_text()
        acted = [take_turn(page) for page in pages]
        if not any(acted):
            pages[0].wait_for_timeout(50)
    for page in pages:
        close_sheet(page)
