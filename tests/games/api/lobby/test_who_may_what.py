"""Who may do what in the lobby: every kind of user, on every route, at a public and at a private match."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import pytest
from django.db import transaction
from rest_framework.test import APIClient

from games.models import Scope
from tests.games.api.clients import bot_of, client_of, nobody, person
from tests.games.api.lobby.asking import ROOT, do, make

USERS: Final = ("anonymous", "reader", "stranger", "bot", "invited", "seated", "maker")


@dataclass
class Scene:
    """A match, and somebody of every kind. The invited and the seated are in it."""

    table: Any
    clients: dict[str, APIClient]

    def ask(self, user: str, method: str, path: str, body: dict[str, Any] | None) -> Any:
        """Send it as this user; the status with the code of a refusal."""
        client = self.clients[user]
        address = f"{ROOT}/{path.format(id=self.table['id'])}"
        response = client.get(address) if method == "GET" else getattr(client, method.lower())(address, body)
        assert response.status_code < 500, response.content
        if response.status_code < 300:
            return response.status_code
        return f"{response.status_code} {response.json()['code']}"

    def ask_each(self, row: "Row") -> dict[str, Any]:
        """What every user is answered, as if no other had asked."""
        answers = {}
        for user in USERS:
            with transaction.atomic():
                answers[user] = self.ask(user, row.method, row.path, row.body)
                transaction.set_rollback(True)
        return answers


class Row(NamedTuple):
    """One route, and what is answered to a stranger (a bot too), to the invited, the seated, the maker."""

    path: str
    method: str
    body: dict[str, Any]
    stranger: Any
    invited: Any
    seated: Any
    maker: Any

    def expected(self, visibility: str) -> dict[str, Any]:
        """The answer to everybody. A private match is not there for strangers."""
        stranger = NOT_THERE if visibility == "private" else self.stranger
        return {
            "anonymous": NO_TOKEN,
            "reader": NO_SCOPE,
            "stranger": stranger,
            "bot": stranger,
            "invited": self.invited,
            "seated": self.seated,
            "maker": self.maker,
        }


def set_scene(visibility: str, *, begun: bool) -> Scene:
    """Three seats, held until the maker says so: the maker's, one taken, one offered."""
    people = {name: person(name) for name in ("stranger", "invited", "seated", "maker")}
    clients = {name: client_of(each) for name, each in people.items()}
    clients["anonymous"] = nobody()
    clients["reader"] = client_of(person("reader"), {Scope.MATCHES_READ})
    clients["bot"] = bot_of(person("owner"), "bot-of-owner")[1]
    asked = [{"kind": "player", "username": name} for name in ("seated", "invited")]
    table = make(clients["maker"], seats=[{"kind": "me"}, *asked], visibility=visibility, hold=True)
    do(clients["seated"], table, "accept")
    if begun:
        do(clients["invited"], table, "accept")
        do(clients["maker"], table, "start")
    return Scene(table, clients)


NO_TOKEN: Final = "401 not_authenticated"
NO_SCOPE: Final = "403 insufficient_scope"
NOT_SEATED: Final = "403 not_seated"
NOT_THE_MAKER: Final = "403 not_the_maker"
NOT_THERE: Final = "404 not_found"
JOINED: Final = "409 already_joined"
FULL: Final = "409 match_full"
NOT_ACTIVE: Final = "409 match_not_active"
NOT_FINISHED: Final = "409 match_not_finished"
NOT_FILLED: Final = "409 seats_not_filled"
NOT_OPEN: Final = "409 match_not_open"
TAKEN: Final = "409 seat_taken"

AI: Final = {"kind": "ai", "level": "random"}

OPEN_TABLE: Final = (
    Row("matches/{id}/join", "POST", {}, FULL, 200, JOINED, JOINED),
    Row("matches/{id}/accept", "POST", {}, NOT_SEATED, 200, JOINED, JOINED),
    Row("matches/{id}/decline", "POST", {}, NOT_SEATED, 200, JOINED, JOINED),
    Row("matches/{id}/leave", "POST", {}, NOT_SEATED, NOT_SEATED, 200, 200),
    Row("matches/{id}/start", "POST", {}, NOT_THE_MAKER, NOT_THE_MAKER, NOT_THE_MAKER, NOT_FILLED),
    Row("matches/{id}/cancel", "POST", {}, NOT_THE_MAKER, NOT_THE_MAKER, NOT_THE_MAKER, 200),
    Row("matches/{id}/resign", "POST", {}, NOT_SEATED, NOT_SEATED, NOT_ACTIVE, NOT_ACTIVE),
    Row("matches/{id}/rematch", "POST", {}, NOT_SEATED, NOT_FINISHED, NOT_FINISHED, NOT_FINISHED),
    Row("matches/{id}/seats/2", "PUT", AI, NOT_THE_MAKER, NOT_THE_MAKER, NOT_THE_MAKER, 200),
    Row("matches/{id}/seats/1", "PUT", AI, NOT_THE_MAKER, NOT_THE_MAKER, NOT_THE_MAKER, TAKEN),
    Row("matches/{id}/seats/3", "PUT", AI, NOT_THERE, NOT_THERE, NOT_THERE, NOT_THERE),
)
# The same of a match that is being played; who was invited sits there now.
BEGUN_TABLE: Final = (
    Row("matches/{id}/join", "POST", {}, NOT_OPEN, NOT_OPEN, NOT_OPEN, NOT_OPEN),
    Row("matches/{id}/accept", "POST", {}, NOT_SEATED, NOT_OPEN, NOT_OPEN, NOT_OPEN),
    Row("matches/{id}/decline", "POST", {}, NOT_SEATED, NOT_OPEN, NOT_OPEN, NOT_OPEN),
    Row("matches/{id}/leave", "POST", {}, NOT_SEATED, NOT_OPEN, NOT_OPEN, NOT_OPEN),
    Row("matches/{id}/start", "POST", {}, NOT_THE_MAKER, NOT_THE_MAKER, NOT_THE_MAKER, NOT_OPEN),
    Row("matches/{id}/cancel", "POST", {}, NOT_THE_MAKER, NOT_THE_MAKER, NOT_THE_MAKER, NOT_OPEN),
    Row("matches/{id}/resign", "POST", {}, NOT_SEATED, 200, 200, 200),
    Row("matches/{id}/rematch", "POST", {}, NOT_SEATED, NOT_FINISHED, NOT_FINISHED, NOT_FINISHED),
    Row("matches/{id}/seats/2", "PUT", AI, NOT_THE_MAKER, NOT_THE_MAKER, NOT_THE_MAKER, NOT_OPEN),
)


VISIBILITIES: Final = ("public", "unlisted", "private")


@pytest.mark.parametrize("visibility", VISIBILITIES)
@pytest.mark.parametrize("row", OPEN_TABLE, ids=lambda row: f"{row.method} {row.path}")
def test_at_an_open_match(db: None, visibility: str, row: Row) -> None:
    assert set_scene(visibility, begun=False).ask_each(row) == row.expected(visibility)


@pytest.mark.parametrize("visibility", VISIBILITIES)
@pytest.mark.parametrize("row", BEGUN_TABLE, ids=lambda row: f"{row.method} {row.path}")
def test_at_a_match_that_is_played(db: None, visibility: str, row: Row) -> None:
    assert set_scene(visibility, begun=True).ask_each(row) == row.expected(visibility)


# Routes that belong to no match: what anonymous, a reader, anybody with a whole token, a bot are answered.
ELSEWHERE: Final[tuple[tuple[Any, ...], ...]] = (
    ("GET", "matches", None, 200, 200, 200, 200),
    ("POST", "matches", {"ruleset": "classic"}, NO_TOKEN, NO_SCOPE, 201, 201),
    ("GET", "matches?player=me", None, NO_TOKEN, 200, 200, 200),
    ("GET", "matches?maker=me", None, NO_TOKEN, 200, 200, 200),
    ("GET", "matches?player=nobody-here", None, NOT_THERE, NOT_THERE, NOT_THERE, NOT_THERE),
    ("GET", "me/matches", None, NO_TOKEN, 200, 200, 200),
    ("GET", "me/invitations", None, NO_TOKEN, 200, 200, 200),
    ("GET", "players/maker/matches", None, 200, 200, 200, 200),
    ("GET", "players/nobody-here/matches", None, NOT_THERE, NOT_THERE, NOT_THERE, NOT_THERE),
    ("GET", "rulesets", None, 200, 200, 200, 200),
    ("GET", "rulesets/classic", None, 200, 200, 200, 200),
    ("GET", "rulesets/whist", None, NOT_THERE, NOT_THERE, NOT_THERE, NOT_THERE),
    ("POST", "rulesets/classic/readings", {"players": 2, "cards": ["7r"]}, 200, 200, 200, 200),
    ("POST", "rulesets/whist/readings", {"players": 2, "cards": ["7r"]}, *[NOT_THERE] * 4),
)


@pytest.mark.parametrize("row", ELSEWHERE, ids=lambda row: f"{row[0]} {row[1]}")
def test_where_there_is_no_match(db: None, row: tuple[Any, ...]) -> None:
    method, path, body, anonymous, reader, anybody, bot = row
    scene = set_scene("public", begun=False)
    expected = {"anonymous": anonymous, "reader": reader, "bot": bot}
    for user in USERS:
        assert scene.ask(user, method, path, body) == expected.get(user, anybody), user


@pytest.mark.parametrize("method", ("GET", "POST", "PUT", "PATCH", "DELETE"))
def test_other_methods_are_not_taken(db: None, method: str) -> None:
    scene = set_scene("private", begun=False)
    routes = {(row.path, row.method) for row in OPEN_TABLE}
    routes |= {(path.partition("?")[0], taken) for taken, path, *_ in ELSEWHERE}
    for path in {path for path, taken in routes} - {path for path, taken in routes if taken == method}:
        for user in ("anonymous", "stranger", "maker"):
            assert scene.ask(user, method, path, {}) == "405 method_not_allowed", path


def test_whoever_has_left_or_declined_a_private_match_still_sees_it_and_nobody_else(db: None) -> None:
    scene = set_scene("private", begun=False)
    assert scene.ask("invited", "POST", "matches/{id}/decline", {}) == 200
    assert scene.ask("seated", "POST", "matches/{id}/leave", {}) == 200
    seen = [user for user in USERS if scene.ask(user, "GET", "matches/{id}", None) == 200]
    assert seen == ["invited", "seated", "maker"]


def test_a_finished_match_is_played_again_by_those_who_sat_there(db: None) -> None:
    scene = set_scene("public", begun=True)
    for name in ("invited", "seated"):
        assert scene.ask(name, "POST", "matches/{id}/resign", {}) == 200
    expected = (NO_TOKEN, NO_SCOPE, NOT_SEATED, NOT_SEATED, 201, 200, 200)
    for user, answer in zip(USERS, expected, strict=True):
        assert scene.ask(user, "POST", "matches/{id}/rematch", {}) == answer
