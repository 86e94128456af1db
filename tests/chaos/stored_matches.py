"""Checks of stored matches: every acknowledged move exists exactly once, and nothing else."""

import os
import subprocess
import sys
from collections import defaultdict
from typing import Any, Final

from tests.chaos.load import AcknowledgedMove, Request
from tests.chaos.servers import ROOT, Service, Web

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
    assert "all as the logs say" in web.manage("verify_matches")


def check_repeated_requests(web: Service, moves: list[AcknowledgedMove]) -> None:
    """Repeat every request: the response must be the same, and nothing may change."""
    before = {move.match_id: read_log(web, move.match_id) for move in moves}
    for move in moves:
        assert move.request.send(web.port) == (201, move.answer)
    assert {match_id: read_log(web, match_id) for match_id in before} == before
