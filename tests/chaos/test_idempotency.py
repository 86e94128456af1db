"""A request that is repeated after its server was killed has one effect and one response.

The server is killed while the event waits to be written, after it was written, and at random times.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import sleep
from typing import Any, Final

import pytest

from tests.chaos.conftest import KILLS
from tests.chaos.load import RETRY_TIMEOUT_SECONDS, Load, Request
from tests.chaos.match_of_two import MatchOfTwo
from tests.support.processes import Postgresql, Web, wait_for
from tests.support.stored_matches import verify_logs

Json = Any
Restart = Callable[[], None]

SECONDS_FOR_A_REQUEST: Final = 0.06

pytestmark = pytest.mark.timeout(120 + 60 * KILLS)
on_both = pytest.mark.parametrize(
    "web_server",
    ("on_sqlite", pytest.param("on_postgresql", marks=pytest.mark.needs("postgresql-programs"))),
)


@pytest.fixture
def web(web_server: str, request: pytest.FixtureRequest) -> Web:
    server: Web = request.getfixturevalue(web_server)
    return server


class BackgroundRequest(threading.Thread):
    """A request that is sent in a thread."""

    def __init__(self, load: Load, request: Request) -> None:
        super().__init__(daemon=True)
        self.load, self.request, self.answer = load, request, None

    def run(self) -> None:
        self.answer = self.load.answer(self.request)


def kill_and_start(web: Web) -> None:
    web.kill()
    web.start()


@on_both
def test_move_of_a_server_killed_after_the_commit_has_one_effect(web: Web) -> None:
    match = MatchOfTwo(web, seed=1)
    for number in range(KILLS):
        request = match.next_action(f"written {number}")
        unread = request.open(web.port)
        match.wait_for_version(request.body["version"] + 1)
        kill_and_start(web)
        unread.close()
        match.check_one_effect(request, match.load.answer(request))


@on_both
def test_move_of_a_server_killed_at_any_time_has_one_effect(web: Web) -> None:
    match = MatchOfTwo(web, seed=2)
    for number in range(KILLS + 1):
        request = match.next_action(f"any time {number}")
        unread = request.open(web.port)
        sleep(match.rng.random() * SECONDS_FOR_A_REQUEST)
        kill_and_start(web)
        unread.close()
        match.check_one_effect(request, match.load.answer(request))


@pytest.mark.needs("postgresql-programs")
def test_postgresql_commits_a_move_of_a_killed_server_and_the_repeated_request_returns_it(
    postgresql_server: Postgresql, on_postgresql: Web
) -> None:
    """The statement waits for the match when its server is killed, and so does the repeated request."""
    match = MatchOfTwo(on_postgresql, seed=3)
    for number in range(KILLS):
        request = match.next_action(f"waiting {number}")
        with match_locked(postgresql_server, match.id) as count_waiting:
            unread = request.open(on_postgresql.port)
            wait_for("the statement", lambda: count_waiting() == 1)
            kill_and_start(on_postgresql)
            unread.close()
            again = BackgroundRequest(match.load, request)
            again.start()
            wait_for("the second statement", lambda: count_waiting() == 2)
        again.join(RETRY_TIMEOUT_SECONDS)
        match.check_one_effect(request, again.answer)
    verify_logs(on_postgresql)


@contextmanager
def match_locked(server: Postgresql, match_id: str) -> Iterator[Callable[[], int]]:
    """Lock the match; yield a function that counts the waiting sessions."""
    with server.connect() as holder, server.connect() as looker, holder.transaction():
        holder.execute("SELECT 1 FROM games_match WHERE id = %s FOR UPDATE", [match_id])

        def count_waiting() -> int:
            query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            row = looker.execute(query).fetchone()
            return int(row[0]) if row else 0

        yield count_waiting


def test_sqlite_drops_a_waiting_move_of_a_killed_server_and_accepts_it_again(
    on_sqlite: Web,
) -> None:
    match = MatchOfTwo(on_sqlite, seed=4)
    for number in range(KILLS):
        request = match.next_action(f"waiting {number}")
        holder = sqlite3.connect(on_sqlite.data / "haggis.sqlite3", isolation_level=None, timeout=20)
        holder.execute("BEGIN IMMEDIATE")
        unread = request.open(on_sqlite.port)
        sleep(0.2)
        assert match.version() == request.body["version"]
        on_sqlite.kill()
        unread.close()
        holder.execute("ROLLBACK")
        holder.close()
        on_sqlite.start()
        assert match.version() == request.body["version"]
        match.check_one_effect(request, match.load.answer(request))
    verify_logs(on_sqlite)
