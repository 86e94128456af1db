"""A request that is repeated after its server was killed has one effect and one response.

The server is killed while the event waits to be written, after it was written, and at random times.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from time import sleep
from typing import Any, Final

import pytest

from tests.chaos.load import RETRY_TIMEOUT_SECONDS, Load, Request
from tests.chaos.test_durability import KILLS
from tests.support.clients import choose_action
from tests.support.processes import Postgresql, Web, wait_for
from tests.support.stored_matches import read_log, verify_logs

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


class Table:
    """A match with an action ready to be sent."""

    def __init__(self, web: Web, seed: int) -> None:
        self.web, self.rng = web, Random(seed)
        self.load = Load(web.port)
        self.tokens = [self.request_json("POST", "auth/guest")["token"] for _ in range(2)]
        seats = [{"kind": "me"}, {"kind": "open"}]
        # Without turn times, which would be extended after an outage: that is an event, too.
        body = {"ruleset": "classic", "rounds": 50, "turn_seconds": None, "seats": seats}
        self.id: str = self.request_json("POST", "matches", self.tokens[0], body)["id"]
        self.request_json("POST", f"matches/{self.id}/join", self.tokens[1], {})

    def request_json(self, method: str, path: str, token: str = "", body: Json = None) -> Json:
        return self.load.answer(Request(method, path, token, body))

    def next_action(self, key: str) -> Request:
        path = f"matches/{self.id}"
        token = self.tokens[self.request_json("GET", path)["round"]["to_act"]]
        legal = self.request_json("GET", f"{path}/legal-moves?expand=plays", token)
        table = self.request_json("GET", path, token)
        body = {"version": table["version"], **choose_action(legal, table["you"], self.rng)}
        return Request("POST", f"{path}/moves", token, body, key)

    def version(self) -> int:
        return int(self.request_json("GET", f"matches/{self.id}")["version"])

    def wait_for_version(self, version: int) -> None:
        wait_for("the move", lambda: self.version() == version)

    def check_one_effect(self, request: Request, answer: Json) -> None:
        """Check that the move is in the log once, nothing follows it, and the response stays the same."""
        log = read_log(self.web, self.id)
        assert [entry["version"] for entry in log] == list(range(1, request.body["version"] + 2))
        assert log[-1] == answer["move"]
        assert request.send(self.web.port) == (201, answer)
        assert self.version() == request.body["version"] + 1


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
def test_server_killed_between_commit_and_response(web: Web) -> None:
    table = Table(web, seed=1)
    for number in range(KILLS):
        request = table.next_action(f"written {number}")
        unread = request.open(web.port)
        table.wait_for_version(request.body["version"] + 1)
        kill_and_start(web)
        unread.close()
        table.check_one_effect(request, table.load.answer(request))


@on_both
def test_server_killed_at_random_times_after_the_request(web: Web) -> None:
    table = Table(web, seed=2)
    for number in range(KILLS + 1):
        request = table.next_action(f"any time {number}")
        unread = request.open(web.port)
        sleep(table.rng.random() * SECONDS_FOR_A_REQUEST)
        kill_and_start(web)
        unread.close()
        table.check_one_effect(request, table.load.answer(request))


@pytest.mark.needs("postgresql-programs")
def test_postgresql_commits_a_move_of_a_killed_server_and_the_repeated_request_returns_it(
    postgresql_server: Postgresql, on_postgresql: Web
) -> None:
    """The statement waits for the match when its server is killed, and so does the repeated request."""
    table = Table(on_postgresql, seed=3)
    for number in range(KILLS):
        request = table.next_action(f"waiting {number}")
        with match_locked(postgresql_server, table.id) as count_waiting:
            unread = request.open(on_postgresql.port)
            wait_for("the statement", lambda: count_waiting() == 1)
            kill_and_start(on_postgresql)
            unread.close()
            again = BackgroundRequest(table.load, request)
            again.start()
            wait_for("the second statement", lambda: count_waiting() == 2)
        again.join(RETRY_TIMEOUT_SECONDS)
        table.check_one_effect(request, again.answer)
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
    table = Table(on_sqlite, seed=4)
    for number in range(KILLS):
        request = table.next_action(f"waiting {number}")
        holder = sqlite3.connect(on_sqlite.data / "haggis.sqlite3", isolation_level=None, timeout=20)
        holder.execute("BEGIN IMMEDIATE")
        unread = request.open(on_sqlite.port)
        sleep(0.2)
        assert table.version() == request.body["version"]
        on_sqlite.kill()
        unread.close()
        holder.execute("ROLLBACK")
        holder.close()
        on_sqlite.start()
        assert table.version() == request.body["version"]
        table.check_one_effect(request, table.load.answer(request))
    verify_logs(on_sqlite)
