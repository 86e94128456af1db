"""Visitors that play whole matches of every rule set with each other and with AIs, and browse."""

import time
from dataclasses import dataclass, field
from itertools import count, cycle
from random import Random
from typing import Any, Final

from tests.chaos.load import STALE_VERSION, Load, Request
from tests.support.clients import choose_action

Json = Any

# Rule sets and numbers of players.
RULE_SETS: Final = (
    *(("classic", 2), ("classic", 3), ("revised", 2), ("revised", 3), ("booklet", 2), ("booklet", 3)),
    *(("haggish", 2), ("deluxe", 2), ("deluxe", 3)),
)
POLL_SECONDS: Final = 0.1
# Levels of AIs that play each other.
LEVELS: Final = ("easy", "medium", "easy", "medium", "hard")
MATCHES_OF_AIS: Final = 3


@dataclass
class Visitors(Load):
    """A number of concurrent visitors that survive failures. The last one lets AIs play each other.

    `finished` counts finished matches, `ai_matches_finished` those between AIs, and `ai_matches` are those in
    progress.
    """

    finished: int = 0
    ai_matches_finished: int = 0
    ai_matches: list[str] = field(default_factory=list)
    _keys: Any = field(default_factory=count)

    def _play_until_stopped(self, number: int) -> None:
        rng = Random(self.seed * 1000 + number)
        tokens = [self.answer(Request("POST", "auth/guest"))["token"] for _ in range(3)]
        if number == self.players - 1:
            self._watch_ais(tokens[0])
        while not self.stop_requested.is_set():
            self._play_match(tokens, rng)

    def _watch_ais(self, token: str) -> None:
        """Keep AIs playing each other."""
        levels, players = cycle(LEVELS), cycle((2, 3))
        while not self.stop_requested.is_set():
            for match_id in [*self.ai_matches]:
                if self._table(match_id, token)["status"] == "finished":
                    self.ai_matches.remove(match_id)
                    self.finished, self.ai_matches_finished = self.finished + 1, self.ai_matches_finished + 1
            while len(self.ai_matches) < MATCHES_OF_AIS:
                seats = [{"kind": "ai", "level": next(levels)}] * next(players)
                body = {"ruleset": "classic", "rounds": 2, "seats": seats}
                self.ai_matches.append(self._post("matches", token, body)["id"])
            self.stop_requested.wait(1)

    def _post(self, path: str, token: str, body: Json) -> Json:
        """Send a request until it succeeds; return `None` if the table has changed."""
        key = f"{token[-8:]} {next(self._keys)}"
        return self.answer(Request("POST", path, token, body, key), accept_code=STALE_VERSION)

    def _play_match(self, tokens: list[str], rng: Random) -> None:
        """Play a match to its end, then verify its record."""
        ruleset, players = rng.choice(RULE_SETS)
        ais = rng.randrange(2)
        seats = [
            {"kind": "me"},
            *[{"kind": "open"}] * (players - 1 - ais),
            *[{"kind": "ai", "level": "easy"}] * ais,
        ]
        body = {"ruleset": ruleset, "rounds": 2, "seats": seats}
        match_id = self._post("matches", tokens[0], body)["id"]
        for token in tokens[1 : players - ais]:
            self._post(f"matches/{match_id}/join", token, {})
        while not self.stop_requested.is_set():
            table = self._table(match_id, tokens[0])
            if table["status"] != "active":
                self._verify_record(match_id, tokens[0])
                return
            self._act(match_id, tokens[: players - ais], table, rng)

    def _act(self, match_id: str, tokens: list[str], table: Json, rng: Random) -> None:
        if table["round"]["to_act"] >= len(tokens):
            self.stop_requested.wait(POLL_SECONDS)
            return
        path, token = f"matches/{match_id}", tokens[table["round"]["to_act"]]
        mine = self._table(match_id, token)
        legal = self.answer(Request("GET", f"{path}/legal-moves?expand=plays", token))
        body = {"version": mine["version"], **choose_action(legal, mine["you"], rng)}
        self._post(f"{path}/moves", token, body)
        if rng.random() < 0.1:
            self.answer(Request("GET", "matches?status=active"))
            self.answer(Request("GET", "me/matches", token))

    def _verify_record(self, match_id: str, token: str) -> None:
        record = self.answer(Request("GET", f"matches/{match_id}/record"))
        verdict = self.answer(Request("POST", "records/verify", token, {"record": record}))
        if verdict != {"valid": True, "deals": "proven"}:
            raise AssertionError(f"{match_id}: {verdict}")
        self.finished += 1

    def _table(self, match_id: str, token: str) -> Json:
        return self.answer(Request("GET", f"matches/{match_id}", token))

    def play_for(self, seconds: float) -> None:
        """Let the visitors play for this time, unless one of them stops."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self._has_moves(0)
            time.sleep(min(1.0, seconds))
