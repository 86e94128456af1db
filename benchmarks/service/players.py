"""Players over HTTP that request nothing but their moves: they know their hands and play singles."""

import http.client
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from benchmarks.service.processes import HOST

Json = Any
_RANKS: Final = {code: rank for rank, code in enumerate("23456789TJQK", start=2)}
# The proxy sets this header in production.
_HEADERS: Final = {"Content-Type": "application/json", "X-Forwarded-Proto": "https"}


class Table:
    """A match between two players, each with a persistent connection."""

    def __init__(self, port: int) -> None:
        self.connections = [http.client.HTTPConnection(HOST, port, timeout=60) for _ in range(2)]
        self.tokens = ["", ""]
        self.tokens = [self.request_json(seat, "POST", "auth/guest")["token"] for seat in range(2)]
        body = {"ruleset": "classic", "rounds": 100, "turn_seconds": None}
        body["seats"] = [{"kind": "me"}, {"kind": "open"}]
        self.path = f"matches/{self.request_json(0, 'POST', 'matches', body)['id']}"
        self.request_json(1, "POST", f"{self.path}/join", {})
        self.hands: list[set[str]] = [set(), set()]
        self.state: Json = None
        self.read_hands()

    def request_json(self, seat: int, method: str, path: str, body: Json = None) -> Json:
        """Send a request and return the parsed response; raise an error if it was rejected."""
        connection = self.connections[seat]
        headers = (
            {**_HEADERS, "Authorization": f"Bearer {self.tokens[seat]}"} if self.tokens[seat] else _HEADERS
        )
        connection.request(method, f"/api/v1/{path}", None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        content = response.read()
        if response.status not in {200, 201}:
            raise RuntimeError(f"{method} {path}: {response.status} {content[:300]!r}")
        return json.loads(content)

    def read_hands(self) -> None:
        """Read both hands."""
        for seat in range(2):
            self.state = self.request_json(seat, "GET", self.path)
            self.hands[seat] = set(self.state["round"]["hands"][seat]["cards"])

    def close(self) -> None:
        """Close both connections."""
        for connection in self.connections:
            connection.close()

    def move(self) -> None:
        """Play the lowest single that beats the trick, or pass."""
        seat, number = self.state["round"]["to_act"], self.state["round"]["number"]
        cards_in_trick = [play["cards"][0] for play in self.state["round"]["trick"] if play["cards"]]
        top = max(map(_rank, cards_in_trick), default=0)
        higher = [card for card in self.hands[seat] if _rank(card) > top]
        body: Json = {"version": self.state["version"], "type": "pass"}
        if higher:
            card = min(higher, key=_rank)
            body |= {"type": "play", "cards": [card]}
            self.hands[seat].discard(card)
        self.state = self.request_json(seat, "POST", f"{self.path}/moves", body)["match"]
        if self.state["round"]["number"] != number:
            self.read_hands()


def _rank(card: str) -> int:
    return _RANKS[card[0]]


def play_concurrently(tables: list[Table], moves: int) -> None:
    """Make this many moves at each table, concurrently."""
    with ThreadPoolExecutor(len(tables)) as pool:
        for future in [pool.submit(_play, table, moves) for table in tables]:
            future.result()


def _play(table: Table, moves: int) -> None:
    for _ in range(moves):
        table.move()
