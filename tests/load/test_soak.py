"""Whole matches by clients and by AIs for as long as one likes: no fault, and memory that stays as it is.

`HAGGIS_SOAK_MINUTES` says for how long: seconds in `make test`, 30 minutes in `make soak`. Growth takes its
time to show, so memory is judged after a warm-up, and only where as much work again was done after it. What
made it grow once, heaps for every other thread, shows at once, and is looked for however short it is.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.chaos.conftest import StartStack
from tests.chaos.matches import play_out
from tests.chaos.servers import Running, Web, web_on_sqlite
from tests.chaos.stored import check_folded
from tests.load.memory import Sampler, heaps_of_threads
from tests.load.visitors import Visitors

MINUTES: Final = float(os.environ.get("HAGGIS_SOAK_MINUTES", "0.2"))
VISITORS: Final = int(os.environ.get("HAGGIS_SOAK_VISITORS", "4"))
# Seconds of CPU in which whatever is kept up to a bound has come to it: of one process, and of all together.
WARM_UP: Final = 60.0
WARM_UP_OF_STACK: Final = 300.0
MOST_GROWTH: Final = 1.10
# The server of a desk is killed after this part of the time.
KILLED_AFTER: Final = 1 / 3
SECONDS_FOR_AIS_TO_END: Final = 600
# What the engine keeps of hands is bounded, and is to be at its bound when memory is first looked at.
ENGINE_MEGABYTES: Final = "8"

pytestmark = pytest.mark.timeout(1000 + int(MINUTES * 60 * 1.5))


def process_ids(programs: dict[str, Running]) -> dict[str, int]:
    """The ids of those that run."""
    return {name: each.process.pid for name, each in programs.items() if each.process is not None}


def judge(what: str, warm_up: float, visitors: Visitors, memory: Sampler) -> None:
    """Print what was done, and hold the memory to its bound where it had the time to grow."""
    told, worked = memory.early_and_late(warm_up), memory.worked[-1]
    print(  # noqa: T201 -- for `make soak`
        f"{what}: {len(memory.samples) * memory.every / 60:.1f} minutes, {worked:.0f} s of CPU;"
        f" {visitors.finished} matches, {visitors.of_ais} of AIs alone, {len(visitors.times)} requests"
        f" {dict(visitors.said)}; megabytes early and late: {told}"
    )
    if worked >= 2 * warm_up:
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
    play_out(stack, visitors.running, SECONDS_FOR_AIS_TO_END)
    check_folded(stack)
    judge("the whole stack", WARM_UP_OF_STACK, visitors, memory)
    assert not visitors.said


@pytest.fixture
def one_process(tmp_path: Path) -> Iterator[Web]:
    """The whole product in one process."""
    web = web_on_sqlite(tmp_path)
    try:
        web.start()
        yield web
    finally:
        web.kill()


def play_on(web: Web, visitors: Visitors, minutes: float) -> Sampler:
    """Have them play for so long on this server; its memory meanwhile."""
    every = max(1.0, min(10.0, minutes * 60 / 100))
    with Sampler(lambda: process_ids({"make run": web.running}), every) as memory:
        visitors.play_for(minutes * 60)
    assert web.running.process is not None
    assert heaps_of_threads(web.running.process.pid) == 0
    return memory


def test_the_product_in_one_process_stays_as_it_is_and_goes_on_after_a_kill(one_process: Web) -> None:
    """What `make run` starts, on SQLite, as it comes, with AIs that play all the time."""
    before, after = MINUTES * KILLED_AFTER, MINUTES * (1 - KILLED_AFTER)
    with Visitors(one_process.port, players=VISITORS) as visitors:
        first_life = play_on(one_process, visitors, before)
        assert not visitors.said
        judge("make run", WARM_UP, visitors, first_life)
        interrupted = tuple(visitors.running)
        one_process.kill()
        one_process.start()
        second_life = play_on(one_process, visitors, max(after, 1 / 6))
    play_out(one_process, [*interrupted, *visitors.running], SECONDS_FOR_AIS_TO_END)
    assert visitors.said.keys() <= {"nothing"}
    check_folded(one_process)
    judge("make run, killed and started again", WARM_UP, visitors, second_life)
