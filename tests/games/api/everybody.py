"""Somebody of every kind, at one match: who they are, and what each is answered.

A match of three: its maker sits there, so does somebody else, and the third seat is offered. Once it has
begun the invited sits there too.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import transaction
from rest_framework.test import APIClient

from games.identity.models import Scope
from tests.support.clients import ROOT, bot_of, client_of, do, guest, make, nobody, person, with_token
from tests.support.receiver import subscription

# Who do not belong to the match, then who do, then the maker with tokens of one scope each.
STRANGERS: Final = ("stranger", "guest", "bot")
INSIDERS: Final = ("invited", "seated", "maker")
TOKENS: Final = tuple(scope.value for scope in Scope)
USERS: Final = ("anonymous", "forger", *STRANGERS, *INSIDERS, *TOKENS)

# What a bot's own token reaches; a person's and a guest's reach all that is not a bot's.
_BOTS: Final = frozenset({"matches:read", "bot:play", "webhooks:write"})
_PEOPLES: Final = frozenset(TOKENS) - {"bot:play"}

ANYONE: Final = "anyone"
SIGNED_IN: Final = "signed in"
READ: Final = ("matches:read", "matches:play", "bot:play")
PLAY: Final = ("matches:play", "bot:play")
ACCOUNT: Final = ("account:write",)
WEBHOOKS: Final = ("webhooks:write",)

NO_TOKEN: Final = "401 not_authenticated"
NO_SCOPE: Final = "403 insufficient_scope"
NOT_THERE: Final = "404 not_found"

Needs = str | tuple[str, ...]
# A status where it is a success, status and code of a refusal, or several of these any of which will do.
Answer = int | str | tuple[int | str, ...]


@dataclass(frozen=True)
class Row:
    """One method of one address, and what is answered to strangers, to the invited, the seated, the maker.

    `path` may hold what stands in `Scene.parts`. `but` names who is answered otherwise than their kind.
    """

    method: str
    path: str
    needs: Needs
    stranger: Answer
    invited: Answer
    seated: Answer
    maker: Answer
    body: dict[str, Any] | None = None
    but: dict[str, Answer] = field(default_factory=dict)

    def expected(self, user: str, *, hidden: bool) -> Answer:
        """The answer to this user; `hidden` where the match is none that strangers may see."""
        if user == "forger":
            return NO_TOKEN
        if user == "anonymous":
            hidden_answer = NOT_THERE if hidden else self.but.get(user, self.stranger)
            return hidden_answer if self.needs == ANYONE else NO_TOKEN
        if not self._reaches(user):
            return NO_SCOPE
        if user in STRANGERS:
            return NOT_THERE if hidden else self.but.get(user, self.stranger)
        answer: Answer = getattr(self, user if user in INSIDERS else "maker")
        return self.but.get(user, answer)

    def _reaches(self, user: str) -> bool:
        """Whether the token of this user is enough for the door."""
        if self.needs in {ANYONE, SIGNED_IN}:
            return True
        reach = {"bot": _BOTS}.get(user, frozenset({user}) if user in TOKENS else _PEOPLES)
        return not reach.isdisjoint(self.needs)


@dataclass
class Scene:
    """A client for each user, and what there is: the match, and what is the maker's alone."""

    clients: dict[str, APIClient]
    parts: dict[str, str]

    def ask(self, user: str, row: Row) -> int | str:
        """Send it; the status with the code of a refusal."""
        path = row.path.format(**self.parts)
        client: Any = self.clients[user]
        if row.body is None:
            response = client.generic(row.method, f"{ROOT}/{path}")
        else:
            response = getattr(client, row.method.lower())(f"{ROOT}/{path}", row.body)
        status = int(response.status_code)
        return status if status < 300 else f"{status} {response.json()['code']}"

    def differences(self, rows: Iterable[Row], *, hidden: bool) -> list[str]:
        """Who is answered otherwise than expected, each asked as if nobody else had asked."""
        found = []
        for row in rows:
            for user in USERS:
                expected = row.expected(user, hidden=hidden)
                with transaction.atomic():
                    got = self.ask(user, row)
                    transaction.set_rollback(True)
                if got != expected and not (isinstance(expected, tuple) and got in expected):
                    found.append(f"{row.method} {row.path}, {user}: {got} instead of {expected}")
        return found


def set_scene(visibility: str = "public", *, begun: bool = False) -> Scene:
    """Everybody, and the match: waiting for the invited, or being played by all three."""
    people = {name: person(name) for name in ("stranger", *INSIDERS)}
    clients = {name: client_of(each) for name, each in people.items()}
    maker = people["maker"]
    clients |= {scope: client_of(maker, [Scope(scope)]) for scope in TOKENS}
    clients["anonymous"], clients["forger"] = nobody(), with_token("haggis_" + "0" * 64)
    clients["guest"] = guest()[1]
    clients["bot"] = bot_of(people["stranger"], "bot-of-stranger")[1]
    asked = [{"kind": "player", "username": name} for name in ("seated", "invited")]
    table = make(clients["maker"], seats=[{"kind": "me"}, *asked], visibility=visibility, hold=True)
    do(clients["seated"], table, "accept")
    if begun:
        do(clients["invited"], table, "accept")
        do(clients["maker"], table, "start")
    return Scene(clients, {"match": table["id"], **things_of(clients["maker"])})


def things_of(maker: APIClient) -> dict[str, str]:
    """What the maker has besides the match: a bot, a token, an endpoint, and what was sent to it."""
    root = f"{ROOT}/me"
    maker.post(f"{root}/bots", {"username": "bot-of-maker"})
    token = maker.get(f"{root}/tokens").json()["results"][-1]["id"]
    webhook = maker.post(f"{root}/webhooks", {"url": "https://bots.example/hook"}).json()["id"]
    delivery = maker.post(f"{root}/webhooks/{webhook}/test", {}).json()["id"]
    device = maker.post(f"{root}/devices", subscription("makers")).json()["id"]
    return {
        "bot": "bot-of-maker",
        "token": token,
        "webhook": webhook,
        "delivery": delivery,
        "device": device,
    }
