"""The API documentation in a browser, under a policy that blocks other origins."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(180)]


def test_api_documentation_shows_operations_and_sends_requests(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/api/docs/")
    expect(page.get_by_text("Play at once, as a guest")).to_be_visible(timeout=60_000)
    page.get_by_text("Play at once, as a guest").click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    expect(page.locator(".live-responses-table .response .response-col_status")).to_have_text(
        re.compile("201")
    )
    here = page.url.partition("/api/")[0]
    assert [url for url in asked if not url.startswith((here, "data:", "blob:"))] == []
