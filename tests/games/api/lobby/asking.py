"""Requests to the lobby by its names, as a test reads best."""

from typing import Any

from rest_framework.test import APIClient

from games.models import Player
from tests.games.api.clients import client_of

ROOT = "/api/v1"


def make(client: APIClient, **body: Any) -> Any:
    """A match made by this client."""
    response = client.post(f"{ROOT}/matches", {"ruleset": "classic", **body})
    assert response.status_code == 201, response.content
    return response.json()


def do(client: APIClient, table: Any, action: str, **body: Any) -> Any:
    """Act on a match; whatever comes back."""
    return client.post(f"{ROOT}/matches/{table['id']}/{action}", body)


def listed(client: APIClient, path: str = "matches", **query: str) -> list[str]:
    """The ids of one list, in its order, over all its pages."""
    response = client.get(f"{ROOT}/{path}", query)
    ids = []
    while True:
        assert response.status_code == 200, response.content
        page = response.json()
        ids += [match["id"] for match in page["results"]]
        if page["next"] is None:
            return ids
        response = client.get(page["next"])


def enter(*players: Player) -> list[APIClient]:
    """A client for each."""
    return [client_of(player) for player in players]
