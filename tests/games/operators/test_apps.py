"""Operators look at apps of third parties, stop them and enable them again."""

from typing import Any

import pytest

from games.identity.app_models import Authorization, OAuthApp
from games.identity.models import Player
from games.operators.models import OperatorAction, OperatorActionType
from games.operators.services import Role
from tests.support.clients import code, make_person
from tests.support.factories import logged_in_client, make_operator
from tests.support.oauth import App, Browser, make_app


@pytest.fixture
def app(database: str) -> App:
    return make_app(make_person("maker"))


@pytest.fixture
def heather(database: str) -> Player:
    return make_person("heather")


def page_of(app: App, action: str = "change") -> str:
    return f"/admin/games/oauthapp/{app.row.pk}/{action}/"


def act(app: App, action: str, **values: Any) -> Any:
    client = logged_in_client(make_operator(Role.MODERATOR))
    return client.post(page_of(app, action), {"reason": "it spams players", **values})


def test_operators_find_an_app_and_see_its_page(app: App, heather: Player) -> None:
    app.sign_in(heather)
    client = logged_in_client(make_operator(Role.MODERATOR))
    for term in ("card reader", app.client_id, "maker"):
        listed = client.get("/admin/games/oauthapp/", {"q": term}).content.decode()
        assert app.client_id in listed
    assert app.client_id not in client.get("/admin/games/oauthapp/", {"q": "other"}).content.decode()
    shown = client.get(page_of(app)).content.decode()
    assert "https://app.example.com/callback" in shown
    assert "active" in shown


def test_a_stopped_app_loses_its_tokens_and_asks_nobody(app: App, heather: Player) -> None:
    client = app.sign_in(heather)
    assert act(app, "stop").status_code == 302
    assert code(client.get("/api/v1/me")) == "not_authenticated"
    assert app.refresh().json()["error"] == "invalid_client"
    assert not Authorization.objects.exists()
    assert Browser().get(app.address()).status_code == 400
    entry = OperatorAction.objects.get(action=OperatorActionType.STOP_APP)
    assert (entry.player, entry.details) == (app.row.owner, {"app": app.client_id})
    assert act(app, "stop").status_code == 404


def test_an_enabled_app_asks_again(app: App, heather: Player) -> None:
    act(app, "stop")
    assert act(app, "enable").status_code == 302
    assert OAuthApp.objects.get().stopped_at is None
    assert app.sign_in(heather).get("/api/v1/me").status_code == 200


def test_an_action_needs_a_reason(app: App) -> None:
    assert act(app, "stop", reason="").status_code == 200
    assert OAuthApp.objects.get().stopped_at is None
