"""Answers that hold a secret: shown once, kept by nobody."""

from typing import Any

from rest_framework.response import Response

from games.selectors.players import player_form
from games.services.accounts.tokens import NewToken

CREATED = 201
NO_CONTENT = 204


def secret_answer(body: dict[str, Any]) -> Response:
    """201 with a secret in it, which no cache may store."""
    return Response(body, status=CREATED, headers={"Cache-Control": "no-store"})


def entered(new: NewToken) -> Response:
    """Somebody has an account and a token for it."""
    return secret_answer({"token": new.secret, "player": player_form(new.token.user)})


def done() -> Response:
    """It is done, and there is nothing to say about it."""
    return Response(status=NO_CONTENT)
