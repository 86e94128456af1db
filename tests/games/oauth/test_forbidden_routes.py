"""The routes that no app reaches, with any scope."""

import re

import pytest
from django.urls import get_resolver

from games.identity.models import Player
from games.oauth.queries import APP_SCOPES
from tests.games.api.routes import METHODS, PARTS
from tests.support.clients import code
from tests.support.oauth import App

# Everything below these, also what is added later.
FORBIDDEN = (
    *("me/tokens", "me/bots", "me/apps", "me/authorizations", "me/password", "me/export", "me/sessions"),
    *("me/reauthenticate", "me/second-factor", "auth/claim"),
)
ALL_SCOPES = " ".join(scope.value for scope in APP_SCOPES)


def forbidden_routes() -> list[tuple[str, str]]:
    found = []
    for pattern in get_resolver("games.urls").url_patterns:
        path = re.sub(
            r"<(?:\w+:)?(\w+?)(?:_id)?>", lambda part: PARTS.get(part[1], "robot"), str(pattern.pattern)
        )
        view = getattr(pattern.callback, "view_class", None)
        if view is not None and any(path == each or path.startswith(f"{each}/") for each in FORBIDDEN):
            found += [(method, path) for method in METHODS if hasattr(view, method.lower())]
    return found


def test_no_app_reaches(app: App, heather: Player) -> None:
    client = app.sign_in(heather, scope=ALL_SCOPES)
    assert client.get("/api/v1/me").json()["email"] == "heather@example.org"
    routes = forbidden_routes()
    assert len(routes) >= 20
    for method, path in routes:
        answer = client.generic(method, f"/api/v1/{path}", "{}", content_type="application/json")
        assert code(answer) == "insufficient_scope", (method, path)


@pytest.mark.parametrize(
    ("method", "body"), (("DELETE", "{}"), ("PATCH", '{"email": "intruder@example.org"}'))
)
def test_no_app_deletes_the_account_or_changes_its_address(
    app: App, heather: Player, method: str, body: str
) -> None:
    client = app.sign_in(heather, scope=ALL_SCOPES)
    answer = client.generic(method, "/api/v1/me", body, content_type="application/json")
    assert code(answer) == "reauthentication_required"
