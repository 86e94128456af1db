"""Stream readers that are disconnected again and again, and resume from their last event id."""

import http.client
import json
import threading
import time
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any, Final

from tests.chaos.load import Load, Request
from tests.support.requirements import HOST

Json = Any

READ_TIMEOUT_SECONDS: Final = 40
MAX_LINES_PER_CONNECTION: Final = 12
# Less than a stream replays.
MAX_UNREAD_ENTRIES: Final = 300


@dataclass
class Tables(Load):
    """Two players at several tables at once.

    They pause while the reader is far behind, since a stream starts again after too many missed entries.
    """

    tokens: list[str] = field(default_factory=list)
    matches: list[str] = field(default_factory=list)
    reader: "Reader | None" = None

    def _play_until_stopped(self, number: int) -> None:
        rng = Random(self.seed * 1000 + number)
        keys = (f"table {number} request {each}" for each in count())
        while not self.stop_requested.is_set():
            match_id = self._start_match(self.tokens, keys)
            self.matches.append(match_id)
            while not self.stop_requested.is_set() and self._take_turn(
                match_id, self.tokens, next(keys), rng
            ):
                self._wait_for_reader()

    def _wait_for_reader(self) -> None:
        while (
            self.reader
            and len(self.moves) - len(self.reader.entries) > MAX_UNREAD_ENTRIES
            and not self.stop_requested.is_set()
        ):
            time.sleep(0.05)


@dataclass
class Reader:
    """A stream reader that survives disconnections. `entries` has the match and version of each entry."""

    port: int
    path: str
    token: str
    last_event_id: str = ""
    entries: list[tuple[str, int]] = field(default_factory=list)
    cuts: int = 0
    restarts: list[Json] = field(default_factory=list)
    stop_requested: threading.Event = field(default_factory=threading.Event)
    rng: Random = field(default_factory=lambda: Random(5))

    def start(self) -> None:
        """Read in a thread."""
        self.thread = threading.Thread(target=self._read_until_stopped, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Stop after the next line."""
        self.stop_requested.set()
        self.thread.join(READ_TIMEOUT_SECONDS)

    def _read_until_stopped(self) -> None:
        while not self.stop_requested.is_set():
            connection = http.client.HTTPConnection(HOST, self.port, timeout=READ_TIMEOUT_SECONDS)
            try:
                self._read(connection)
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)
            finally:
                connection.close()

    def _read(self, connection: http.client.HTTPConnection) -> None:
        headers = {"Accept": "application/x-ndjson", "Authorization": f"Bearer {self.token}"}
        if self.last_event_id:
            headers["Last-Event-ID"] = self.last_event_id
        connection.request("GET", f"/api/v1/{self.path}", headers=headers)
        response = connection.getresponse()
        if response.status != http.HTTPStatus.OK:
            time.sleep(0.05)
            return
        self.cuts += 1
        for _ in range(self.rng.randint(1, MAX_LINES_PER_CONNECTION)):
            line = response.readline()
            if not line.endswith(b"\n") or self.stop_requested.is_set():
                return
            self._handle(json.loads(line))

    def _handle(self, event: Json) -> None:
        if event["event"] == "ping":
            return
        if event["event"] == "entry":
            data = event["data"]
            match_id = data["match"] if "match" in data else self.path.split("/")[1]
            self.entries.append((match_id, data.get("entry", data)["version"]))
        elif self.last_event_id:
            self.restarts.append(event)  # the stream started again instead of resuming
        self.last_event_id = str(event["id"])


def current_cursor(port: int, token: str) -> str:
    """Return the current cursor of a player's tables."""
    status, page = Request("GET", "me/events", token).send(port)
    assert status == 200, page
    return str(page["cursor"])
