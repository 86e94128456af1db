"""AI seats always move, even if workers are killed, Redis is flushed or the AI fails.

`HAGGIS_KILLS` is how often each failure happens, `HAGGIS_AI_MATCHES` the number of matches.
"""

import os
import time
from random import Random
from typing import Final

import pytest

from tests.chaos.conftest import KILLS, ONE_OF_EACH, StartStack
from tests.support.processes import STACK_START_TIMEOUT_SECONDS, Redis, Stack, wait_for
from tests.support.requirements import needs_stack
from tests.support.stored_matches import (
    TURNS,
    count_events,
    create_ai_matches,
    longest_gaps,
    read_log,
    unfinished,
    verify_logs,
    wait_until_finished,
)

AI_MATCHES: Final = int(os.environ.get("HAGGIS_AI_MATCHES", "4"))
MAX_WAIT_SECONDS: Final = 60.0
# A lease of ten seconds, a sweep and a second to think; the rest is for a busy machine.
MAX_RECOVERY_SECONDS: Final = 20.0

pytestmark = [pytest.mark.timeout(700 + 120 * KILLS), needs_stack]


def test_ai_moves_within_a_minute_after_killed_workers_and_flushed_redis(
    start_stack: StartStack, redis_server: Redis
) -> None:
    """The AI thinks for a second about each turn, so workers are always killed while they think."""
    stack = start_stack(ONE_OF_EACH, HAGGIS_FAULTY_AI="slow")
    rng = Random(KILLS)
    matches = create_ai_matches(stack, AI_MATCHES, rounds=KILLS)
    for _ in range(KILLS):
        time.sleep(2 + rng.random())
        stack.kill_and_start("worker-ai.1")
        time.sleep(2 + rng.random())
        redis_server.flush()
        before = count_events(stack, matches)
        wait_for(
            "the next turns",
            lambda: count_events(stack, matches) > before + len(matches),  # noqa: B023 -- called immediately
            MAX_WAIT_SECONDS,
        )
    worst = max(longest_gaps(stack, matches))
    print(  # noqa: T201 -- output of `make chaos`
        f"killed and flushed {KILLS} times: longest wait for an AI {worst:.1f} s"
        f" (at most {MAX_WAIT_SECONDS:.0f} s)"
    )
    assert worst < MAX_WAIT_SECONDS
    verify_logs(stack)


def wait_until_started(stack: Stack, name: str, times: int) -> None:
    """Wait until a worker has been started this often."""
    wait_for(name, lambda: stack.logs(name).count(" ready.") >= times, STACK_START_TIMEOUT_SECONDS)


def test_turn_of_a_killed_worker_is_taken_by_another_worker(start_stack: StartStack) -> None:
    """Two matches occupy one worker; a second worker is idle."""
    stack = start_stack({**ONE_OF_EACH, "worker-ai": 2}, HAGGIS_FAULTY_AI="slow")
    rng = Random(KILLS)
    matches = create_ai_matches(stack, 2, rounds=10 * KILLS)
    for kills in range(KILLS):
        wait_until_started(stack, "worker-ai.1", kills + 1)
        time.sleep(2 + rng.random())
        before = count_events(stack, matches)
        stack.kill_and_start("worker-ai.1")
        wait_for(
            "the next turns",
            lambda: count_events(stack, matches) > before + len(matches),  # noqa: B023 -- called immediately
            MAX_WAIT_SECONDS,
        )
    worst = max(longest_gaps(stack, matches))
    print(f"one of two workers killed {KILLS} times: the longest wait for an AI {worst:.1f} s")  # noqa: T201 -- as above
    assert worst < MAX_RECOVERY_SECONDS
    verify_logs(stack)


def test_failing_ai_is_retried_three_times_and_then_makes_a_fallback_move(start_stack: StartStack) -> None:
    stack = start_stack(ONE_OF_EACH, HAGGIS_FAULTY_AI="fails")
    [match] = create_ai_matches(stack, 1)
    first_version = count_events(stack, [match])
    wait_for("two moves", lambda: count_events(stack, [match]) >= first_version + 2, 2 * MAX_WAIT_SECONDS)
    [gap] = longest_gaps(stack, [match])
    print(f"an AI that always fails: fallback move after {gap:.1f} s, allowed {MAX_WAIT_SECONDS:.0f} s")  # noqa: T201 -- as above
    assert gap < MAX_WAIT_SECONDS
    assert {entry["by"] for entry in read_log(stack, match) if entry["type"] in TURNS} == {"ai"}
    assert "attempt 1 of seat" in stack.logs("worker-ai")  # further attempts may be logged as a number
    assert "attempt 4 of seat" not in stack.logs("worker-ai")
    assert "fallback move for seat" in stack.logs("worker-ai")


def test_turn_that_kills_workers_is_redelivered_a_few_times_only(
    start_stack: StartStack,
) -> None:
    """One turn in ten kills its process: Celery redelivers it once, then the sweep sends it again."""
    stack = start_stack(ONE_OF_EACH, HAGGIS_FAULTY_AI="deadly")
    matches = create_ai_matches(stack, AI_MATCHES)
    wait_until_finished(stack, matches, 5 * MAX_WAIT_SECONDS)
    assert max(longest_gaps(stack, matches)) < MAX_WAIT_SECONDS
    assert not unfinished(stack, matches)
    verify_logs(stack)
