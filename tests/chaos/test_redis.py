"""Redis may fail: it is killed or frozen under load, nothing is lost, and moves continue."""

import os
import time
from typing import Final

import pytest

from tests.chaos.conftest import StartStack
from tests.chaos.load import Load
from tests.support.processes import Redis, wait_for
from tests.support.requirements import needs_stack
from tests.support.stored_matches import check_moves_stored, create_ai_matches, wait_until_finished

SECONDS_AWAY: Final = float(os.environ.get("HAGGIS_REDIS_AWAY", "6"))
LONGEST_MOVE: Final = 1.5
SECONDS_TO_CATCH_UP: Final = 60.0

pytestmark = [pytest.mark.timeout(700 + int(4 * SECONDS_AWAY)), needs_stack]


def p99(load: Load, since: float) -> float:
    """Return the 99th percentile of the response times of moves sent since then."""
    timings = sorted(each.seconds for each in load.timings if each.method == "POST" and each.sent_at > since)
    assert len(timings) >= 10
    return timings[min(len(timings) - 1, int(len(timings) * 0.99))]


@pytest.mark.parametrize("how", ("killed", "frozen"))
def test_moves_continue_while_redis_is_killed_or_frozen(
    how: str, start_stack: StartStack, redis_server: Redis
) -> None:
    stack = start_stack()
    with Load(stack.port) as load:
        load.wait_for_moves(15)
        usual = p99(load, 0)
        matches = create_ai_matches(stack, 3, rounds=5)
        away = time.monotonic()
        redis_server.kill() if how == "killed" else redis_server.freeze()
        matches += create_ai_matches(stack, 3)
        time.sleep(SECONDS_AWAY)
        load.wait_for_moves(10)
        slowest = p99(load, away)
        accepted = sum(each.method == "POST" and each.sent_at > away for each in load.timings)
        redis_server.start() if how == "killed" else redis_server.resume()
        back = time.monotonic()
        wait_until_finished(stack, matches, SECONDS_TO_CATCH_UP)
        caught_up = time.monotonic() - back
        load.wait_for_moves(15)
    found = check_moves_stored(stack, load.moves)
    wait_for("the whole service", stack.is_ready, SECONDS_TO_CATCH_UP)
    print(  # noqa: T201 -- output of `make chaos`
        f"Redis {how} for {SECONDS_AWAY:.0f} s: {accepted} moves meanwhile, p99 {slowest:.2f} s"
        f" (before: {usual:.2f} s, asked: {LONGEST_MOVE} s); matches of AIs begun before and"
        f" meanwhile are over after {caught_up:.1f} s; {found} moves found; {dict(load.failures)}"
    )
    assert slowest < LONGEST_MOVE
    assert not load.failures
