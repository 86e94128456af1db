"""People at browsers, who act on what the pages show."""

import re
import time
from typing import Any, Final

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

MATCH_TIMEOUT_SECONDS: Final = 200
# Console messages about failed requests, which the pages handle.
_EXPECTED_ERROR: Final = re.compile(
    r"the server responded with a status of (40[0-9]|42[0-9])"
    r"|ERR_(CONNECTION|INCOMPLETE|INTERNET|EMPTY|FAILED)"
)

_CALL_API: Final = """async ([method, path, body]) => {
    const { asPlayer } = await import("/static/web/lib/auth.js");
    const api = await import("/static/web/lib/api.js");
    const ask = { GET: api.get, POST: api.post, PATCH: api.patch }[method];
    return asPlayer(() => ask(path, ...(method === "GET" ? [] : [body ?? {}])));
}"""


class Person:
    """A browser context with a page."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.errors: list[str] = []
        self.page = self.new_page()

    def new_page(self) -> Page:
        """Open another tab."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._on_console_message)
        return page

    def _on_console_message(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not _EXPECTED_ERROR.search(message.text):
            self.errors.append(message.text)

    # --- API calls with the token of the page, to prepare a match

    def api(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Call the API as the player of this browser, as a guest if needed."""
        self.page.goto("/account")
        return self.page.evaluate(_CALL_API, [method, path, body])

    def create_match(self, **body: Any) -> dict[str, Any]:
        """Create a match."""
        table: dict[str, Any] = self.api(
            "POST", "/matches", {"ruleset": "classic", "turn_seconds": None, **body}
        )
        return table

    def create_match_with_own_lead(self, **body: Any) -> dict[str, Any]:
        """Create matches until the drawn leader is this person."""
        while True:
            table = self.create_match(**body)
            if table["you"]["to_act"]:
                return table

    def hide_tips(self) -> None:
        """Switch the tips of the first matches off on the pages that are opened from now on."""
        self.context.add_init_script(
            "if (location.origin !== 'null') localStorage.setItem('haggis.tips', '{\"off\": true}')"
        )

    def open_table(self, table: dict[str, Any]) -> Page:
        """Open the page of a match."""
        self.page.goto(f"/matches/{table['id']}")
        expect(self.page.locator(".hand button.card, .waiting, .result").first).to_be_visible()
        return self.page


def select_cards(page: Page, *names: str) -> None:
    """Select cards by the beginning of their accessible names."""
    for name in names:
        page.locator(".hand").get_by_role("button", name=re.compile(f"^{name}")).first.click()


def take_turn(page: Page) -> bool:
    """Take the simplest action; return `False` if it is not the person's turn."""
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
    suggestions, nothing = page.locator(".plays .chip"), page.locator(".readings", has_text="You cannot beat")
    expect(suggestions.first.or_(nothing)).to_be_visible()
    if nothing.is_visible():
        page.get_by_role("button", name="Pass", exact=True).click()
        return
    suggestions.first.click()
    expect(page.get_by_role("radio").first).to_be_visible()
    if not page.locator(".reading.chosen").count():
        page.locator(".reading:not(.no)").first.click()
    page.get_by_role("button", name="Play", exact=True).click()


def close_sheet(page: Page) -> None:
    """Close the sheet above the table."""
    sheet = page.locator("dialog.sheet[open]")
    if sheet.is_visible():
        sheet.get_by_role("button", name=re.compile("Continue|See the result|Close")).click()


def play_to_the_end(*pages: Page) -> None:
    """Take turns on all pages until everybody sees the result."""
    deadline = time.monotonic() + MATCH_TIMEOUT_SECONDS
    while not all(page.locator(".result").is_visible() for page in pages):
        assert time.monotonic() < deadline, pages[0].locator("body").inner_text()
        acted = [take_turn(page) for page in pages]
        if not any(acted):
            pages[0].wait_for_timeout(50)
    for page in pages:
        close_sheet(page)
