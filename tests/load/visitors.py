"""Visitors who play whole matches of every kind, against each other and against AIs, and look around."""

import time
from dataclasses import dataclass, field
from itertools import count, cycle
from random import Random
from typing import Any, Final

from tests.chaos.load import OVERTAKEN, Load, Request
from tests.games.api.table.clients import choose

Json = Any

# Each rule set, and for how many it is played here.
KINDS: Final = (
    *(("classic", 2), ("classic", 3), ("revised", 2), ("revised", 3), ("booklet", 2), ("booklet", 3)),
    *(("haggish", 2), ("deluxe", 2), ("deluxe", 3)),
)
SECONDS_BETWEEN_LOOKS: Final = 0.1
# What AIs play among themselves: every level and number of players comes around.
LEVELS: Final = ("easy", "medium", "easy", "medium", "hard")
MATCHES_OF_AIS: Final = 3


@dataclass
class Visitors(Load):
    """So many at once, whatever becomes of the server. The last of them has AIs play among themselves.

    `finished` counts the matches that were played to the end, `of_ais` those of them in which AIs alone sat;
    `running` are those that AIs play now.
    """

    finished: int = 0
    of_ais: int = 0
    running: list[str] = field(default_factory=list)
    _keys: Any = field(default_factory=count)

    def _keep_playing(self, number: int) -> None:
        rng = Random(self.seed * 1000 + number)
        tokens = [self.answer(Request("POST", "auth/guest"))["token"] for _ in range(3)]
        if number == self.players - 1:
            self._watch_ais(tokens[0])
        while not self.stopping.is_set():
            self._whole_match(tokens, rng)

    def _watch_ais(self, token: str) -> None:
        """Have AIs play among themselves all the time."""
        levels, players = cycle(LEVELS), cycle((2, 3))
        while not self.stopping.is_set():
            for match_id in [*self.running]:
                if self._table(match_id, token)["status"] == "finished":
                    self.running.remove(match_id)
                    self.finished, self.of_ais = self.finished + 1, self.of_ais + 1
            while len(self.running) < MATCHES_OF_AIS:
                seats = [{"kind": "ai", "level": next(levels)}] * next(players)
                body = {"ruleset": "classic", "rounds": 2, "seats": seats}
                self.running.append(self._done("matches", token, body)["id"])
            self.stopping.wait(1)

    def _done(self, path: str, token: str, body: Json) -> Json:
        """Have something done once, however often it has to be asked; None where the table has moved on."""
        key = f"{token[-8:]} {next(self._keys)}"
        return self.answer(Request("POST", path, token, body, key), unless=OVERTAKEN)

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
        match_id = self._done("matches", tokens[0], body)["id"]
        for token in tokens[1 : players - ais]:
            self._done(f"matches/{match_id}/join", token, {})
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
        self._done(f"{path}/moves", token, body)
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
