"""The size and the CPU time of the first load of a table."""

import gzip

import pytest
from playwright.sync_api import Request

from tests.browser.conftest import NewPerson

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timeout(300)]

MOST_BYTES = 150_000
MOST_CPU_SECONDS = 1.0


def test_first_load_of_a_table_is_within_its_budget(person: NewPerson) -> None:
    somebody = person()
    table = somebody.create_match(players=3, seats=[{"kind": "me"}, *[{"kind": "ai", "level": "easy"}] * 2])
    fresh = person(storage_state=somebody.context.storage_state())
    bodies: list[int] = []

    def weigh(request: Request) -> None:
        response = request.response()
        if response is not None and response.status == 200 and "/events" not in request.url:
            bodies.append(len(gzip.compress(response.body())))

    fresh.page.on("requestfinished", weigh)
    measure = fresh.context.new_cdp_session(fresh.page)
    measure.send("Performance.enable", {"timeDomain": "threadTicks"})  # CPU time, not wall time
    fresh.open_table(table)
    spent = {each["name"]: each["value"] for each in measure.send("Performance.getMetrics")["metrics"]}
    assert len(bodies) > 10
    assert sum(bodies) < MOST_BYTES
    assert spent["TaskDuration"] < MOST_CPU_SECONDS
