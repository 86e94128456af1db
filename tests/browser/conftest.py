"""The service as `make run` serves it, and the installed Chromium."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.players import Person
from tests.support.processes import Web, serving, web_on_sqlite

# For machines without a display, for any user, and for containers.
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
AI_WAIT = "0.05"

# A shared machine may be slow.
expect.set_options(timeout=20_000)

NewPerson = Callable[..., Person]


def server_with_fast_ai(data: Path, **environment: str) -> Web:
    """Return a server whose AI seats move almost immediately."""
    web = web_on_sqlite(data)
    web.environment["HAGGIS_AI_WAIT_SECONDS"] = AI_WAIT
    web.environment.update(environment)
    return Web(web.command, web.data, web.port, web.environment)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Provide the URL of a server shared by all browser tests."""
    web = server_with_fast_ai(tmp_path_factory.mktemp("site"))
    with serving(web):
        yield f"http://127.0.0.1:{web.port}"


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Web]:
    """Provide a server for one test, which may kill it."""
    with serving(server_with_fast_ai(tmp_path)) as web:
        yield web


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Provide the browser, per module: while it runs, its thread has an event loop."""
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        with playwright.chromium.launch(executable_path=path, args=list(FLAGS)) as browser:
            yield browser


@pytest.fixture
def person(chromium: Browser, site: str) -> Iterator[NewPerson]:
    """Return a function that opens a browser context; errors on its pages fail the test."""
    persons: list[Person] = []

    def open_browser(address: str = site, **context: object) -> Person:
        options: dict[str, Any] = {"base_url": address, "reduced_motion": "reduce", **context}
        persons.append(Person(chromium.new_context(**options)))
        return persons[-1]

    yield open_browser
    errors = [error for each in persons for error in each.errors]
    for each in persons:
        each.context.close()
    assert errors == []


@pytest.fixture
def page(person: NewPerson) -> Page:
    """Provide the page of one person."""
    return person().page
