"""One user of every kind at one match, and the response that each should get.

The match has three seats: one for its maker, one for a second player, and one with an open invitation. In an
active match the invited player has taken the third seat.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import transaction
from rest_framework.test import APIClient

from games.identity.app_models import Authorization, OAuthApp
from games.identity.models import Player, Scope
from tests.support.clients import (
    ROOT,
    anonymous_client,
    client_of,
    client_with_token,
    make_bot,
    make_guest,
    make_person,
    post_match,
    post_to_match,
)
from tests.support.receiver import push_subscription

# Users outside of the match, users in it, and the maker with a token of a single scope each.
STRANGERS: Final = ("stranger", "guest", "bot")
INSIDERS: Final = ("invited", "seated", "maker")
TOKENS: Final = tuple(scope.value for scope in Scope)
USERS: Final = ("anonymous", "forger", *STRANGERS, *INSIDERS, *TOKENS)

# The scopes of a bot's token, and those of the tokens of people and guests.
_BOT_SCOPES: Final = frozenset({"matches:read", "bot:play", "webhooks:write"})
_PERSON_SCOPES: Final = frozenset(TOKENS) - {"bot:play"}

ANYONE: Final = "anyone"
SIGNED_IN: Final = "signed in"
READ: Final = ("matches:read", "matches:play", "bot:play")
PLAY: Final = ("matches:play", "bot:play")
ACCOUNT: Final = ("account:write",)
WEBHOOKS: Final = ("webhooks:write",)

NO_TOKEN: Final = "401 not_authenticated"
NO_SCOPE: Final = "403 insufficient_scope"
NOT_FOUND: Final = "404 not_found"

Needs = str | tuple[str, ...]
# The status of a success, the status and code of an error, or alternatives of these.
Answer = int | str | tuple[int | str, ...]


@dataclass(frozen=True)
class Row:
    """One method of one path, with the response to each group of users.

    `path` may contain the placeholders in `Scene.parts`. `exceptions` overrides the response of single users.
    """

    method: str
    path: str
    needs: Needs
    stranger: Answer
    invited: Answer
    seated: Answer
    maker: Answer
    body: dict[str, Any] | None = None
    exceptions: dict[str, Answer] = field(default_factory=dict)

    def expected(self, user: str, *, hidden: bool) -> Answer:
        """Return the response to a user; `hidden` says that strangers may not see the match."""
        if user == "forger":
            return NO_TOKEN
        if user == "anonymous":
            public_answer = NOT_FOUND if hidden else self.exceptions.get(user, self.stranger)
            return public_answer if self.needs == ANYONE else NO_TOKEN
        if not self._has_scope(user):
            return NO_SCOPE
        if user in STRANGERS:
            return NOT_FOUND if hidden else self.exceptions.get(user, self.stranger)
        answer: Answer = getattr(self, user if user in INSIDERS else "maker")
        return self.exceptions.get(user, answer)

    def _has_scope(self, user: str) -> bool:
        """Return whether the token of a user has one of the required scopes."""
        if self.needs in {ANYONE, SIGNED_IN}:
            return True
        scopes = {"bot": _BOT_SCOPES}.get(user, frozenset({user}) if user in TOKENS else _PERSON_SCOPES)
        return not scopes.isdisjoint(self.needs)


@dataclass
class Scene:
    """A client for each user, and the ids of the match and of the maker's private objects."""

    clients: dict[str, APIClient]
    parts: dict[str, str]

    def send(self, user: str, row: Row) -> int | str:
        """Send the request of a row and return the status, with the code of an error."""
        path = row.path.format(**self.parts)
        client: Any = self.clients[user]
        if row.body is None:
            response = client.generic(row.method, f"{ROOT}/{path}")
        else:
            response = getattr(client, row.method.lower())(f"{ROOT}/{path}", row.body)
        status = int(response.status_code)
        return status if status < 300 else f"{status} {response.json()['code']}"

    def differences(self, rows: Iterable[Row], *, hidden: bool) -> list[str]:
        """Return the unexpected responses; each request is rolled back before the next one."""
        differences = []
        for row in rows:
            for user in USERS:
                expected = row.expected(user, hidden=hidden)
                with transaction.atomic():
                    got = self.send(user, row)
                    transaction.set_rollback(True)
                if got != expected and not (isinstance(expected, tuple) and got in expected):
                    differences.append(f"{row.method} {row.path}, {user}: {got} instead of {expected}")
        return differences


def create_scene(visibility: str = "public", *, begun: bool = False) -> Scene:
    """Create the users and the match, open with an invitation or active with three players."""
    people = {name: make_person(name) for name in ("stranger", *INSIDERS)}
    clients = {name: client_of(each) for name, each in people.items()}
    maker = people["maker"]
    clients |= {scope: client_of(maker, [Scope(scope)]) for scope in TOKENS}
    clients["anonymous"], clients["forger"] = anonymous_client(), client_with_token("haggis_" + "0" * 64)
    clients["guest"] = make_guest()[1]
    clients["bot"] = make_bot(people["stranger"], "bot-of-stranger")[1]
    invited = [{"kind": "player", "username": name} for name in ("seated", "invited")]
    table = post_match(clients["maker"], seats=[{"kind": "me"}, *invited], visibility=visibility, hold=True)
    post_to_match(clients["seated"], table, "accept")
    if begun:
        post_to_match(clients["invited"], table, "accept")
        post_to_match(clients["maker"], table, "start")
    return Scene(clients, {"match": table["id"], **create_private_objects(clients["maker"])})


def create_private_objects(maker: APIClient) -> dict[str, str]:
    """Create private objects of each kind for the maker and return their ids."""
    root = f"{ROOT}/me"
    maker.post(f"{root}/bots", {"username": "bot-of-maker"})
    addresses = ["https://app.example.com/callback"]
    app = maker.post(f"{root}/apps", {"name": "Maker's app", "redirect_uris": addresses}).json()["id"]
    authorization = Authorization.objects.create(
        player=Player.objects.get(username="maker"),
        app=OAuthApp.objects.get(client_id=app),
        scopes="matches:read",
    )
    token = maker.get(f"{root}/tokens").json()["results"][-1]["id"]
    webhook = maker.post(f"{root}/webhooks", {"url": "https://bots.example/hook"}).json()["id"]
    delivery = maker.post(f"{root}/webhooks/{webhook}/test", {}).json()["id"]
    device = maker.post(f"{root}/devices", push_subscription("makers")).json()["id"]
    return {
        "bot": "bot-of-maker",
        "token": token,
        "app": app,
        "authorization": authorization.public_id,
        "session": token,
        "webhook": webhook,
        "delivery": delivery,
        "device": device,
    }
