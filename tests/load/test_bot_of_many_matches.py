"""A bot with many matches stays within the rate limit of bots: one stream and one bulk read for its turns.

The bot moves once a second for `HAGGIS_BOT_SECONDS` in `HAGGIS_BOT_MATCHES` matches: 60 and 200 for the
figures of the documentation.
"""

import os
import threading
import time
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from examples.bot import Api, Bot
from tests.clients.serving import running_server
from tests.load.memory import cpu_seconds
from tests.support.processes import children_of

MATCHES: Final = int(os.environ.get("HAGGIS_BOT_MATCHES", "25"))
SECONDS: Final = float(os.environ.get("HAGGIS_BOT_SECONDS", "8"))
# The default of production.
LIMIT: Final = 3000
READS: Final = 10

pytestmark = pytest.mark.timeout(300 + SECONDS * 3)


def register_bot(site: str) -> str:
    """Register a person and a bot of theirs; return the token of the bot."""
    person = {"username": "bracken-fern", "password": "a heap of heather"}
    owner = httpx.post(f"{site}/api/v1/auth/register", json=person).json()["token"]
    headers = {"Authorization": f"Bearer {owner}"}
    made = httpx.post(f"{site}/api/v1/me/bots", json={"username": "busy-bot"}, headers=headers)
    return str(made.json()["token"])


def cpu_of_reads(api: Api, path: str, **headers: str) -> tuple[float, Any]:
    """Return the CPU seconds of this process' children for one read, and its last response."""
    answer = api.http.get(path, headers=headers)
    before = sum(map(cpu_seconds, children_of(os.getpid())))
    for _ in range(READS):
        answer = api.http.get(path, headers=headers)
    return (sum(map(cpu_seconds, children_of(os.getpid()))) - before) / READS, answer


def test_one_move_a_second_in_all_matches_stays_within_the_limit(tmp_path: Path) -> None:
    limit = f"{LIMIT}/60"
    with running_server(tmp_path, HAGGIS_LIMIT_BOTS=limit) as site:
        api = Api(site, register_bot(site))
        seats = [{"kind": "me"}, {"kind": "ai", "level": "easy"}]
        body = {"ruleset": "classic", "rounds": 5, "seats": seats}
        started = {api.send("POST", "/matches", body).raise_for_status().json()["id"] for _ in range(MATCHES)}
        path = "/me/matches?include=table,legal_moves&limit=200"
        full, answer = cpu_of_reads(api, path)
        assert len(answer.json()["results"]) == min(MATCHES, 200)
        size = len(answer.content)
        unchanged, _ = cpu_of_reads(api, path, **{"If-None-Match": answer.headers["ETag"]})
        bot = Bot(api, pause=1.0)
        threading.Thread(target=bot.run, args=(started,), daemon=True).start()
        time.sleep(1)  # the bulk read of the start
        moves, requests = bot.moves, api.requests
        time.sleep(SECONDS)
        moves, requests = bot.moves - moves, api.requests - requests
    print(  # noqa: T201 -- the figures of the documentation
        f"{MATCHES} matches: {size / 1000:.0f} kB and {full * 1000:.0f} ms of CPU for a bulk read, "
        f"{unchanged * 1000:.1f} ms if nothing changed (resolution {1000 / READS / 100:.0f} ms); "
        f"{moves} moves and {requests} requests in {SECONDS:.0f} s, limit {LIMIT} a minute"
    )
    assert api.limited == 0
    assert moves >= SECONDS / 3
    assert requests <= 2 * moves + 5
    assert requests * 60 / SECONDS < LIMIT
