"""Visitors who play whole matches of every kind, against each other and against AIs, and look around."""

import time
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from tests.chaos.load import Load, Request
from tests.games.api.table.clients import choose

Json = Any

# Each rule set, and for how many it is played here.
KINDS: Final = (
    *(("classic", 2), ("classic", 3), ("revised", 2), ("revised", 3), ("booklet", 2), ("booklet", 3)),
    *(("haggish", 2), ("deluxe", 2), ("deluxe", 3)),
)
SECONDS_BETWEEN_LOOKS: Final = 0.1


@dataclass
class Visitors(Load):
    """So many at once. `finished` counts the matches that they have played to the end."""

    finished: int = 0

    def _keep_playing(self, number: int) -> None:
        rng = Random(self.seed * 1000 + number)
        tokens = [self.answer(Request("POST", "auth/guest"))["token"] for _ in range(3)]
        if number == 0:
            self._watch_ais(tokens[0])
        while not self.stopping.is_set():
            self._whole_match(tokens, rng)

    def _watch_ais(self, token: str) -> None:
        """Have AIs play among themselves all the time."""
        seats = [{"kind": "ai", "level": "easy"}] * 2
        running: list[str] = []
        while not self.stopping.is_set():
            running = [each for each in running if self._table(each, token)["status"] != "finished"]
            while len(running) < 2:
                body = {"ruleset": "classic", "rounds": 5, "seats": seats}
                running.append(self.answer(Request("POST", "matches", token, body))["id"])
                self.finished += 1
            self.stopping.wait(1)

    def _whole_match(self, tokens: list[str], rng: Random) -> None:
        """Play one to its end, then look at what is left of it."""
        ruleset, players = rng.choice(KINDS)
        ais = rng.randrange(2)
        seats = [
            {"kind": "me"},
            *[{"kind": "open"}] * (players - 1 - ais),
            *[{"kind": "ai", "level": "easy"}] * ais,
        ]
        body = {"ruleset": ruleset, "rounds": 2, "seats": seats}
        match_id = self.answer(Request("POST", "matches", tokens[0], body))["id"]
        for token in tokens[1 : players - ais]:
            self.answer(Request("POST", f"matches/{match_id}/join", token, {}))
        while not self.stopping.is_set():
            table = self._table(match_id, tokens[0])
            if table["status"] != "active":
                self._look_back(match_id, tokens[0])
                return
            self._act(match_id, tokens[: players - ais], table, rng)

    def _act(self, match_id: str, tokens: list[str], table: Json, rng: Random) -> None:
        if table["round"]["to_act"] >= len(tokens):
            self.stopping.wait(SECONDS_BETWEEN_LOOKS)
            return
        path, token = f"matches/{match_id}", tokens[table["round"]["to_act"]]
        mine = self._table(match_id, token)
        legal = self.answer(Request("GET", f"{path}/legal-moves?expand=plays", token))
        body = {"version": mine["version"], **choose(legal, mine["you"], rng)}
        self.answer(Request("POST", f"{path}/moves", token, body))
        if rng.random() < 0.1:
            self.answer(Request("GET", "matches?status=active"))
            self.answer(Request("GET", "me/matches", token))

    def _look_back(self, match_id: str, token: str) -> None:
        record = self.answer(Request("GET", f"matches/{match_id}/record"))
        verdict = self.answer(Request("POST", "records/verify", token, {"record": record}))
        if verdict != {"valid": True, "deals": "proven"}:
            raise AssertionError(f"{match_id}: {verdict}")
        self.finished += 1

    def _table(self, match_id: str, token: str) -> Json:
        return self.answer(Request("GET", f"matches/{match_id}", token))

    def play_for(self, seconds: float) -> None:
        """Let them go on for so long, unless one of them gives up."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._has(0)
            time.sleep(min(1.0, seconds))
