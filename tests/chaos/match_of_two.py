"""A match of two guests, whose actions are prepared before a server is killed."""

from random import Random
from typing import Any

from tests.chaos.load import Load, Request
from tests.support.clients import choose_action
from tests.support.processes import Web, wait_for
from tests.support.stored_matches import read_log

Json = Any


class MatchOfTwo:
    """A match and the tokens of its players."""

    def __init__(self, web: Web, seed: int) -> None:
        self.web, self.rng = web, Random(seed)
        self.load = Load(web.port)
        self.tokens = [self.request_json("POST", "auth/guest")["token"] for _ in range(2)]
        seats = [{"kind": "me"}, {"kind": "open"}]
        # Without turn times, which would be extended after an outage: that is an event, too.
        body = {"ruleset": "classic", "rounds": 50, "turn_seconds": None, "seats": seats}
        self.id: str = self.request_json("POST", "matches", self.tokens[0], body)["id"]
        self.request_json("POST", f"matches/{self.id}/join", self.tokens[1], {})

    def request_json(self, method: str, path: str, token: str = "", body: Json = None) -> Json:
        return self.load.answer(Request(method, path, token, body))

    def next_action(self, key: str) -> Request:
        path = f"matches/{self.id}"
        token = self.tokens[self.request_json("GET", path)["round"]["to_act"]]
        legal = self.request_json("GET", f"{path}/legal-moves?expand=plays", token)
        table = self.request_json("GET", path, token)
        body = {"version": table["version"], **choose_action(legal, table["you"], self.rng)}
        return Request("POST", f"{path}/moves", token, body, key)

    def version(self) -> int:
        return int(self.request_json("GET", f"matches/{self.id}")["version"])

    def wait_for_version(self, version: int) -> None:
        wait_for("the move", lambda: self.version() == version)

    def check_one_effect(self, request: Request, answer: Json) -> None:
        """Check that the move is in the log once, nothing follows it, and the response stays the same."""
        log = read_log(self.web, self.id)
        assert [entry["version"] for entry in log] == list(range(1, request.body["version"] + 2))
        assert log[-1] == answer["move"]
        assert request.send(self.web.port) == (201, answer)
        assert self.version() == request.body["version"] + 1
