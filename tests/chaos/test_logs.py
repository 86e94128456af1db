"""A fault is logged in a bounded number of lines, however many requests and tasks meet it."""

import json
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

import pytest

from tests.chaos.conftest import StartStack
from tests.chaos.load import Request
from tests.support.processes import Postgresql, Stack

REQUESTS: Final = 1000
OUTAGE_SECONDS: Final = 20
# Lines of one process in the outage: each fault once in ten seconds.
MAX_LINES: Final = 40
MAX_BYTES: Final = 40_000
MAX_LINE_BYTES: Final = 4_000

pytestmark = [
    pytest.mark.timeout(400),
    pytest.mark.needs("postgresql-programs"),
    pytest.mark.needs("redis-server"),
    pytest.mark.needs("nginx"),
]


def _sizes(stack: Stack) -> dict[str, int]:
    return {name: program.log.stat().st_size for name, program in stack.running.items()}


def _logged_since(stack: Stack, before: dict[str, int]) -> dict[str, list[bytes]]:
    return {
        name: program.log.read_bytes()[before[name] :].splitlines() for name, program in stack.running.items()
    }


def _status(stack: Stack, request: Request) -> int:
    with suppress(OSError):
        return request.send(stack.port)[0]
    return 0


def test_a_lost_database_is_logged_in_few_lines_without_words_of_the_error(
    start_stack: StartStack, postgresql_server: Postgresql
) -> None:
    stack = start_stack()
    _, guest = Request("POST", "auth/guest").send(stack.port)
    requests = [Request("GET", "me", guest["token"]), Request("GET", "matches")] * (REQUESTS // 2)
    streams = [Request("GET", "me/events?notices=true", guest["token"]).open(stack.port) for _ in range(5)]
    before, began = _sizes(stack), time.monotonic()
    postgresql_server.kill()
    with ThreadPoolExecutor(8) as clients:
        statuses: Counter[int] = Counter(clients.map(lambda each: _status(stack, each), requests))
    time.sleep(max(0.0, OUTAGE_SECONDS - (time.monotonic() - began)))
    logged = _logged_since(stack, before)
    for stream in streams:
        stream.close()
    for name, lines in logged.items():
        print(f"{name}: {len(lines)} lines, {sum(map(len, lines))} bytes")  # noqa: T201 -- output of `make chaos`
    total = sum(len(line) for lines in logged.values() for line in lines)
    print(f"a lost database, {dict(statuses)}: {sum(map(len, logged.values()))} lines, {total} bytes")  # noqa: T201
    for name, lines in logged.items():
        assert len(lines) <= MAX_LINES, name
        assert sum(map(len, lines)) <= MAX_BYTES, name
        assert max(map(len, lines), default=0) <= MAX_LINE_BYTES, name
        # The error names the port of the server, as one of a constraint names the stored row.
        assert str(postgresql_server.port).encode() not in b"".join(lines), name
    faults = [json.loads(line) for line in logged["web.1"] + logged["web.2"] if b'"fault"' in line]
    assert any(_is_lost_database(each) for each in faults)


def _is_lost_database(line: dict[str, Any]) -> bool:
    return any(each["kind"] == "OperationalError" for each in line["fault"])
