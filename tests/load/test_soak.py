"""Whole matches by clients and AIs for a long time, without errors and without memory growth.

`HAGGIS_SOAK_MINUTES` is the duration: seconds in `make test`, 30 minutes in `make soak`. Growth takes time to
show, so memory is compared after a warm-up, and only if as much work again was done after it. Arenas of
threads, which once caused growth, show at once and are always checked.
"""

import os
from typing import Final

import pytest

from tests.chaos.conftest import StartStack
from tests.load.memory import Sampler, count_thread_arenas
from tests.load.visitors import Visitors
from tests.support.processes import ManagedProcess, Web
from tests.support.requirements import needs_stack
from tests.support.stored_matches import verify_logs, wait_until_finished

MINUTES: Final = float(os.environ.get("HAGGIS_SOAK_MINUTES", "0.2"))
VISITORS: Final = int(os.environ.get("HAGGIS_SOAK_VISITORS", "4"))
# CPU seconds until bounded caches are full: in one process, and in all together.
WARM_UP_CPU_SECONDS: Final = 60.0
STACK_WARM_UP_CPU_SECONDS: Final = 300.0
MAX_GROWTH: Final = 1.10
# The single process is killed after this fraction of the time.
KILL_AFTER_FRACTION: Final = 1 / 3
AI_MATCH_TIMEOUT_SECONDS: Final = 600
# A small cache of the engine, which is full when memory is first sampled.
ENGINE_MEGABYTES: Final = "8"

pytestmark = pytest.mark.timeout(1000 + int(MINUTES * 60 * 1.5))


def process_ids(programs: dict[str, ManagedProcess]) -> dict[str, int]:
    """Return the ids of the running processes."""
    return {name: each.process.pid for name, each in programs.items() if each.process is not None}


def report(name: str, warm_up: float, visitors: Visitors, memory: Sampler) -> None:
    """Print the results; check the growth of memory if there was enough work."""
    result, cpu_used = memory.early_and_late(warm_up), memory.cpu_used[-1]
    print(  # noqa: T201 -- output of `make soak`
        f"{name}: {len(memory.samples) * memory.interval / 60:.1f} minutes, {cpu_used:.0f} s of CPU;"
        f" {visitors.finished} matches, {visitors.ai_matches_finished} between AIs,"
        f" {len(visitors.timings)} requests {dict(visitors.failures)}; megabytes early and late: {result}"
    )
    if cpu_used >= 2 * warm_up:
        early, late = result["all"]
        assert late <= early * MAX_GROWTH


@needs_stack
def test_memory_of_the_whole_stack_does_not_grow(start_stack: StartStack) -> None:
    stack = start_stack(HAGGIS_ENGINE_MEGABYTES=ENGINE_MEGABYTES)
    interval = max(1.0, MINUTES * 60 / 100)
    sampler = Sampler(lambda: process_ids(stack.running), interval)
    with sampler as memory, Visitors(stack.port, players=VISITORS) as visitors:
        visitors.play_for(MINUTES * 60)
    wait_until_finished(stack, visitors.ai_matches, AI_MATCH_TIMEOUT_SECONDS)
    verify_logs(stack)
    report("the whole stack", STACK_WARM_UP_CPU_SECONDS, visitors, memory)
    assert not visitors.failures


def play_for(web: Web, visitors: Visitors, minutes: float) -> Sampler:
    """Let visitors play on this server for this time; return its memory samples."""
    interval = max(1.0, min(10.0, minutes * 60 / 100))
    with Sampler(lambda: process_ids({"make run": web.running}), interval) as memory:
        visitors.play_for(minutes * 60)
    assert web.running.process is not None
    assert count_thread_arenas(web.running.process.pid) == 0
    return memory


def test_memory_of_the_single_process_does_not_grow_also_after_a_kill(on_sqlite: Web) -> None:
    """The server of `make run` on SQLite, with AIs that play all the time."""
    before, after = MINUTES * KILL_AFTER_FRACTION, MINUTES * (1 - KILL_AFTER_FRACTION)
    with Visitors(on_sqlite.port, players=VISITORS) as visitors:
        memory_before_kill = play_for(on_sqlite, visitors, before)
        assert not visitors.failures
        report("make run", WARM_UP_CPU_SECONDS, visitors, memory_before_kill)
        interrupted = tuple(visitors.ai_matches)
        on_sqlite.kill()
        on_sqlite.start()
        memory_after_kill = play_for(on_sqlite, visitors, max(after, 1 / 6))
    wait_until_finished(on_sqlite, [*interrupted, *visitors.ai_matches], AI_MATCH_TIMEOUT_SECONDS)
    assert visitors.failures.keys() <= {"nothing"}
    verify_logs(on_sqlite)
    report("make run, killed and started again", WARM_UP_CPU_SECONDS, visitors, memory_after_kill)
