"""Players as they really are: a token, HTTP, and what the answers show them."""

import json
from dataclasses import dataclass
from random import Random
from typing import Any

from django.test import Client

from games.models import Match, Player
from games.services.accounts.tokens import log_in_token
from tests.games.factories import make_player

Json = Any


@dataclass
class HttpPlayer:
    """Somebody who knows of a match what the API tells."""

    player: Player
    token: str
    match_id: str = ""

    @classmethod
    def enter(cls, match: Match | None = None, player: Player | None = None) -> "HttpPlayer":
        """Log somebody in."""
        player = player or make_player()
        return cls(player, log_in_token(player=player).secret, match.pk if match else "")

    def request(self, method: str, path: str, body: Json = None, **headers: str) -> Any:
        """Ask, and give the whole response back."""
        return Client().generic(
            method,
            f"/api/v1/{path}",
            data=b"" if body is None else json.dumps(body).encode(),
            content_type="application/json",
            headers={"Authorization": f"Bearer {self.token}", **headers},
        )

    def get(self, path: str, **headers: str) -> Any:
        """Read something of the match."""
        return self.request("GET", f"matches/{self.match_id}{path}", **headers)

    def table(self) -> Json:
        """The table as this player sees it."""
        return self.get("").json()

    def act(self, body: Json, **headers: str) -> Any:
        """Send an action."""
        return self.request("POST", f"matches/{self.match_id}/moves", body, **headers)

    def play_something(self, rng: Random) -> Any:
        """Do one thing that the API says is legal: bet now and then, else play, pass or award."""
        table = self.table()
        legal = self.get("/legal-moves?expand=plays").json()
        return self.act({"version": table["version"], **choose(legal, table["you"], rng)})


def choose(legal: Json, you: Json, rng: Random) -> Json:
    """One of the legal actions."""
    if legal["bets"] and rng.random() < 0.3:
        return {"type": "bet", "amount": rng.choice(legal["bets"])}
    if legal["must_award"]:
        return {"type": "award", "to": rng.choice(you["awards"])}
    if legal["can_pass"] and (not legal["plays"] or rng.random() < 0.2):
        return {"type": "pass"}
    play = rng.choice(legal["plays"])
    named = {name: play["combination"][name] for name in ("kind", "top", "width", "length")}
    return {"type": "play", "cards": play["cards"], "as": named}


def play_to_the_end(seated: list[HttpPlayer], rng: Random, most: int = 3000) -> Json:
    """Let the players act in turn until the match is finished; the last table."""
    table = seated[0].table()
    for _ in range(most):
        if table["status"] != "active":
            return table
        response = seated[table["round"]["to_act"]].play_something(rng)
        assert response.status_code == 201, response.content
        table = response.json()["match"]
    raise AssertionError("the match does not end")
