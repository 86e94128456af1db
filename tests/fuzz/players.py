"""Who asks: a registered player, who stays until logged out, deleted, or at the end of what one may have."""

import itertools
import threading
from dataclasses import dataclass
from typing import Any, Final

import requests

PASSWORD: Final = "a heap of heather"
TIMEOUT_SECONDS: Final = 60
_NUMBERS: Final = itertools.count()
# After these the token is none any more, or the password is another.
_ENDING_OPERATIONS: Final = frozenset({"logOut", "deleteMe", "changePassword"})
_UNAUTHORIZED: Final = 401
Json = Any


class SceneUnavailable(Exception):
    """Something that a scene needs was refused: there is as much of it as there may be."""


@dataclass(frozen=True)
class Person:
    """Somebody who is logged in."""

    site: str
    name: str
    token: str

    @classmethod
    def register(cls, site: str) -> "Person":
        """Somebody new."""
        name = f"fuzz-{threading.get_native_id()}-{next(_NUMBERS)}"
        body = {"username": name, "password": PASSWORD}
        response = requests.post(f"{site}/api/v1/auth/register", json=body, timeout=TIMEOUT_SECONDS)
        return cls(site, name, str(response.json()["token"]))

    def request_json(self, method: str, path: str, body: Json = None) -> Json:
        """What the API answers, good or bad."""
        headers = {"Authorization": f"Bearer {self.token}"}
        response = requests.request(
            method, f"{self.site}/api/v1/{path}", json=body, headers=headers, timeout=TIMEOUT_SECONDS
        )
        return response.json() if response.content else None

    def require(self, method: str, path: str, body: Json = None) -> Json:
        """What the API answers, which has to be good."""
        response = self.request_json(method, path, body)
        if "code" in response:
            raise SceneUnavailable(path, response["code"])
        return response


class Player:
    """The one who asks now, as schemathesis wants it."""

    def __init__(self) -> None:
        self.person: Person | None = None

    def get(self, case: Any, _: Any) -> str:
        """A token; of somebody new where the last one is gone."""
        if self.person is None:
            self.person = Person.register(case.operation.base_url.rstrip("/"))
        return self.person.token

    def set(self, case: Any, data: str, _: Any) -> None:
        """Show it."""
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}

    def update(self, operation: str, response: Any) -> None:
        """Make way for somebody new where this answer ends what this one can do."""
        authorization = response.request.headers.get("Authorization", "")
        if self.person is not None and authorization == f"Bearer {self.person.token}":
            ended = operation in _ENDING_OPERATIONS and response.status_code < _UNAUTHORIZED
            if ended or response.status_code == _UNAUTHORIZED or b'"limit_reached"' in response.content:
                self.person = None


CURRENT_PLAYER: Final = Player()
