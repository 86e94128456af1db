"""Rate limits that several processes count together, in steps."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from secrets import token_hex
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from pytest_django import Settings

from games.core import rate_limits
from games.core.rate_limits import REFRESH_SECONDS, count_request, step_size
from tests.support.processes import ROOT

LIMIT = 600
STEP = step_size(LIMIT, 60)


class CountingProcess:
    """A process that counts requests of the limit `player` in Redis."""

    def __init__(self, stack: ExitStack) -> None:
        now = int(time.time()) // 60 * 60
        script = [sys.executable, "-m", "tests.games.core.rate_limit_process"]
        self._process = stack.enter_context(
            subprocess.Popen(
                [*script, django_settings.REDIS_URL, str(LIMIT), str(now)],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )

    def remaining(self, client: str, *, later: float = 0) -> int:
        """Send a request some seconds after the start, and return how many remain; -1 if it was refused."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{client} {later}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


@pytest.fixture
def processes() -> Iterator[list[CountingProcess]]:
    """Run four processes."""
    with ExitStack() as stack:
        yield [CountingProcess(stack) for _ in range(4)]


@pytest.fixture(autouse=True)
def _reset() -> Iterator[None]:
    rate_limits.reset_reservations()
    yield
    cache.clear()
    rate_limits.reset_reservations()


@pytest.fixture
def increments(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return what the cache is asked to add."""
    steps: list[int] = []
    increment = rate_limits._increment

    def record(key: str, step: int, seconds: int) -> int:
        steps.append(step)
        return increment(key, step, seconds)

    monkeypatch.setattr(rate_limits, "_increment", record)
    return steps


def send(client: str, *, now: float = 0, name: str = "player") -> int:
    """Count a request in this process and return how many remain."""
    counted = count_request(name, client, now=now)
    assert counted is not None
    return counted.remaining


@pytest.mark.needs("redis")
def test_processes_together_accept_exactly_the_limit(processes: list[CountingProcess]) -> None:
    client = token_hex(8)

    def send_many(process: CountingProcess) -> int:
        return sum(process.remaining(client) >= 0 for _ in range(LIMIT // 2))

    with ThreadPoolExecutor(len(processes)) as pool:
        assert sum(pool.map(send_many, processes)) == LIMIT


@pytest.mark.needs("redis")
def test_one_process_reports_the_exact_number_of_remaining_requests(processes: list[CountingProcess]) -> None:
    client = token_hex(8)
    expected = [*range(LIMIT - 1, -1, -1), -1, -1]
    assert [processes[0].remaining(client) for _ in range(LIMIT + 2)] == expected


@pytest.mark.needs("redis")
def test_remaining_requests_are_understated_by_reservations_of_other_processes_only(
    processes: list[CountingProcess],
) -> None:
    client, left = token_hex(8), LIMIT
    set_aside = (len(processes) - 1) * (STEP - 1)
    for number in range(LIMIT):
        # In turn, so that each of the others accepts at most one step before this one asks again.
        reported = processes[number % len(processes)].remaining(client)
        if reported < 0:
            break
        left -= 1
        assert left - set_aside <= reported <= left + (len(processes) - 1) * STEP
    assert left <= set_aside


@pytest.mark.needs("redis")
def test_requests_to_other_processes_are_included_after_ten_seconds(processes: list[CountingProcess]) -> None:
    client, (first, second, *_) = token_hex(8), processes
    assert first.remaining(client) == LIMIT - 1
    for _ in range(300):
        second.remaining(client)
    assert first.remaining(client, later=REFRESH_SECONDS - 1) == LIMIT - 2
    assert first.remaining(client, later=REFRESH_SECONDS + 1) == LIMIT - 303


def test_ten_requests_ask_the_cache_once(settings: Settings, increments: list[int]) -> None:
    settings.HAGGIS_LIMITS = {"player": (LIMIT, 60)}
    assert [send("a") for _ in range(25)] == list(range(LIMIT - 1, LIMIT - 26, -1))
    assert increments == [STEP, STEP, STEP]


def test_a_refused_client_does_not_ask_the_cache_again(settings: Settings, increments: list[int]) -> None:
    settings.HAGGIS_LIMITS = {"player": (105, 60)}
    assert [send("a") for _ in range(108)][-4:] == [0, -1, -1, -1]
    asked = len(increments)
    assert send("a") == -1
    assert len(increments) == asked


def test_each_window_and_each_client_has_its_own_reservation(settings: Settings) -> None:
    settings.HAGGIS_LIMITS = {"player": (LIMIT, 60), "address": (300, 60)}
    assert [send("a"), send("a"), send("b"), send("a", name="address")] == [599, 598, 599, 299]
    assert send("a", now=60) == 599


@pytest.mark.parametrize("rate", ((100, 60), (120, 3600), (10, 3600), (60, 60), (3, 60)))
def test_limits_up_to_100_a_minute_are_counted_one_by_one(
    settings: Settings, increments: list[int], rate: tuple[int, int]
) -> None:
    settings.HAGGIS_LIMITS = {"mails": rate}
    for _ in range(3):
        send("a", name="mails")
    assert increments == [1, 1, 1]


@pytest.mark.parametrize(("limit", "window"), ((20, 1), (40, 10), (49, 20), (2, 1)))
def test_a_limit_with_a_short_window_accepts_as_many_requests_as_it_says(
    settings: Settings, limit: int, window: int
) -> None:
    settings.HAGGIS_LIMITS = {"player": (limit, window)}
    assert [send("a") for _ in range(limit + 1)] == list(range(limit - 1, -2, -1))


def test_further_clients_are_counted_one_by_one(
    settings: Settings, increments: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.HAGGIS_LIMITS = {"player": (LIMIT, 60)}
    monkeypatch.setattr(rate_limits, "MAX_CLIENTS", 2)
    for client in ("a", "b", "c", "c", "a"):
        send(client)
    assert increments == [STEP, STEP, 1, 1]
    assert len(rate_limits._reservations["player"]._by_client) == 2
    assert send("c") == LIMIT - 3


def test_a_reservation_is_used_up_while_the_cache_fails(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.HAGGIS_LIMITS = {"player": (LIMIT, 60)}
    send("a")

    def fail(*_: Any) -> int:
        raise OSError

    monkeypatch.setattr(cache, "incr", fail)
    assert [send("a") for _ in range(STEP - 1)][-1] == LIMIT - STEP
    assert count_request("player", "a", now=0) is None
    rate_limits.breaker.open_until = 0.0


def test_a_forked_process_reserves_its_own_requests(settings: Settings) -> None:
    settings.HAGGIS_LIMITS = {"player": (LIMIT, 60)}
    send("a")
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writes, str(len(rate_limits._reservations)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reads, 10) == b"0"
    os.close(reads)
    os.close(writes)


def test_threads_together_accept_exactly_the_limit(settings: Settings) -> None:
    settings.HAGGIS_LIMITS = {"player": (LIMIT, 60)}
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: send("a"), range(LIMIT + 200)))
    assert sum(remaining >= 0 for remaining in results) == LIMIT
