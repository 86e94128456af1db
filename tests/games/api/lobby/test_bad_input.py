"""Every route of the lobby that reads a body, with every body that cannot be meant."""

from typing import Any, Final

import pytest

from games.models import Match
from tests.games.api.bad_input import BadRequest, Route, every_bad_request, refuses
from tests.games.api.clients import client_of
from tests.games.api.lobby.asking import ROOT, make
from tests.games.factories import make_player

MATCH: Final = "m_here"
ROUTES: Final = (
    Route(
        "POST",
        f"{ROOT}/matches",
        {
            "ruleset": "classic",
            "options": {"bomb_capture": "winner_chooses"},
            "players": 2,
            "target_score": 250,
            "seats": [{"kind": "me"}, {"kind": "open"}],
            "time_bank_seconds": 0,
            "on_timeout": "move",
            "timeouts_allowed": 3,
            "after_timeouts": "caretaker",
            "vacations": True,
            "visibility": "public",
            "rated": False,
            "hints": False,
            "hold": False,
            "client_seed": "anything",
        },
    ),
    Route("POST", f"{ROOT}/matches/{MATCH}/join", {"seat": 1, "client_seed": "anything"}),
    Route("POST", f"{ROOT}/matches/{MATCH}/start", {"client_seed": "anything"}),
    Route("POST", f"{ROOT}/matches/{MATCH}/accept", {"client_seed": "anything"}),
    Route("POST", f"{ROOT}/matches/{MATCH}/decline", {"reason": "none"}),
    Route("POST", f"{ROOT}/matches/{MATCH}/rematch", {"client_seed": "anything"}),
    Route("POST", f"{ROOT}/matches/{MATCH}/leave", {}),
    Route("POST", f"{ROOT}/matches/{MATCH}/cancel", {}),
    Route("POST", f"{ROOT}/matches/{MATCH}/resign", {}),
    Route("PUT", f"{ROOT}/matches/{MATCH}/seats/1", {"kind": "ai", "level": "easy"}),
    Route(
        "POST",
        f"{ROOT}/rulesets/classic/readings",
        {"players": 2, "cards": ["7r"], "as": {"kind": "set"}},
    ),
)


@pytest.mark.parametrize("bad", every_bad_request(ROUTES), ids=str)
def test_what_cannot_be_meant_is_refused_and_changes_nothing(db: None, bad: BadRequest) -> None:
    client = client_of(make_player())
    made = make(client)["id"]
    route = Route(**{**vars(bad.route), "path": bad.route.path.replace(MATCH, made)})
    refuses(client, BadRequest(**{**vars(bad), "route": route}))
    assert list(Match.objects.values_list("pk", "version")) == [(made, 1)]


SURPRISING: Final[tuple[dict[str, Any], ...]] = (
    {"ruleset": "\x07"},
    {"ruleset": ""},
    {"ruleset": "classic", "options": {"a/b~c": "x"}},
    {"ruleset": "classic", "options": {"": ""}},
    {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "player", "username": ""}]},
    {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "player", "username": "\U0001f0a1 İ"}]},
    {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "ai", "level": ""}]},
    {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "ai", "level": "__class__"}]},
)


@pytest.mark.parametrize("body", SURPRISING, ids=str)
def test_surprising_values_are_refused_too(database: str, body: dict[str, Any]) -> None:
    response = client_of(make_player()).post(f"{ROOT}/matches", body)
    assert response.status_code == 422, response.content


@pytest.mark.parametrize(
    "query",
    (
        *("status=running", "ruleset=whist", "open_seats=1", "open_seats=", "ordering=seats", "limit=0"),
        *("limit=101", "limit=x", "cursor=x", "cursor=", "cursor=WzEsMl0", "player=%00", "maker=%0a"),
        "player=" + "x" * 600,
    ),
)
def test_parameters_that_cannot_be_read_are_refused(database: str, query: str) -> None:
    response = client_of(make_player()).get(f"{ROOT}/matches?{query}")
    assert response.status_code == 400, response.content
    assert response.json()["code"] == "invalid_parameter"


def test_unknown_parameters_are_ignored(database: str) -> None:
    assert client_of(make_player()).get(f"{ROOT}/matches?colour=red").status_code == 200
