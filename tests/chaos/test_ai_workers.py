"""An AI seat always moves: its worker killed in thought, Redis flushed, an exception in the AI.

`HAGGIS_KILLS` says how often each happens; `HAGGIS_AI_MATCHES` how many matches are played meanwhile.
"""

import os
import time
from random import Random
from typing import Final

import pytest

from tests.chaos.ai_matches import (
    count_events,
    create_ai_matches,
    longest_gaps,
    unfinished,
    wait_until_finished,
)
from tests.chaos.conftest import StartStack
from tests.chaos.servers import wait_for
from tests.chaos.stack import STACK_START_TIMEOUT_SECONDS, Redis, Stack
from tests.chaos.stored_matches import TURNS, read_log, verify_logs
from tests.chaos.test_durability import KILLS

AI_MATCHES: Final = int(os.environ.get("HAGGIS_AI_MATCHES", "4"))
MAX_WAIT_SECONDS: Final = 60.0
# A lease of ten seconds, a sweep, and an AI that thinks for one; the rest is for a machine that is busy.
MAX_RECOVERY_SECONDS: Final = 20.0

pytestmark = [
    pytest.mark.timeout(700 + 120 * KILLS),
    pytest.mark.needs("postgresql-programs"),
    pytest.mark.needs("redis-server"),
    pytest.mark.needs("nginx"),
]
ONE_OF_EACH: Final = {"web": 1, "events": 1, "worker": 1, "worker-ai": 1, "beat": 1}


def test_workers_killed_in_thought_and_redis_flushed_leave_no_ai_waiting_for_a_minute(
    start_stack: StartStack, redis_server: Redis
) -> None:
    """Every worker thinks a second about each turn, so that whenever one is killed it is in thought."""
    stack = start_stack(ONE_OF_EACH, HAGGIS_ODD_AI="slow")
    rng = Random(KILLS)
    matches = create_ai_matches(stack, AI_MATCHES, rounds=KILLS)
    for _ in range(KILLS):
        time.sleep(2 + rng.random())
        stack.kill_and_start("worker-ai.1")
        time.sleep(2 + rng.random())
        redis_server.flush()
        before = count_events(stack, matches)
        wait_for(
            "the next turns", lambda: count_events(stack, matches) > before + len(matches), MAX_WAIT_SECONDS
        )
    worst = max(longest_gaps(stack, matches))
    print(  # noqa: T201 -- for `make chaos`
        f"killed and flushed {KILLS} times: longest wait for an AI {worst:.1f} s, asked {MAX_WAIT_SECONDS:.0f} s"
    )
    assert worst < MAX_WAIT_SECONDS
    verify_logs(stack)


def wait_until_started(stack: Stack, name: str, times: int) -> None:
    """Wait until a worker has been started so often."""
    wait_for(name, lambda: stack.logs(name).count(" ready.") >= times, STACK_START_TIMEOUT_SECONDS)


def test_a_turn_whose_worker_is_killed_in_thought_is_soon_taken_by_another(start_stack: StartStack) -> None:
    """As many matches as one worker thinks about at a time, and another worker beside it."""
    stack = start_stack({**ONE_OF_EACH, "worker-ai": 2}, HAGGIS_ODD_AI="slow")
    rng = Random(KILLS)
    matches = create_ai_matches(stack, 2, rounds=10 * KILLS)
    for kills in range(KILLS):
        wait_until_started(stack, "worker-ai.1", kills + 1)
        time.sleep(2 + rng.random())
        before = count_events(stack, matches)
        stack.kill_and_start("worker-ai.1")
        wait_for(
            "the next turns", lambda: count_events(stack, matches) > before + len(matches), MAX_WAIT_SECONDS
        )
    worst = max(longest_gaps(stack, matches))
    print(f"one of two workers killed {KILLS} times: the longest wait for an AI {worst:.1f} s")  # noqa: T201 -- the same
    assert worst < MAX_RECOVERY_SECONDS
    verify_logs(stack)


def test_an_ai_that_fails_is_tried_three_times_and_then_moved_plainly(start_stack: StartStack) -> None:
    stack = start_stack(ONE_OF_EACH, HAGGIS_ODD_AI="fails")
    [match] = create_ai_matches(stack, 1)
    first_version = count_events(stack, [match])
    wait_for("two moves", lambda: count_events(stack, [match]) >= first_version + 2, 2 * MAX_WAIT_SECONDS)
    [gap] = longest_gaps(stack, [match])
    print(f"an AI that always fails: moved for after {gap:.1f} s, asked {MAX_WAIT_SECONDS:.0f} s")  # noqa: T201 -- the same
    assert gap < MAX_WAIT_SECONDS
    assert {entry["by"] for entry in read_log(stack, match) if entry["type"] in TURNS} == {"ai"}
    assert "attempt 3 of seat" in stack.logs("worker-ai")
    assert "attempt 4 of seat" not in stack.logs("worker-ai")
    assert "a plain move for seat" in stack.logs("worker-ai")


def test_a_turn_that_kills_the_process_it_is_thought_in_kills_it_a_few_times_at_most(
    start_stack: StartStack,
) -> None:
    """One turn in ten kills the process: Celery gives it out again once, and the sweep thereafter."""
    stack = start_stack(ONE_OF_EACH, HAGGIS_ODD_AI="deadly")
    matches = create_ai_matches(stack, AI_MATCHES)
    wait_until_finished(stack, matches, 5 * MAX_WAIT_SECONDS)
    assert max(longest_gaps(stack, matches)) < MAX_WAIT_SECONDS
    assert not unfinished(stack, matches)
    verify_logs(stack)
