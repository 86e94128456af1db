"""Players that play on during failures and record every response.

Each of them plays both seats of one match after another over HTTP. It sends every action with an idempotency
key until it is answered. Connection errors and 503 are retried; any other unexpected response is an error.
"""

import http.client
import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any, Final, Self

from tests.support.clients import choose_action
from tests.support.processes import wait_for
from tests.support.requirements import HOST

Json = Any

RESPONSE_TIMEOUT_SECONDS: Final = 30
RETRY_TIMEOUT_SECONDS: Final = 90
UNAVAILABLE: Final = 503
# After an outage the sweep extends deadlines, which makes a new version of the match.
STALE_VERSION: Final = "stale_version"


@dataclass(frozen=True)
class Request:
    """A request that can be repeated."""

    method: str
    path: str
    token: str = ""
    body: Json = None
    key: str = ""

    def send(self, port: int) -> tuple[int, Json]:
        """Send the request once and return the response."""
        connection = self.open(port)
        try:
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def open(self, port: int) -> http.client.HTTPConnection:
        """Send the request and leave the response unread."""
        connection = http.client.HTTPConnection(HOST, port, timeout=RESPONSE_TIMEOUT_SECONDS)
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.key:
            headers["Idempotency-Key"] = self.key
        body = None if self.body is None else json.dumps(self.body)
        connection.request(self.method, f"/api/v1/{self.path}", body, headers)
        return connection


@dataclass(frozen=True)
class AcknowledgedMove:
    """A move that the server has accepted."""

    match_id: str
    request: Request
    answer: Json


@dataclass(frozen=True, slots=True)
class RequestTiming:
    """When a request was sent and how long its response took."""

    method: str
    sent_at: float
    seconds: float


@dataclass
class Load:
    """A number of players that play until they are stopped. `failures` counts unexpected responses."""

    port: int
    players: int = 3
    seed: int = 1
    moves: list[AcknowledgedMove] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)
    timings: list["RequestTiming"] = field(default_factory=list)
    stop_requested: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        """Start the players."""
        self.threads = [
            threading.Thread(target=self._play_until_stopped, args=(number,), daemon=True)
            for number in range(self.players)
        ]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the players; a waiting one still waits for its response."""
        self.stop_requested.set()
        for thread in self.threads:
            thread.join(RETRY_TIMEOUT_SECONDS)

    def wait_for_moves(self, moves: int) -> None:
        """Wait until this many more moves have been acknowledged."""
        target = len(self.moves) + moves
        wait_for(
            f"{moves} more moves {dict(self.failures)}",
            lambda: self._has_moves(target),
            RETRY_TIMEOUT_SECONDS,
        )

    def _has_moves(self, target: int) -> bool:
        if not all(thread.is_alive() for thread in self.threads):
            raise AssertionError(f"a player has stopped: {dict(self.failures)}")
        return len(self.moves) >= target

    def _play_until_stopped(self, number: int) -> None:
        rng = Random(self.seed * 1000 + number)
        tokens = [self.answer(Request("POST", "auth/guest"))["token"] for _ in range(2)]
        keys = (f"player {number} request {each}" for each in count())
        while not self.stop_requested.is_set():
            match_id = self._start_match(tokens, keys)
            while not self.stop_requested.is_set() and self._take_turn(match_id, tokens, next(keys), rng):
                pass

    def _start_match(self, tokens: list[str], keys: Any) -> str:
        seats = [{"kind": "me"}, {"kind": "open"}]
        # Without turn times, which would be extended after an outage: that is an event, too.
        body = {"ruleset": "classic", "rounds": 2, "turn_seconds": None, "seats": seats}
        match_id: str = self.answer(Request("POST", "matches", tokens[0], body, next(keys)))["id"]
        self.answer(Request("POST", f"matches/{match_id}/join", tokens[1], {}, next(keys)))
        return match_id

    def _take_turn(self, match_id: str, tokens: list[str], key: str, rng: Random) -> bool:
        """Act for the seat to act; return `False` if the match is over."""
        path = f"matches/{match_id}"
        table = self.answer(Request("GET", path, tokens[0]))
        if table["status"] != "active":
            return False
        token = tokens[table["round"]["to_act"]]
        table = self.answer(Request("GET", path, token))
        legal = self.answer(Request("GET", f"{path}/legal-moves?expand=plays", token))
        body = {"version": table["version"], **choose_action(legal, table["you"], rng)}
        request = Request("POST", f"{path}/moves", token, body, key)
        answer = self.answer(request, accept_code=STALE_VERSION)
        if answer is not None:
            self.moves.append(AcknowledgedMove(match_id, request, answer))
        return True

    def answer(self, request: Request, *, accept_code: str = "") -> Json:
        """Repeat the request until it succeeds; return `None` if it fails with the accepted code."""
        deadline = time.monotonic() + RETRY_TIMEOUT_SECONDS
        while time.monotonic() < deadline:
            sent_at = time.monotonic()
            try:
                status, body = request.send(self.port)
                self.timings.append(RequestTiming(request.method, sent_at, time.monotonic() - sent_at))
            except (OSError, http.client.HTTPException):
                self.failures["nothing"] += 1
            else:
                if status in {200, 201}:
                    return body
                if body["code"] == accept_code:
                    return None
                self.failures[f"{status} {body['code']}"] += 1
                if status != UNAVAILABLE and body["code"] != "request_in_flight":
                    raise AssertionError(f"{request}: {status} {body}")
            time.sleep(0.05)
        raise AssertionError(f"{request}: not answered")
