"""Notices are written with their causes and read once, even if their writer is killed at any moment."""

import sys
import time
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest

from tests.chaos.conftest import KILLS
from tests.chaos.match_of_two import MatchOfTwo
from tests.support.processes import ManagedProcess, Postgresql, Web, minimal_environment, wait_for

pytestmark = pytest.mark.timeout(180 + 60 * KILLS)


class NoticeReader:
    """Reads the notices of a player page by page."""

    def __init__(self, match: MatchOfTwo) -> None:
        self._match = match
        self._cursor: str = self._page("notices=true")["cursor"]
        self.ids: list[str] = []

    def _page(self, query: str) -> Any:
        return self._match.request_json("GET", f"me/events?{query}", self._match.tokens[0])

    def read(self) -> int:
        """Read everything new, and return how many notices have been read so far."""
        while True:
            page = self._page(f"notices=true&limit=50&after={self._cursor}")
            assert not page["missed"]
            self.ids += [each["notice"]["id"] for each in page["results"]]
            self._cursor = page["cursor"]
            if page["next"] is None:
                return len(self.ids)

    def has_more_than(self, count: int) -> bool:
        """Read everything new, and return whether more than this many notices have been read."""
        return self.read() > count


@pytest.mark.needs("postgresql-programs")
def test_notices_survive_kills_of_their_writer(
    postgresql_server: Postgresql, on_postgresql: Web, tmp_path: Path
) -> None:
    rng = Random(KILLS)
    match = MatchOfTwo(on_postgresql, seed=11)
    hook = {"url": "https://bots.example/hook", "types": ["security"]}
    match.request_json("POST", "me/webhooks", match.tokens[0], hook)
    reader = NoticeReader(match)
    username = match.request_json("GET", "me", match.tokens[0])["username"]
    with psycopg.connect(postgresql_server.url, autocommit=True) as database:
        [player_id] = one_row(database, "SELECT id FROM games_player WHERE username = %s", username)
        environment = minimal_environment(
            DJANGO_SETTINGS_MODULE="haggis_service.settings.development",
            HAGGIS_DATA=str(tmp_path),
            DATABASE_URL=postgresql_server.url,
        )
        command = [sys.executable, "-m", "tests.chaos.notifier", str(player_id)]
        writer = ManagedProcess(command, tmp_path / "writer.log", environment)
        for _ in range(max(KILLS, 3)):
            before = reader.read()
            writer.start()
            try:
                wait_for("a notice", partial(reader.has_more_than, before), 60)
                time.sleep(rng.random() * 0.2)
                assert not writer.has_exited(), writer.log.read_text()
            finally:
                writer.kill()
        reader.read()
        causes = one_row(database, "SELECT count(*) FROM games_securityevent WHERE player_id = %s", player_id)
        deliveries = one_row(
            database, "SELECT count(*), count(DISTINCT notice_id) FROM games_delivery WHERE type = 'security'"
        )
    assert len(reader.ids) == len(set(reader.ids))
    assert causes == (len(reader.ids),)
    assert deliveries == (len(reader.ids), len(reader.ids))


def one_row(database: "psycopg.Connection[Any]", statement: str, *values: object) -> tuple[Any, ...]:
    """Return the only row of a query."""
    row = database.execute(statement, values).fetchone()
    assert row is not None
    return tuple(row)
