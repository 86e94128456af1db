"""An AI seat always moves: its worker killed in thought, Redis flushed, an exception in the AI.

`HAGGIS_KILLS` says how often each happens; `HAGGIS_AI_MATCHES` how many matches are played meanwhile.
"""

import os
import time
from random import Random
from typing import Final

import pytest

from tests.chaos.conftest import StartStack
from tests.chaos.matches import longest_waits, matches_of_ais, play_out, unfinished, versions
from tests.chaos.servers import wait_for
from tests.chaos.stack import SECONDS_TO_START_ALL, Redis, Stack
from tests.chaos.stored import TURNS, check_folded, log_of
from tests.chaos.test_durability import KILLS

AI_MATCHES: Final = int(os.environ.get("HAGGIS_AI_MATCHES", "4"))
LONGEST_WAIT: Final = 60.0
# A lease of ten seconds, a sweep, and an AI that thinks for one; the rest is for a machine that is busy.
SOON: Final = 20.0

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
    matches = matches_of_ais(stack, AI_MATCHES, rounds=KILLS)
    for _ in range(KILLS):
        time.sleep(2 + rng.random())
        stack.kill_and_start("worker-ai.1")
        time.sleep(2 + rng.random())
        redis_server.flush()
        before = versions(stack, matches)
        wait_for("the next turns", lambda: versions(stack, matches) > before + len(matches), LONGEST_WAIT)  # noqa: B023 -- called at once
    worst = max(longest_waits(stack, matches))
    print(  # noqa: T201 -- for `make chaos`
        f"killed and flushed {KILLS} times: longest wait for an AI {worst:.1f} s, asked {LONGEST_WAIT:.0f} s"
    )
    assert worst < LONGEST_WAIT
    check_folded(stack)


def wait_until_started(stack: Stack, name: str, times: int) -> None:
    """Wait until a worker has been started so often."""
    wait_for(name, lambda: stack.said(name).count(" ready.") >= times, SECONDS_TO_START_ALL)


def test_a_turn_whose_worker_is_killed_in_thought_is_soon_taken_by_another(start_stack: StartStack) -> None:
    """As many matches as one worker thinks about at a time, and another worker beside it."""
    stack = start_stack({**ONE_OF_EACH, "worker-ai": 2}, HAGGIS_ODD_AI="slow")
    rng = Random(KILLS)
    matches = matches_of_ais(stack, 2, rounds=10 * KILLS)
    for kills in range(KILLS):
        wait_until_started(stack, "worker-ai.1", kills + 1)
        time.sleep(2 + rng.random())
        before = versions(stack, matches)
        stack.kill_and_start("worker-ai.1")
        wait_for("the next turns", lambda: versions(stack, matches) > before + len(matches), LONGEST_WAIT)  # noqa: B023 -- called at once
    worst = max(longest_waits(stack, matches))
    print(f"one of two workers killed {KILLS} times: the longest wait for an AI {worst:.1f} s")  # noqa: T201 -- the same
    assert worst < SOON
    check_folded(stack)


def test_an_ai_that_fails_is_tried_three_times_and_then_moved_plainly(start_stack: StartStack) -> None:
    stack = start_stack(ONE_OF_EACH, HAGGIS_ODD_AI="fails")
    [match] = matches_of_ais(stack, 1)
    begun = versions(stack, [match])
    wait_for("two moves", lambda: versions(stack, [match]) >= begun + 2, 2 * LONGEST_WAIT)
    [waited] = longest_waits(stack, [match])
    print(f"an AI that always fails: moved for after {waited:.1f} s, asked {LONGEST_WAIT:.0f} s")  # noqa: T201 -- the same
    assert waited < LONGEST_WAIT
    assert {entry["by"] for entry in log_of(stack, match) if entry["type"] in TURNS} == {"ai"}
    assert "attempt 3 of seat" in stack.said("worker-ai")
    assert "attempt 4 of seat" not in stack.said("worker-ai")
    assert "a plain move for seat" in stack.said("worker-ai")


def test_a_turn_that_kills_the_process_it_is_thought_in_kills_it_a_few_times_at_most(
    start_stack: StartStack,
) -> None:
    """One turn in ten kills the process: Celery gives it out again once, and the sweep thereafter."""
    stack = start_stack(ONE_OF_EACH, HAGGIS_ODD_AI="deadly")
    matches = matches_of_ais(stack, AI_MATCHES)
    play_out(stack, matches, 5 * LONGEST_WAIT)
    assert max(longest_waits(stack, matches)) < LONGEST_WAIT
    assert not unfinished(stack, matches)
    check_folded(stack)
