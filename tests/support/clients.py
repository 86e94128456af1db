"""API clients for people, guests, bots and players at a table."""

import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any

import httpx
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from games.accounts.services.sign_in import create_bot, create_guest
from games.identity.models import HUMAN_SCOPES, ApiToken, Player, Scope
from games.identity.services import create_token, log_in_token
from games.matches.models.match import Match
from tests.support.factories import make_player

PASSWORD = "a heap of heather"


def make_person(username: str = "", **fields: Any) -> Player:
    """Create a player with a password."""
    player = Player(username=username or f"player-{secrets.token_hex(4)}", **fields)
    player.set_password(PASSWORD)
    player.save()
    return player


def anonymous_client() -> APIClient:
    """Return a client without a token."""
    return APIClient()


def client_of(player: Player, scopes: Iterable[Scope] = HUMAN_SCOPES) -> APIClient:
    """Return a client with a fresh session of a player, limited to these scopes."""
    new = create_token(player=player, name="test", scopes=scopes, granted=frozenset(Scope))
    ApiToken.objects.filter(pk=new.token.pk).update(
        session=True, fresh_until=timezone.now() + timedelta(minutes=10)
    )
    return client_with_token(new.secret)


def program_of(player: Player) -> APIClient:
    """Return a client with a personal token of a player, which is never fresh."""
    new = create_token(player=player, name="program", scopes=HUMAN_SCOPES, granted=frozenset(Scope))
    return client_with_token(new.secret)


def end_freshness() -> None:
    """Let the time pass after which every session needs the password again."""
    ApiToken.objects.update(fresh_until=timezone.now() - timedelta(seconds=1))


def client_with_token(secret: str) -> APIClient:
    """Return a client with this token."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def make_guest() -> tuple[Player, APIClient]:
    """Create a guest and return it with a client."""
    new = create_guest()
    return new.token.user, client_with_token(new.secret)


def make_bot(owner: Player, username: str) -> tuple[Player, APIClient]:
    """Create a bot and return it with a client."""
    new = create_bot(owner=owner, username=username)
    return new.token.user, client_with_token(new.secret)


def code(response: Any) -> str:
    """Return the code of an error response and check its members."""
    assert response["Content-Type"] == "application/problem+json", response.content
    body = json.loads(response.content)
    assert body.keys() >= {"type", "title", "status", "detail", "code"}
    assert body["status"] == response.status_code
    return str(body["code"])


def field_errors(response: Any) -> set[tuple[str, str]]:
    """Return pointer and code of each field error."""
    assert code(response) == "validation_error"
    assert response.status_code == 422
    return {(error["pointer"], error["code"]) for error in response.json()["errors"]}


Json = Any


@dataclass
class HttpPlayer:
    """A player, or a visitor without a token, who uses only the HTTP API.

    Requests go to Django's test client, or to the server at `site`.
    """

    token: str = ""
    username: str = ""
    match_id: str = ""
    site: str = ""

    @classmethod
    def log_in(cls, match: Match | None = None, player: Player | None = None) -> "HttpPlayer":
        """Log a player in, creating one if necessary."""
        player = player or make_player()
        return cls(log_in_token(player=player).secret, player.username, match.pk if match else "")

    @property
    def player(self) -> Player:
        """The account."""
        return Player.objects.get(username=self.username)

    def request(self, method: str, path: str, body: Json = None, **headers: str) -> Any:
        """Send a request and return the response."""
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        content = b"" if body is None else json.dumps(body).encode()
        if self.site:
            headers["Content-Type"] = "application/json"
            return httpx.request(method, f"{self.site}/api/v1/{path}", content=content, headers=headers)
        return Client().generic(
            method, f"/api/v1/{path}", data=content, content_type="application/json", headers=headers
        )

    def get(self, path: str, **headers: str) -> Any:
        """Get a resource of the match."""
        return self.request("GET", f"matches/{self.match_id}{path}", **headers)

    def table(self) -> Json:
        """Get the match as this player sees it."""
        return self.get("").json()

    def act(self, body: Json, **headers: str) -> Any:
        """Send an action."""
        return self.request("POST", f"matches/{self.match_id}/moves", body, **headers)


def choose_action(legal: Json, you: Json, rng: Random) -> Json:
    """Choose one of the legal actions."""
    if legal["bets"] and rng.random() < 0.3:
        return {"type": "bet", "amount": rng.choice(legal["bets"])}
    if legal["must_award"]:
        return {"type": "award", "to": rng.choice(you["awards"])}
    if legal["can_pass"] and (not legal["plays"] or rng.random() < 0.2):
        return {"type": "pass"}
    play = rng.choice(legal["plays"])
    named = {name: play["combination"][name] for name in ("kind", "top", "width", "length")}
    return {"type": "play", "cards": play["cards"], "as": named}


ROOT = "/api/v1"


def post_match(client: APIClient, **body: Any) -> Any:
    """Create a match with this client."""
    response = client.post(f"{ROOT}/matches", {"ruleset": "classic", **body})
    assert response.status_code == 201, response.content
    return response.json()


def post_to_match(client: APIClient, table: Any, action: str, **body: Any) -> Any:
    """Post to an endpoint of a match and return the response."""
    return client.post(f"{ROOT}/matches/{table['id']}/{action}", body)


def list_match_ids(client: APIClient, path: str = "matches", **query: str) -> list[str]:
    """Return the ids of all pages of a list, in order."""
    response = client.get(f"{ROOT}/{path}", query)
    ids = []
    while True:
        assert response.status_code == 200, response.content
        page = response.json()
        ids += [match["id"] for match in page["results"]]
        if page["next"] is None:
            return ids
        response = client.get(page["next"])


def clients_of(*players: Player) -> list[APIClient]:
    """Return a client for each player."""
    return [client_of(player) for player in players]
