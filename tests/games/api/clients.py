"""People, guests and bots who send requests, as tests need them."""

import json
import secrets
from collections.abc import Iterable
from typing import Any

from rest_framework.test import APIClient

from games.models import Player, Scope
from games.models.token import HUMAN_SCOPES
from games.services.accounts.bots import create_bot
from games.services.accounts.entering import enter_as_guest
from games.services.accounts.tokens import create_token

PASSWORD = "a heap of heather"


def person(username: str = "", **fields: Any) -> Player:
    """Somebody with an account."""
    player = Player(username=username or f"player-{secrets.token_hex(4)}", **fields)
    player.set_password(PASSWORD)
    player.save()
    return player


def nobody() -> APIClient:
    """A client that shows no token."""
    return APIClient()


def client_of(player: Player, scopes: Iterable[Scope] = HUMAN_SCOPES) -> APIClient:
    """A client with a token of this player."""
    new = create_token(player=player, name="test", scopes=scopes, granted=frozenset(Scope))
    return with_token(new.secret)


def with_token(secret: str) -> APIClient:
    """A client that shows this."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def guest() -> tuple[Player, APIClient]:
    """A guest, with the token that guests get."""
    new = enter_as_guest()
    return new.token.user, with_token(new.secret)


def bot_of(owner: Player, username: str) -> tuple[Player, APIClient]:
    """A bot, with the token that bots get."""
    new = create_bot(owner=owner, username=username)
    return new.token.user, with_token(new.secret)


def code(response: Any) -> str:
    """The code of a refusal, which must be of the one form that refusals have."""
    assert response["Content-Type"] == "application/problem+json", response.content
    body = json.loads(response.content)
    assert body.keys() >= {"type", "title", "status", "detail", "code"}
    assert body["status"] == response.status_code
    return str(body["code"])


def faults(response: Any) -> set[tuple[str, str]]:
    """Where the body was wrong, and how."""
    assert code(response) == "validation_error"
    assert response.status_code == 422
    return {(error["pointer"], error["code"]) for error in response.json()["errors"]}
