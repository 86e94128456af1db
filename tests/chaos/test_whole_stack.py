"""Two of each process on one database, and a restart of that database."""

import os
import time
from typing import Final

import pytest

from tests.chaos.conftest import KILLS, StartStack
from tests.chaos.load import Load
from tests.support.processes import Postgresql, wait_for
from tests.support.requirements import needs_stack
from tests.support.stored_matches import (
    check_moves_stored,
    count_events,
    create_ai_matches,
    longest_gaps,
    verify_logs,
    wait_until_finished,
)

STACK_MATCHES: Final = int(os.environ.get("HAGGIS_STACK_MATCHES", "10"))
SECONDS_TO_RECOVER: Final = 60.0
# An AI's turn that takes longer is overdue: the sweep had to find it.
LATE: Final = 30.0

pytestmark = [pytest.mark.timeout(700 + 12 * STACK_MATCHES + 120 * KILLS), needs_stack]


def _logged_errors(log: str) -> list[str]:
    """Return the logged errors, without probes that failed during the start."""
    lines = log.replace(" ", "").splitlines()
    return [line for line in lines if '"level":"error"' in line and "/readyz" not in line]


def test_two_of_each_process_finish_every_match_without_late_turns(start_stack: StartStack) -> None:
    stack = start_stack({"web": 2, "events": 2, "worker": 2, "worker-ai": 2, "beat": 2})
    begun = time.monotonic()
    with Load(stack.port, players=2) as load:
        matches = [
            each
            for players in (2, 3)
            for each in create_ai_matches(stack, STACK_MATCHES // 2, players=players)
        ]
        wait_until_finished(stack, matches, 60 + 10 * STACK_MATCHES)
    waits = longest_gaps(stack, matches)
    found = check_moves_stored(stack, load.moves)
    took = time.monotonic() - begun
    print(  # noqa: T201 -- output of `make chaos`
        f"two of each process: {len(matches)} AI matches and {found} moves of clients in {took:.0f} s;"
        f" longest time between two turns {max(waits):.1f} s"
    )
    assert max(waits) < LATE
    assert not load.failures
    assert _logged_errors(stack.logs("w")) == []


def test_every_process_reconnects_after_a_database_restart(
    start_stack: StartStack, postgresql_server: Postgresql
) -> None:
    stack = start_stack()
    matches = create_ai_matches(stack, 3, rounds=2 + 2 * KILLS)
    with Load(stack.port) as load:
        for _ in range(KILLS):
            load.wait_for_moves(10)
            postgresql_server.kill()
            time.sleep(1)
            postgresql_server.start()
            before = count_events(stack, matches)
            wait_for("the AIs", lambda: count_events(stack, matches) > before, SECONDS_TO_RECOVER)  # noqa: B023 -- called immediately
            load.wait_for_moves(10)
    found = check_moves_stored(stack, load.moves)
    wait_for("the whole service", stack.is_ready, SECONDS_TO_RECOVER)
    print(f"PostgreSQL restarted {KILLS} times: {found} moves found; {dict(load.failures)}")  # noqa: T201 -- output of `make chaos`
    assert load.failures.keys() <= {"nothing", "503 unavailable", "409 request_in_flight"}
    verify_logs(stack)
