"""Matches between AIs, observed from outside."""

import time
from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise
from typing import Any

from tests.chaos.load import Load, Request
from tests.chaos.servers import Service
from tests.chaos.stored_matches import read_log

Json = Any


def create_ai_matches(service: Service, count: int, *, rounds: int = 1, players: int = 2) -> list[str]:
    """Create matches between AIs; return their ids."""
    load = Load(service.port)
    token = load.answer(Request("POST", "auth/guest"))["token"]
    body = {"ruleset": "classic", "rounds": rounds, "seats": [{"kind": "ai", "level": "easy"}] * players}
    return [load.answer(Request("POST", "matches", token, body))["id"] for _ in range(count)]


def unfinished(service: Service, matches: Iterable[str]) -> list[str]:
    """Return the matches that are not finished."""
    load = Load(service.port)
    return [
        each for each in matches if load.answer(Request("GET", f"matches/{each}"))["status"] != "finished"
    ]


def wait_until_finished(service: Service, matches: Iterable[str], seconds: float) -> None:
    """Wait until all matches are finished."""
    remaining, deadline = list(matches), time.monotonic() + seconds
    while remaining := unfinished(service, remaining):
        if time.monotonic() > deadline:
            raise AssertionError(
                f"{len(remaining)} matches are not finished after {seconds} seconds: {remaining[:3]}"
            )
        time.sleep(0.5)


def count_events(service: Service, matches: Iterable[str]) -> int:
    """Return the number of events of all matches together."""
    load = Load(service.port)
    return sum(load.answer(Request("GET", f"matches/{each}"))["version"] for each in matches)


def longest_gaps(service: Service, matches: Iterable[str]) -> list[float]:
    """Return the longest time between two log entries of each match, in seconds."""
    return [_longest_gap(read_log(service, each)) for each in matches]


def _longest_gap(log: list[Json]) -> float:
    times = [datetime.fromisoformat(entry["at"]) for entry in log]
    gaps = pairwise(times)
    return max(((later - earlier).total_seconds() for earlier, later in gaps), default=0.0)
