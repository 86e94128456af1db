"""Who asks: a registered player, who stays until logged out, deleted, or at the end of what one may have."""

import itertools
import threading
from dataclasses import dataclass
from typing import Any, Final

import requests

PASSWORD: Final = "a heap of heather"
SECONDS: Final = 60
_NUMBERS: Final = itertools.count()
# After these the token is none any more, or the password is another.
_ENDS: Final = frozenset({"logOut", "deleteMe", "changePassword"})
_UNAUTHORIZED: Final = 401
Json = Any


class NoScene(Exception):
    """Something that a scene needs was refused: there is as much of it as there may be."""


@dataclass(frozen=True)
class Person:
    """Somebody who is logged in."""

    site: str
    name: str
    token: str

    @classmethod
    def enter(cls, site: str) -> "Person":
        """Somebody new."""
        name = f"fuzz-{threading.get_native_id()}-{next(_NUMBERS)}"
        body = {"username": name, "password": PASSWORD}
        answer = requests.post(f"{site}/api/v1/auth/register", json=body, timeout=SECONDS)
        return cls(site, name, str(answer.json()["token"]))

    def ask(self, method: str, path: str, body: Json = None) -> Json:
        """What the API answers, good or bad."""
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = requests.request(
            method, f"{self.site}/api/v1/{path}", json=body, headers=headers, timeout=SECONDS
        )
        return answer.json() if answer.content else None

    def want(self, method: str, path: str, body: Json = None) -> Json:
        """What the API answers, which has to be good."""
        answer = self.ask(method, path, body)
        if "code" in answer:
            raise NoScene(path, answer["code"])
        return answer


class Player:
    """The one who asks now, as schemathesis wants it."""

    def __init__(self) -> None:
        self.person: Person | None = None

    def get(self, case: Any, _: Any) -> str:
        """A token; of somebody new where the last one is gone."""
        if self.person is None:
            self.person = Person.enter(case.operation.base_url.rstrip("/"))
        return self.person.token

    def set(self, case: Any, data: str, _: Any) -> None:
        """Show it."""
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}

    def has_seen(self, operation: str, response: Any) -> None:
        """Make way for somebody new where this answer ends what this one can do."""
        shown = response.request.headers.get("Authorization", "")
        if self.person is not None and shown == f"Bearer {self.person.token}":
            ended = operation in _ENDS and response.status_code < _UNAUTHORIZED
            if ended or response.status_code == _UNAUTHORIZED or b'"limit_reached"' in response.content:
                self.person = None


WHO: Final = Player()
