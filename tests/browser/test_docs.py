"""The documentation in the browser: it works under the policy of the service, and its search finds pages."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from csp.utils import build_policy
from playwright.sync_api import Browser, expect

from tools.build_clients import ROOT

pytestmark = pytest.mark.needs("chromium")


class Handler(SimpleHTTPRequestHandler):
    """Serves files with the policy that the service sends."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", build_policy())
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- as the base class names it
        """Do not log requests."""


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    root = tmp_path_factory.mktemp("served")
    mkdocs = Path(sys.executable).with_name("mkdocs")
    subprocess.run(
        [mkdocs, "build", "--strict", "--quiet", "--site-dir", root / "docs"], cwd=ROOT, check=True
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(root))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/docs/"
        server.shutdown()


def test_search_finds_an_error_code(chromium: Browser, docs: str) -> None:
    page = chromium.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(docs)
    page.get_by_role("textbox", name="Search").fill("stale_version")
    page.locator("a[href$='errors/?h=stale_version#stale_version']").click()
    expect(page).to_have_url(f"{docs}errors/?h=stale_version#stale_version")
    expect(page.get_by_role("heading", name="stale_version")).to_be_in_viewport()
    assert problems == []
    page.close()


@pytest.mark.parametrize("width", (320, 390, 1440))
def test_pages_do_not_scroll_sideways(chromium: Browser, docs: str, width: int) -> None:
    page = chromium.new_page(viewport={"width": width, "height": 800})
    for path in ("", "errors/", "limits/", "how-it-works/", "guide/front-end/", "quickstart/go/"):
        page.goto(docs + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    page.close()
