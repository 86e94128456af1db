"""Acknowledged moves are durable and repeated requests have one effect, even if servers are killed.

`HAGGIS_KILLS` is how often each server is killed: once in `make test`, five times in `make chaos`.
"""

import time
from random import Random
from typing import Final

import pytest

from tests.chaos.conftest import KILLS
from tests.chaos.load import Load
from tests.support.processes import Postgresql, Web
from tests.support.stored_matches import check_moves_stored, check_repeated_requests

MOVES_BETWEEN: Final = 15
LONGEST_OUTAGE: Final = 0.5
# One per thread of the web server, since each discovers its lost connection itself.
CONNECTIONS: Final = 10

pytestmark = pytest.mark.timeout(120 + 60 * KILLS)


def wait_for_some_moves(load: Load, rng: Random) -> None:
    """Wait for a random number of moves."""
    load.wait_for_moves(MOVES_BETWEEN)
    time.sleep(rng.random() * 0.05)


@pytest.mark.needs("postgresql-programs")
def test_acknowledged_moves_survive_kills_of_postgresql_and_web_server(
    postgresql_server: Postgresql, on_postgresql: Web
) -> None:
    rng = Random(KILLS)
    with Load(on_postgresql.port) as load:
        for _ in range(KILLS):
            wait_for_some_moves(load, rng)
            postgresql_server.kill()
            time.sleep(rng.random() * LONGEST_OUTAGE)
            postgresql_server.start()
            while_it_was_away = load.failures["503 unavailable"]
            wait_for_some_moves(load, rng)
            assert load.failures["503 unavailable"] <= while_it_was_away + CONNECTIONS
            on_postgresql.kill()
            on_postgresql.start()
        wait_for_some_moves(load, rng)
    check_durability(on_postgresql, load)
    assert load.failures["503 unavailable"] > 0
    assert load.failures.keys() <= {"nothing", "503 unavailable", "409 request_in_flight"}


def test_acknowledged_moves_survive_kills_of_the_sqlite_server(on_sqlite: Web) -> None:
    rng = Random(KILLS)
    with Load(on_sqlite.port) as load:
        for _ in range(2 * KILLS):
            wait_for_some_moves(load, rng)
            on_sqlite.kill()
            on_sqlite.start()
        wait_for_some_moves(load, rng)
    check_durability(on_sqlite, load)
    assert load.failures.keys() == {"nothing"}


def check_durability(web: Web, load: Load) -> None:
    """Check that all acknowledged moves are stored and stay the same when they are repeated."""
    assert load.failures["nothing"] > 0
    found = check_moves_stored(web, load.moves)
    check_repeated_requests(web, load.moves)
    print(f"{found} moves acknowledged and found; in between: {dict(load.failures)}")  # noqa: T201 -- output of `make chaos`
