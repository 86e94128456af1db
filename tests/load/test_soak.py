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

from tests.chaos.ai_matches import wait_until_finished
from tests.chaos.conftest import StartStack
from tests.chaos.servers import ManagedProcess, Web, web_on_sqlite
from tests.chaos.stored_matches import verify_logs
from tests.load.memory import Sampler, count_thread_arenas
from tests.load.visitors import Visitors

MINUTES: Final = float(os.environ.get("HAGGIS_SOAK_MINUTES", "0.2"))
VISITORS: Final = int(os.environ.get("HAGGIS_SOAK_VISITORS", "4"))
# Seconds of CPU in which whatever is kept up to a bound has come to it: of one process, and of all together.
WARM_UP_CPU_SECONDS: Final = 60.0
STACK_WARM_UP_CPU_SECONDS: Final = 300.0
MAX_GROWTH: Final = 1.10
# The server of a desk is killed after this part of the time.
KILL_AFTER_FRACTION: Final = 1 / 3
AI_MATCH_TIMEOUT_SECONDS: Final = 600
# What the engine keeps of hands is bounded, and is to be at its bound when memory is first looked at.
ENGINE_MEGABYTES: Final = "8"

pytestmark = pytest.mark.timeout(1000 + int(MINUTES * 60 * 1.5))


def process_ids(programs: dict[str, ManagedProcess]) -> dict[str, int]:
    """The ids of those that run."""
    return {name: each.process.pid for name, each in programs.items() if each.process is not None}


def report(name: str, warm_up: float, visitors: Visitors, memory: Sampler) -> None:
    """Print what was done, and hold the memory to its bound where it had the time to grow."""
    result, cpu_used = memory.early_and_late(warm_up), memory.cpu_used[-1]
    print(  # noqa: T201 -- for `make soak`
        f"{name}: {len(memory.samples) * memory.interval / 60:.1f} minutes, {cpu_used:.0f} s of CPU;"
        f" {visitors.finished} matches, {visitors.ai_matches_finished} of AIs alone, {len(visitors.timings)} requests"
        f" {dict(visitors.failures)}; megabytes early and late: {result}"
    )
    if cpu_used >= 2 * warm_up:
        early, late = result["all"]
        assert late <= early * MAX_GROWTH


@pytest.mark.needs("postgresql-programs")
@pytest.mark.needs("redis-server")
@pytest.mark.needs("nginx")
def test_every_process_of_production_stays_as_it_is(start_stack: StartStack) -> None:
    stack = start_stack(HAGGIS_ENGINE_MEGABYTES=ENGINE_MEGABYTES)
    interval = max(1.0, MINUTES * 60 / 100)
    sampler = Sampler(lambda: process_ids(stack.running), interval)
    with sampler as memory, Visitors(stack.port, players=VISITORS) as visitors:
        visitors.play_for(MINUTES * 60)
    wait_until_finished(stack, visitors.ai_matches, AI_MATCH_TIMEOUT_SECONDS)
    verify_logs(stack)
    report("the whole stack", STACK_WARM_UP_CPU_SECONDS, visitors, memory)
    assert not visitors.failures


@pytest.fixture
def embedded_server(tmp_path: Path) -> Iterator[Web]:
    """The whole product in one process."""
    web = web_on_sqlite(tmp_path)
    try:
        web.start()
        yield web
    finally:
        web.kill()


def play_for(web: Web, visitors: Visitors, minutes: float) -> Sampler:
    """Have them play for so long on this server; its memory meanwhile."""
    interval = max(1.0, min(10.0, minutes * 60 / 100))
    with Sampler(lambda: process_ids({"make run": web.running}), interval) as memory:
        visitors.play_for(minutes * 60)
    assert web.running.process is not None
    assert count_thread_arenas(web.running.process.pid) == 0
    return memory


def test_the_product_in_one_process_stays_as_it_is_and_goes_on_after_a_kill(embedded_server: Web) -> None:
    """What `make run` starts, on SQLite, as it comes, with AIs that play all the time."""
    before, after = MINUTES * KILL_AFTER_FRACTION, MINUTES * (1 - KILL_AFTER_FRACTION)
    with Visitors(embedded_server.port, players=VISITORS) as visitors:
        memory_before_kill = play_for(embedded_server, visitors, before)
        assert not visitors.failures
        report("make run", WARM_UP_CPU_SECONDS, visitors, memory_before_kill)
        interrupted = tuple(visitors.ai_matches)
        embedded_server.kill()
        embedded_server.start()
        memory_after_kill = play_for(embedded_server, visitors, max(after, 1 / 6))
    wait_until_finished(embedded_server, [*interrupted, *visitors.ai_matches], AI_MATCH_TIMEOUT_SECONDS)
    assert visitors.failures.keys() <= {"nothing"}
    verify_logs(embedded_server)
    report("make run, killed and started again", WARM_UP_CPU_SECONDS, visitors, memory_after_kill)
