"""Who may do what: every route of accounts, with every method, for every kind of asker."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from django.urls import resolve
from rest_framework.test import APIClient

from games.api.accounts.urls import account_routes
from games.models import Scope
from tests.games.api.clients import bot_of, client_of, guest, nobody, person, with_token

ASKERS: Final = ("nobody", "a stranger's token", "reading only", "guest", "person", "bot")
# Refused by the shape of the (empty) body, or by what the account is: the door itself was open.
OPEN: Final = {200, 201, 204, 400, 404, 409, 422}

# For each route and method: what each asker gets, in the order above. 1: let in; otherwise the status.
MATRIX: Final[dict[tuple[str, str], tuple[int, ...]]] = {
    ("POST", "auth/guest"): (1, 401, 1, 1, 1, 1),
    ("POST", "auth/register"): (1, 401, 1, 1, 1, 1),
    ("POST", "auth/claim"): (401, 401, 403, 1, 1, 403),
    ("POST", "auth/token"): (1, 401, 1, 1, 1, 1),
    ("DELETE", "auth/token"): (401, 401, 1, 1, 1, 1),
    ("POST", "auth/password/reset"): (1, 401, 1, 1, 1, 1),
    ("POST", "auth/password/confirm"): (1, 401, 1, 1, 1, 1),
    ("POST", "auth/email/confirm"): (1, 401, 1, 1, 1, 1),
    ("GET", "me"): (401, 401, 1, 1, 1, 1),
    ("PATCH", "me"): (401, 401, 403, 1, 1, 403),
    ("DELETE", "me"): (401, 401, 403, 1, 1, 403),
    ("POST", "me/password"): (401, 401, 403, 1, 1, 403),
    ("GET", "me/tokens"): (401, 401, 403, 1, 1, 403),
    ("POST", "me/tokens"): (401, 401, 403, 1, 1, 403),
    ("DELETE", "me/tokens/t_0"): (401, 401, 403, 1, 1, 403),
    ("GET", "me/bots"): (401, 401, 403, 1, 1, 403),
    ("POST", "me/bots"): (401, 401, 403, 1, 1, 403),
    ("DELETE", "me/bots/robot"): (401, 401, 403, 1, 1, 403),
    ("POST", "me/bots/robot/token"): (401, 401, 403, 1, 1, 403),
    ("GET", "players/robot"): (1, 401, 1, 1, 1, 1),
}
METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
PATHS: Final = tuple(dict.fromkeys(path for _, path in MATRIX))


def client(asker: str) -> APIClient:
    """Somebody of this kind."""
    owner = person()
    _, bot = bot_of(owner, "robot")
    made: dict[str, Callable[[], APIClient]] = {
        "nobody": nobody,
        "a stranger's token": lambda: with_token("haggis_" + "0" * 64),
        "reading only": lambda: client_of(person(), [Scope.MATCHES_READ]),
        "guest": lambda: guest()[1],
        "person": lambda: client_of(owner),
        "bot": lambda: bot,
    }
    return made[asker]()


@pytest.mark.parametrize("asker", ASKERS)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", METHODS)
def test_who_may_do_what(db: None, method: str, path: str, asker: str) -> None:
    answer: Any = client(asker).generic(method, f"/api/v1/{path}")
    row = MATRIX.get((method, path))
    expected = 405 if row is None else row[ASKERS.index(asker)]
    if row is None and asker == "a stranger's token":
        expected = 401
    assert answer.status_code in OPEN if expected == 1 else answer.status_code == expected, answer.content


def test_the_matrix_leaves_no_route_out() -> None:
    shown = {resolve(f"/api/v1/{path}").url_name for path in PATHS}
    assert shown == {route.name for route in account_routes()}
