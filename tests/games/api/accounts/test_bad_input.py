"""Whatever is sent to the routes of accounts, the answer is a refusal that says why."""

import pytest
from rest_framework.test import APIClient

from games.models import Player, Scope
from tests.games.api.bad_input import BadRequest, Route, every_bad_request, refuses
from tests.games.api.clients import client_of, code, guest, person

V1 = "/api/v1"
ACCOUNT = {"username": "heather", "password": "a heap of heather", "email": "h@example.org"}
ROUTES = [
    Route("POST", f"{V1}/auth/guest", {"display_name": "Heather"}),
    Route("POST", f"{V1}/auth/register", ACCOUNT),
    Route("POST", f"{V1}/auth/token", {"username": "heather", "password": "a heap of heather"}),
    Route("POST", f"{V1}/auth/password/reset", {"username": "heather", "email": "h@example.org"}),
    Route("POST", f"{V1}/auth/password/confirm", {"token": "1.abc", "password": "a heap of heather"}),
    Route("POST", f"{V1}/auth/email/confirm", {"token": "1.abc"}),
]
ROUTES_WITH_A_TOKEN = [
    Route("POST", f"{V1}/me/password", {"current_password": "a", "password": "a heap of heather"}),
    Route(
        "PATCH",
        f"{V1}/me",
        {"display_name": "H", "email": "h@example.org", "time_zone": "UTC", "notifications": {"email": []}},
    ),
    Route(
        "POST",
        f"{V1}/me/tokens",
        {"name": "n", "scopes": ["matches:read"], "expires_at": "2099-01-01T00:00:00Z"},
    ),
    Route("POST", f"{V1}/me/bots", {"username": "robot", "display_name": "R"}),
    Route("POST", f"{V1}/me/bots/robot/token", {}),
]
ROUTES_OF_GUESTS = [Route("POST", f"{V1}/auth/claim", ACCOUNT)]


@pytest.mark.parametrize("bad", every_bad_request(ROUTES), ids=str)
def test_whoever_shows_no_token_is_refused(db: None, bad: BadRequest) -> None:
    refuses(APIClient(), bad)


@pytest.mark.parametrize("bad", every_bad_request(ROUTES_WITH_A_TOKEN), ids=str)
def test_a_player_is_refused(db: None, bad: BadRequest) -> None:
    refuses(client_of(person()), bad)


@pytest.mark.parametrize("bad", every_bad_request(ROUTES_OF_GUESTS), ids=str)
def test_a_guest_is_refused(db: None, bad: BadRequest) -> None:
    refuses(guest()[1], bad)


STRANGE = ["%00", "%ff", "..", "a" * 31, "ai:hard", "%F0%9F%82%A1", "a%0Ab", "x'--", "%ED%A0%80", "1" * 400]


@pytest.mark.parametrize("part", STRANGE)
@pytest.mark.parametrize("path", ("players/{}", "me/tokens/{}", "me/bots/{}"))
@pytest.mark.parametrize("method", ("GET", "DELETE"))
def test_a_strange_address_leads_nowhere(database: str, path: str, part: str, method: str) -> None:
    client = client_of(person(), frozenset(Scope))
    response = client.generic(method, f"{V1}/{path.format(part)}")
    assert response.status_code in {404, 405}
    assert code(response) in {"not_found", "method_not_allowed"}


@pytest.mark.parametrize(
    "body",
    (
        {"display_name": "\x1b[31m"},
        {"display_name": "a\nb"},
        {"display_name": "\u202eb"},
        {"display_name": "x" * 51},
        {"time_zone": "Nowhere/Else"},
        {"time_zone": "../../etc/passwd"},
        {"email": "nobody"},
        {"email": ""},
        {"email": f"{'a' * 300}@example.org"},
        {"notifications": {"email": ["rain"]}},
        {"notifications": {"smoke": []}},
        {"notifications": {"email": ["your_turn"] * 50}},
        {"username": "other"},
        {"kind": "bot"},
        {"is_staff": True},
    ),
)
def test_a_profile_that_cannot_be_is_refused(database: str, body: dict[str, object]) -> None:
    player = person("heather")
    response = client_of(player).patch("/api/v1/me", body)
    assert (response.status_code, code(response)) == (422, "validation_error")
    assert Player.objects.get(pk=player.pk).time_zone == "UTC"
