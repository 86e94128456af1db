"""A stream reader that is disconnected at random times receives every event once and in order.

`HAGGIS_CUTS` is how often: readers disconnect, and the stream process is killed or stopped while two play.
Both the stream of a match and the stream of a player's tables are read.
"""

import os
import signal
import sys
import time
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.chaos.load import Request
from tests.chaos.readers import Reader, Tables, current_cursor
from tests.support.processes import Postgresql, Redis, Web, wait_for, web_on_postgresql
from tests.support.requirements import free_port
from tests.support.stored_matches import read_log

CUTS: Final = int(os.environ.get("HAGGIS_CUTS", "12"))
CUTS_BETWEEN_KILLS: Final = 6
SECONDS_TO_CATCH_UP: Final = 60

pytestmark = pytest.mark.timeout(240 + 10 * CUTS)


@pytest.mark.needs("postgresql-programs")
@pytest.mark.needs("redis-server")
def test_stream_process_delivers_every_entry_once_and_in_order(
    postgresql_server: Postgresql, redis_server: Redis, tmp_path: Path
) -> None:
    entries = {"DATABASE_URL": postgresql_server.url, "HAGGIS_NEWS_URL": redis_server.url}
    plain, port = web_on_postgresql(postgresql_server, tmp_path), free_port()
    web = Web(plain.command, tmp_path, plain.port, entries)
    command = [sys.executable, "manage.py", "events", "--port", str(port)]
    (tmp_path / "events").mkdir()
    events = Web(command, tmp_path / "events", port, entries)
    web.manage("migrate", "--verbosity", "0")
    try:
        web.start()
        events.start()
        read_and_cut(web, events)
    finally:
        events.kill()
        web.kill()


def test_single_process_delivers_every_entry_once_and_in_order(on_sqlite: Web) -> None:
    read_and_cut(on_sqlite, on_sqlite)


def read_and_cut(web: Web, events: Web) -> None:
    """Read during play, and stop the stream server in every way."""
    rng = Random(CUTS)
    tokens = [Request("POST", "auth/guest").send(web.port)[1]["token"] for _ in range(2)]
    mine = Reader(events.port, "me/events", tokens[0], current_cursor(events.port, tokens[0]))
    with Tables(web.port, players=3, tokens=tokens, reader=mine) as load:
        wait_for("a match", lambda: bool(load.matches))
        first = load.matches[0]
        watcher = Reader(events.port, f"matches/{first}/events", tokens[1], "0")
        readers = (mine, watcher)
        for reader in readers:
            reader.start()
        while mine.cuts < CUTS:
            cut = mine.cuts + CUTS_BETWEEN_KILLS
            wait_for("cuts", lambda cut=cut: mine.cuts >= cut, 120)  # type: ignore[misc]  # called immediately
            events.running.stop(rng.choice((signal.SIGKILL, signal.SIGTERM)))
            time.sleep(rng.random() * 0.3)
            events.start()
    over = time.monotonic()
    logs = {match_id: len(read_log(web, match_id)) for match_id in load.matches}
    wait_for("the rest", lambda: len(mine.entries) >= sum(logs.values()), SECONDS_TO_CATCH_UP)
    wait_for("the first match", lambda: len(watcher.entries) >= logs[first], SECONDS_TO_CATCH_UP)
    caught_up = time.monotonic() - over
    for reader in readers:
        reader.stop()
    check(mine, logs)
    check(watcher, {first: logs[first]})
    print(  # noqa: T201 -- output of `make chaos`
        f"{len(mine.entries)} events told once, in order, over {mine.cuts} cuts;"
        f" the last {caught_up:.1f} s after play"
    )


def check(reader: Reader, logs: dict[str, int]) -> None:
    """Check that every entry of each match was received once and in order, and nothing else."""
    assert reader.restarts == []
    assert {match_id for match_id, _ in reader.entries} == logs.keys()
    for match_id, length in logs.items():
        assert [version for of, version in reader.entries if of == match_id] == list(range(1, length + 1))
