"""The service as `make run` serves it, and the chromium that is installed."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.players import Person
from tests.chaos.servers import Web, web_on_sqlite

# Runs without a display, as any user, in a container too.
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
AI_WAIT = "0.05"

# A shared machine may be slow; a page that is right is not wrong for that.
expect.set_options(timeout=20_000)

NewPerson = Callable[..., Person]


def served(data: Path) -> Web:
    """A server whose AI seats hardly wait."""
    web = web_on_sqlite(data)
    web.environment["HAGGIS_AI_WAIT_SECONDS"] = AI_WAIT
    return Web(web.command, web.data, web.port, web.environment)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that all these tests share."""
    web = served(tmp_path_factory.mktemp("site"))
    web.start()
    yield f"http://127.0.0.1:{web.port}"
    web.kill()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Web]:
    """A server of the test's own, to be killed."""
    web = served(tmp_path)
    web.start()
    yield web
    web.kill()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser, gone before another module's tests begin: while it is there, this thread has a loop."""
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        with playwright.chromium.launch(executable_path=path, args=list(FLAGS)) as browser:
            yield browser


@pytest.fixture
def person(chromium: Browser, site: str) -> Iterator[NewPerson]:
    """Somebody at a browser of their own; whatever the page complains of fails the test."""
    people: list[Person] = []

    def come(address: str = site, **context: object) -> Person:
        wanted: dict[str, Any] = {"base_url": address, "reduced_motion": "reduce", **context}
        people.append(Person(chromium.new_context(**wanted)))
        return people[-1]

    yield come
    complaints = [complaint for each in people for complaint in each.complaints]
    for each in people:
        each.context.close()
    assert complaints == []


@pytest.fixture
def page(person: NewPerson) -> Page:
    """One page of one person."""
    return person().page
