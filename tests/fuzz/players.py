"""The player that sends the requests. A new one registers after a log-out, a deletion or a reached limit."""

import itertools
import threading
from dataclasses import dataclass
from typing import Any, Final

import requests

PASSWORD: Final = "a heap of heather"
TIMEOUT_SECONDS: Final = 60
_NUMBERS: Final = itertools.count()
# Operations that invalidate the token or change the password.
_ENDING_OPERATIONS: Final = frozenset({"logOut", "deleteMe", "changePassword"})
_UNAUTHORIZED: Final = 401
Json = Any


class SceneUnavailable(Exception):
    """Raised if a precondition cannot be met, for example because a limit is reached."""


@dataclass(frozen=True)
class Person:
    """A registered player with a token."""

    site: str
    name: str
    token: str

    @classmethod
    def register(cls, site: str) -> "Person":
        """Register a new player."""
        name = f"fuzz-{threading.get_native_id()}-{next(_NUMBERS)}"
        body = {"username": name, "password": PASSWORD}
        response = requests.post(f"{site}/api/v1/auth/register", json=body, timeout=TIMEOUT_SECONDS)
        return cls(site, name, str(response.json()["token"]))

    def request_json(self, method: str, path: str, body: Json = None) -> Json:
        """Send a request and return the response, also if it failed."""
        headers = {"Authorization": f"Bearer {self.token}"}
        response = requests.request(
            method, f"{self.site}/api/v1/{path}", json=body, headers=headers, timeout=TIMEOUT_SECONDS
        )
        return response.json() if response.content else None

    def require(self, method: str, path: str, body: Json = None) -> Json:
        """Send a request that must succeed; return the response."""
        response = self.request_json(method, path, body)
        if "code" in response:
            raise SceneUnavailable(path, response["code"])
        return response


class Player:
    """The current player, as an authentication provider of schemathesis."""

    def __init__(self) -> None:
        self.person: Person | None = None

    def get(self, case: Any, _: Any) -> str:
        """Return a token, of a new player if needed."""
        if self.person is None:
            self.person = Person.register(case.operation.base_url.rstrip("/"))
        return self.person.token

    def set(self, case: Any, data: str, _: Any) -> None:
        """Authenticate the request."""
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}

    def update(self, operation: str, response: Any) -> None:
        """Replace the player if this response ends what it can do."""
        authorization = response.request.headers.get("Authorization", "")
        if self.person is not None and authorization == f"Bearer {self.person.token}":
            ended = operation in _ENDING_OPERATIONS and response.status_code < _UNAUTHORIZED
            if ended or response.status_code == _UNAUTHORIZED or b'"limit_reached"' in response.content:
                self.person = None


CURRENT_PLAYER: Final = Player()
