"""Whole matches by clients for as long as one likes: no fault of the service, and memory that stays as it is.

`HAGGIS_SOAK_MINUTES` says for how long: seconds in `make test`, 30 minutes in `make soak`. Memory is judged
from ten minutes on.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.chaos.conftest import StartStack
from tests.chaos.servers import Running, Web, web_on_sqlite
from tests.chaos.stored import check_folded
from tests.load.memory import Sampler
from tests.load.visitors import Visitors

MINUTES: Final = float(os.environ.get("HAGGIS_SOAK_MINUTES", "0.2"))
VISITORS: Final = int(os.environ.get("HAGGIS_SOAK_VISITORS", "4"))
LONG_ENOUGH: Final = 10.0
MOST_GROWTH: Final = 1.10
# What the engine keeps of hands is bounded, and is to be at its bound when memory is first looked at.
ENGINE_MEGABYTES: Final = "8"

pytestmark = pytest.mark.timeout(300 + int(MINUTES * 60 * 1.5))


def process_ids(programs: dict[str, Running]) -> dict[str, int]:
    """The ids of those that run."""
    return {name: each.process.pid for name, each in programs.items() if each.process is not None}


def report(what: str, visitors: Visitors, memory: Sampler) -> None:
    """Print what was done, and hold the memory to its bound where it had the time to grow."""
    told = memory.early_and_late()
    print(  # noqa: T201 -- for `make soak`
        f"{what}: {MINUTES:g} minutes, {visitors.finished} matches, {len(visitors.times)} requests,"
        f" {dict(visitors.said)}; megabytes early and late: {told}"
    )
    assert not visitors.said
    assert visitors.finished > 0
    if MINUTES >= LONG_ENOUGH:
        early, late = told["all"]
        assert late <= early * MOST_GROWTH


@pytest.mark.needs("postgresql-programs")
@pytest.mark.needs("redis-server")
@pytest.mark.needs("nginx")
def test_every_process_of_production_stays_as_it_is(start_stack: StartStack) -> None:
    stack = start_stack(HAGGIS_ENGINE_MEGABYTES=ENGINE_MEGABYTES)
    every = max(1.0, MINUTES * 60 / 100)
    sampler = Sampler(lambda: process_ids(stack.running), every)
    with sampler as memory, Visitors(stack.port, players=VISITORS) as visitors:
        visitors.play_for(MINUTES * 60)
    check_folded(stack)
    report("the whole stack", visitors, memory)


@pytest.fixture
def one_process(tmp_path: Path) -> Iterator[Web]:
    """The whole product in one process."""
    web = web_on_sqlite(tmp_path)
    web.environment["HAGGIS_ENGINE_MEGABYTES"] = ENGINE_MEGABYTES
    try:
        web.start()
        yield web
    finally:
        web.kill()


def test_the_product_in_one_process_stays_as_it_is_and_goes_on_after_a_kill(one_process: Web) -> None:
    """What `make run` starts, on SQLite, with AIs that play all the time."""
    every = max(1.0, MINUTES * 60 / 100)
    with Visitors(one_process.port, players=VISITORS) as visitors:
        with Sampler(lambda: process_ids({"make run": one_process.running}), every) as memory:
            visitors.play_for(MINUTES * 60)
        said_before = dict(visitors.said)
        one_process.kill()
        one_process.start()
        finished = visitors.finished
        visitors.play_for(max(10, MINUTES * 2))
    assert not said_before
    assert visitors.finished >= finished
    assert visitors.said.keys() <= {"nothing"}
    visitors.said.clear()
    check_folded(one_process)
    report("make run", visitors, memory)
