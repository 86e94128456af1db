"""Webhooks are delivered at least once, even if senders are killed while they send.

`HAGGIS_KILLS` is the duration in dozens of moves; a sender is killed every 0.7 seconds.
"""

import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from tests.chaos.conftest import KILLS
from tests.chaos.match_of_two import MatchOfTwo
from tests.support.processes import ManagedProcess, Postgresql, Web, minimal_environment, wait_for
from tests.support.receiver import Received, Receiver, run_receiver

Json = Any

SENDERS: Final = 2
ENDPOINTS: Final = 6
MOVES: Final = 24 * KILLS
SECONDS_BETWEEN_KILLS: Final = 0.7
SECONDS_TO_CATCH_UP: Final = 60

pytestmark = pytest.mark.timeout(180 + 60 * KILLS)


def unreliable_responses(rng: Random) -> Any:
    """Return a receiver that accepts most requests, some of them late."""

    def answer(_: Received) -> int:
        time.sleep(rng.random() * 0.02)
        return 500 if rng.random() < 0.1 else 204

    return answer


def create_endpoints(match: MatchOfTwo, receiver: Receiver) -> dict[str, str]:
    """Create endpoints of both players at one receiver; return their secrets by URL."""
    secrets = {}
    for number in range(ENDPOINTS):
        url = f"{receiver.url}/{number}"
        token = match.tokens[number % 2]
        secrets[f"/hook/{number}"] = match.request_json("POST", "me/webhooks", token, {"url": url})["secret"]
    return secrets


def pending_deliveries(match: MatchOfTwo) -> list[Json]:
    """Return the deliveries of both players that have not arrived."""
    waiting = []
    for token in match.tokens:
        for webhook in match.request_json("GET", "me/webhooks", token)["results"]:
            path = f"me/webhooks/{webhook['id']}/deliveries?limit=100"
            while path:
                page = match.request_json("GET", path, token)
                waiting += [row for row in page["results"] if row["status"] != "delivered"]
                path = (page["next"] or "").partition("/api/v1/")[2]
    return waiting


def check_deliveries(match: MatchOfTwo, receiver: Receiver, secrets: dict[str, str], first: int) -> str:
    """Check that each endpoint received every later entry, signed, with equal ids for duplicates."""
    last = match.version()
    ids: dict[str, set[tuple[str, bytes]]] = defaultdict(set)
    arrived: dict[str, set[int]] = defaultdict(set)
    for each in receiver.received:
        form = each.verified(secrets[each.path])
        arrived[each.path].add(form["data"]["entry"]["version"])
        ids[each.id].add((each.path, each.body))
    assert arrived == {path: set(range(first, last + 1)) for path in secrets}
    assert all(len(each) == 1 for each in ids.values())
    assert len(ids) == ENDPOINTS * (last + 1 - first)
    times = Counter(each.id for each in receiver.received)
    again = sum(times.values()) - len(times)
    return f"{len(ids)} deliveries arrived, {again} requests were repeated"


@pytest.mark.needs("postgresql-programs")
def test_deliveries_survive_kills_of_senders(
    postgresql_server: Postgresql, on_postgresql: Web, tmp_path: Path
) -> None:
    rng = Random(KILLS)
    environment = minimal_environment(
        DJANGO_SETTINGS_MODULE="haggis_service.settings.development",
        HAGGIS_DATA=str(tmp_path),
        DATABASE_URL=postgresql_server.url,
    )
    command = [sys.executable, "-m", "tests.chaos.dispatcher"]
    senders = [
        ManagedProcess(command, tmp_path / f"sender-{each}.log", environment) for each in range(SENDERS)
    ]
    with run_receiver() as receiver:
        receiver.answer = unreliable_responses(rng)
        match = MatchOfTwo(on_postgresql, seed=8)
        secrets = create_endpoints(match, receiver)
        first = match.version() + 1
        kills = play_while_senders_die(match, senders, rng)
        try:
            wait_for("the rest", lambda: not pending_deliveries(match), SECONDS_TO_CATCH_UP)
        finally:
            for sender in senders:
                sender.kill()
        summary = check_deliveries(match, receiver, secrets, first)
    print(f"{summary}; {kills} senders were killed")  # noqa: T201 -- output of `make chaos`


def play_while_senders_die(match: MatchOfTwo, senders: list[ManagedProcess], rng: Random) -> int:
    """Play on while senders are killed and restarted; return the number of kills."""
    for sender in senders:
        sender.start()
    kills, next_kill = 0, time.monotonic() + 3 * SECONDS_BETWEEN_KILLS
    for number in range(MOVES):
        request = match.next_action(f"move {number}")
        match.load.answer(request)
        time.sleep(0.1)
        if time.monotonic() > next_kill:
            sender = rng.choice(senders)
            assert not sender.has_exited(), sender.log.read_text()
            sender.kill()
            sender.start()
            kills, next_kill = kills + 1, time.monotonic() + SECONDS_BETWEEN_KILLS
    return kills


def test_deliveries_survive_kills_of_the_sqlite_server(on_sqlite: Web) -> None:
    with run_receiver() as receiver:
        match = MatchOfTwo(on_sqlite, seed=9)
        secrets = create_endpoints(match, receiver)
        first = match.version() + 1
        for number in range(MOVES // 2):
            match.load.answer(match.next_action(f"move {number}"))
            if number % 12 == 11:
                receiver.wait_for(len(receiver.received) + 1)
                on_sqlite.kill()
                on_sqlite.start()
        wait_for("the rest", lambda: not pending_deliveries(match), SECONDS_TO_CATCH_UP)
        summary = check_deliveries(match, receiver, secrets, first)
    print(summary)  # noqa: T201 -- as above
