"""One player's flood of AI matches does not keep the AI opponents of other players waiting.

`HAGGIS_FLOOD_MATCHES` is how many matches the one player creates, `HAGGIS_FLOOD_PLAYERS` the number of other
players, and `HAGGIS_FLOOD_SECONDS` how long they play.
"""

import json
import math
import os
import threading
import time
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Final

import pytest

from tests.chaos.conftest import ONE_OF_EACH, StartStack
from tests.chaos.load import Load, Request
from tests.support.clients import choose_action
from tests.support.processes import Redis, Stack
from tests.support.requirements import needs_stack
from tests.support.stored_matches import verify_logs

FLOOD_MATCHES: Final = int(os.environ.get("HAGGIS_FLOOD_MATCHES", "60"))
FLOOD_PLAYERS: Final = int(os.environ.get("HAGGIS_FLOOD_PLAYERS", "6"))
FLOOD_SECONDS: Final = float(os.environ.get("HAGGIS_FLOOD_SECONDS", "20"))
# The fixed wait of an AI is part of both.
MAX_MEDIAN_SECONDS: Final = 3.0
MAX_WAIT_SECONDS: Final = 10.0
MAX_MESSAGES: Final = 2

pytestmark = [pytest.mark.timeout(900 + 2 * FLOOD_MATCHES), needs_stack]
HARD: Final = {"kind": "ai", "level": "hard"}
SEATS: Final = {"three AI seats": [HARD, HARD, HARD], "a seat of their own": [{"kind": "me"}, HARD, HARD]}


@pytest.mark.parametrize("seats", SEATS)
def test_flood_of_ai_matches_does_not_delay_the_opponents_of_other_players(
    start_stack: StartStack, redis_server: Redis, seats: str
) -> None:
    stack = start_stack(ONE_OF_EACH)
    with count_messages(redis_server) as messages:
        flood = create_matches(stack, SEATS[seats], FLOOD_MATCHES)
        waits = sorted(play_for(stack, FLOOD_PLAYERS, FLOOD_SECONDS))
    print(  # noqa: T201 -- output of `make chaos`
        f"{len(flood)} matches of one player with {seats}; {FLOOD_PLAYERS} players with one match each waited"
        f" for {len(waits)} answers of `easy`: p50 {percentile(waits, 50):.2f} s, p99"
        f" {percentile(waits, 99):.2f} s, longest {waits[-1]:.2f} s;"
        f" a turn had at most {max(messages.values(), default=0)} messages"
    )
    assert percentile(waits, 50) < MAX_MEDIAN_SECONDS
    assert waits[-1] < MAX_WAIT_SECONDS
    assert max(messages.values(), default=0) <= MAX_MESSAGES
    verify_logs(stack)


def percentile(ordered: list[float], percent: float) -> float:
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def create_matches(stack: Stack, seats: list[Any], count: int) -> list[str]:
    load = Load(stack.port)
    token = load.answer(Request("POST", "auth/guest"))["token"]
    body = {"ruleset": "classic", "turn_seconds": None, "seats": seats}
    return [load.answer(Request("POST", "matches", token, body))["id"] for _ in range(count)]


def play_for(stack: Stack, players: int, seconds: float) -> list[float]:
    """Let players play against `easy` for a while; return how long they waited for each answer."""
    stop_at, waits = time.monotonic() + seconds, list[float]()
    threads = [
        threading.Thread(target=lambda number=number: waits.extend(play_until(stack, number, stop_at)))
        for number in range(players)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return waits


def play_until(stack: Stack, number: int, stop_at: float) -> list[float]:
    """Play one match against `easy`, thinking for a second or two; return the waits for its answers.

    A long poll waits for each answer, so a wait is what a client notices. An answer that is still missing at
    the end counts with the time until then.
    """
    load, rng = Load(stack.port), Random(number)
    token = load.answer(Request("POST", "auth/guest"))["token"]
    seats = [{"kind": "me"}, {"kind": "ai", "level": "easy"}]
    body = {"ruleset": "classic", "turn_seconds": None, "target_score": 1000, "seats": seats}
    match_id = load.answer(Request("POST", "matches", token, body))["id"]
    path, waits = f"matches/{match_id}", list[float]()
    table = load.answer(Request("GET", path, token))
    while time.monotonic() < stop_at and table["status"] == "active":
        if table["round"]["to_act"] == 0:
            time.sleep(1 + rng.random())
            legal = load.answer(Request("GET", f"{path}/legal-moves?expand=plays", token))
            move = {"version": table["version"], **choose_action(legal, table["you"], rng)}
            table = load.answer(Request("POST", f"{path}/moves", token, move))["match"]
            continue
        version, began_at = table["version"], time.monotonic()
        while table["version"] == version and time.monotonic() < stop_at:
            table = load.answer(Request("GET", f"{path}?after={version}&wait=10", token))
        waits.append(time.monotonic() - began_at)
    return waits


@contextmanager
def count_messages(broker: Redis) -> Iterator[Counter[tuple[Any, ...]]]:
    """Count the messages for each turn that wait in the queue `ai` at any time."""
    messages: dict[str, tuple[Any, ...]] = {}
    counts: Counter[tuple[Any, ...]] = Counter()
    stop = threading.Event()

    def watch() -> None:
        with broker.client() as client:
            while not stop.wait(0.5):
                for text in client.lrange("ai", 0, -1):
                    message = json.loads(text)
                    arguments = json.loads(b64decode(message["body"]))[0]
                    messages.setdefault(message["headers"]["id"], tuple(arguments[:2]))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield counts
    finally:
        stop.set()
        watcher.join()
        counts.update(arguments for arguments in messages.values() if arguments)
