"""Create and check stored matches."""

import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from tests.chaos.load import AcknowledgedMove, Load, Request
from tests.support.processes import ROOT, Service, Web

Json = Any

STORED_MATCHES: Final = int(os.environ.get("HAGGIS_STORED_MATCHES", "50"))
TURNS: Final = frozenset({"play", "pass", "bet", "award"})


def store_matches(web: Web) -> None:
    """Store many matches beside those that are played."""
    command = [sys.executable, "-m", "tests.chaos.fill_database", str(STORED_MATCHES)]
    environment = {**web.running.environment, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=60 + STORED_MATCHES)


def read_log(web: Service, match_id: str) -> list[Json]:
    """Read the whole log of a match, page by page."""
    entries: list[Json] = []
    while True:
        status, page = Request("GET", f"matches/{match_id}/moves?after={len(entries)}").send(web.port)
        assert status == 200, page
        entries += page["results"]
        if page["next"] is None:
            return entries


def check_moves_stored(web: Service, moves: list[AcknowledgedMove]) -> int:
    """Compare the logs with the acknowledged moves; return the number of moves."""
    by_match: dict[str, list[Json]] = defaultdict(list)
    for move in moves:
        by_match[move.match_id].append(move.answer["move"])
    for match_id, acknowledged in by_match.items():
        _, table = Request("GET", f"matches/{match_id}").send(web.port)
        log = read_log(web, match_id)
        assert [entry["version"] for entry in log] == list(range(1, table["version"] + 1))
        assert [entry for entry in log if entry["type"] in TURNS] == acknowledged
    verify_logs(web)
    return sum(map(len, by_match.values()))


def verify_logs(web: Service) -> None:
    """Run the management command that replays every log and compares it with the stored state."""
    assert "no differences" in web.manage("verify_matches")


def check_repeated_requests(web: Service, moves: list[AcknowledgedMove]) -> None:
    """Repeat every request: the response must be the same, and nothing may change."""
    before = {move.match_id: read_log(web, move.match_id) for move in moves}
    for move in moves:
        assert move.request.send(web.port) == (201, move.answer)
    assert {match_id: read_log(web, match_id) for match_id in before} == before


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
