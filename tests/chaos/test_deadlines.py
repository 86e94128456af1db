"""Deadlines fire once, never early and soon, even if sweepers are killed; a concurrent move has one effect.

`HAGGIS_DEADLINES` is the number of turns that expire while sweepers are killed, `HAGGIS_LATE_MOVES` the
number of moves that are sent around their deadline.
"""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from tests.chaos.load import Load, Request
from tests.support.processes import (
    ROOT,
    ManagedProcess,
    Postgresql,
    Web,
    children_of,
    wait_for,
    web_on_postgresql,
)
from tests.support.stored_matches import verify_logs

Json = Any

DEADLINES: Final = int(os.environ.get("HAGGIS_DEADLINES", "40"))
MOVES: Final = int(os.environ.get("HAGGIS_LATE_MOVES", "20"))
SWEEPERS: Final = 3
KILL_INTERVAL_SECONDS: Final = 0.7
DEADLINES_PER_SECOND: Final = 20
MAX_P99_SECONDS, MAX_SECONDS = 2.0, 5.0
MAX_OFFSET_SECONDS: Final = 0.05
CATCH_UP_SECONDS: Final = 60

pytestmark = [pytest.mark.needs("postgresql-programs"), pytest.mark.timeout(240 + DEADLINES + MOVES)]


@contextmanager
def sweepers(web: Web, count: int) -> Iterator[ManagedProcess]:
    """Run this many sweepers, forked from one process."""
    command = [sys.executable, "-m", "tests.chaos.sweepers", str(count)]
    running = ManagedProcess(command, web.data / "sweepers.log", web.running.environment)
    running.start()
    try:
        assert running.process is not None
        process_id = running.process.pid
        wait_for("the sweepers", lambda: len(children_of(process_id)) == count)
        yield running
    finally:
        running.kill()


def track_commit_timestamps(server: Postgresql) -> None:
    """Make PostgreSQL record the commit time of each transaction."""
    with server.connect() as connection:
        connection.execute("ALTER SYSTEM SET track_commit_timestamp = on")
    server.running.stop(signal.SIGINT)
    server.start()


def spread_deadlines(server: Postgresql, seconds: float) -> None:
    """Let the turns expire one after the other, starting soon."""
    with server.connect() as connection:
        connection.execute(
            "UPDATE games_match SET deadline = date_trunc('milliseconds', clock_timestamp()) "
            "+ interval '1 second' * (2 + %s * place / %s::float) "
            "FROM (SELECT id AS which, row_number() OVER (ORDER BY id) AS place FROM games_match) AS places "
            "WHERE id = which",
            [seconds, DEADLINES],
        )


def query_value(server: Postgresql, query: str) -> Any:
    with server.connect() as connection:
        row = connection.execute(query).fetchone()
        return row[0] if row else None


def kill_sweepers(running: ManagedProcess, seconds: float, rng: Random) -> int:
    """Kill a sweeper from time to time; return how many were killed."""
    assert running.process is not None
    killed, deadline = 0, time.monotonic() + seconds
    while time.monotonic() < deadline:
        time.sleep(KILL_INTERVAL_SECONDS)
        alive = children_of(running.process.pid)
        if alive:
            with suppress(ProcessLookupError):
                os.kill(rng.choice(alive), signal.SIGKILL)
                killed += 1
    return killed


def test_deadlines_fire_once_and_on_time_while_sweepers_are_killed(
    postgresql_server: Postgresql, tmp_path: Path
) -> None:
    track_commit_timestamps(postgresql_server)
    web = web_on_postgresql(postgresql_server, tmp_path)
    web.manage("migrate", "--verbosity", "0")
    make = [sys.executable, "-m", "tests.chaos.create_timed_matches", str(DEADLINES)]
    subprocess.run(make, cwd=ROOT, env=web.running.environment, check=True, timeout=60 + DEADLINES)
    window = DEADLINES / DEADLINES_PER_SECOND
    with sweepers(web, SWEEPERS) as running:
        spread_deadlines(postgresql_server, window)
        with postgresql_server.connect() as connection:
            due: Json = dict(connection.execute("SELECT id, deadline FROM games_match").fetchall())
        killed = kill_sweepers(running, window + 3, Random(DEADLINES))
        overdue = "SELECT count(*) FROM games_match WHERE deadline <= clock_timestamp()"
        wait_for("the last", lambda: query_value(postgresql_server, overdue) == 0, CATCH_UP_SECONDS)
    with postgresql_server.connect() as connection:
        done = connection.execute(
            "SELECT match_id, pg_xact_commit_timestamp(xmin), at FROM games_move WHERE by = 'clock'"
        ).fetchall()
    assert Counter(match_id for match_id, _, _ in done) == dict.fromkeys(due, 1)
    assert all(at >= due[match_id] for match_id, _, at in done)
    late = sorted((committed - due[match_id]).total_seconds() for match_id, committed, _ in done)
    p99 = late[int(len(late) * 0.99) - 1]
    print(  # noqa: T201 -- output of `make chaos`
        f"{len(done)} deadlines, {killed} sweepers killed: committed {late[0]:.3f} to {late[-1]:.2f} s after "
        f"they were due, half within {late[len(late) // 2]:.2f}, 99 of 100 within {p99:.2f}"
    )
    assert late[0] >= 0
    assert p99 <= MAX_P99_SECONDS
    assert late[-1] <= MAX_SECONDS
    verify_logs(web)


class LateMove:
    """A move sent around its deadline."""

    def __init__(self, load: Load, tokens: list[str], number: int) -> None:
        body = {"ruleset": "classic", "turn_seconds": 3600, "seats": [{"kind": "me"}, {"kind": "open"}]}
        self.match_id = load.answer(Request("POST", "matches", tokens[0], body))["id"]
        table = load.answer(Request("POST", f"matches/{self.match_id}/join", tokens[1], {}))
        self.version, self.token = table["version"], tokens[table["round"]["to_act"]]
        legal = load.answer(Request("GET", f"matches/{self.match_id}/legal-moves?expand=plays", self.token))
        play = legal["plays"][0]
        named = {name: play["combination"][name] for name in ("kind", "top", "width", "length")}
        self.body = {"version": self.version, "type": "play", "cards": play["cards"], "as": named}
        self.key = f"late {number}"

    def send(self, port: int, at: float) -> tuple[int, Json]:
        """Wait until this time and send the move."""
        request = Request("POST", f"matches/{self.match_id}/moves", self.token, self.body, self.key)
        time.sleep(max(0.0, at - time.time()))
        return request.send(port)


def test_move_at_its_deadline_is_accepted_or_times_out_but_never_both(
    postgresql_server: Postgresql, on_postgresql: Web
) -> None:
    load, rng = Load(on_postgresql.port), Random(MOVES)
    tokens = [load.answer(Request("POST", "auth/guest"))["token"] for _ in range(2)]
    late = [LateMove(load, tokens, number) for number in range(MOVES)]
    with sweepers(on_postgresql, SWEEPERS), ThreadPoolExecutor(8) as threads:
        start = time.time() + 1
        deadlines = {each.match_id: start + number * 0.1 for number, each in enumerate(late)}
        with postgresql_server.connect() as connection:
            for match_id, deadline in deadlines.items():
                connection.execute(
                    "UPDATE games_match SET deadline = date_trunc('milliseconds', to_timestamp(%s)) "
                    "WHERE id = %s",
                    [deadline, match_id],
                )
        moments = [
            deadlines[each.match_id] + rng.uniform(-MAX_OFFSET_SECONDS, MAX_OFFSET_SECONDS) for each in late
        ]
        answers = list(
            threads.map(lambda each, at: each.send(on_postgresql.port, at), late, moments, timeout=200)
        )
        overdue = "SELECT count(*) FROM games_match WHERE deadline <= clock_timestamp()"
        wait_for("the last", lambda: query_value(postgresql_server, overdue) == 0, CATCH_UP_SECONDS)
    said = Counter(body.get("code", "made") for _, body in answers)
    for each, (status, body) in zip(late, answers, strict=True):
        log = load.answer(Request("GET", f"matches/{each.match_id}/moves?after={each.version}"))["results"]
        [entry] = log
        assert entry["by"] == ("player" if status == 201 else "clock"), (body, entry)
        assert status == 201 or body["code"] in {"deadline_passed", "stale_version"}
    print(f"{MOVES} moves beside their deadlines, each with one effect: {dict(said)}")  # noqa: T201 -- as above
    verify_logs(on_postgresql)
