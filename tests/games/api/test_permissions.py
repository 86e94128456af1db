"""Access rules and scopes."""

from typing import ClassVar

import pytest
from django.core.exceptions import ImproperlyConfigured
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIClient

from games.api.auth import ANYONE, AccessRule
from games.api.views import ApiView
from games.identity.models import Scope
from tests.support.clients import client_of, code, make_bot, make_person

pytestmark = pytest.mark.urls("tests.games.api.probe_views")


def test_requests_without_a_token_reach_public_methods_only(database: str) -> None:
    assert APIClient().get("/api/v1/echo").status_code == 200
    for method in ("get", "post", "delete"):
        response = getattr(APIClient(), method)("/api/v1/count")
        assert (response.status_code, code(response)) == (401, "not_authenticated")


def test_any_token_suffices_if_no_scope_is_required(database: str) -> None:
    assert client_of(make_person(), [Scope.WEBHOOKS_WRITE]).get("/api/v1/count").status_code == 200


def test_an_insufficient_token_gets_the_missing_scope(database: str) -> None:
    response = client_of(make_person(), [Scope.MATCHES_READ]).delete("/api/v1/count")
    assert (response.status_code, code(response)) == (403, "insufficient_scope")
    assert response.json()["scopes"] == ["account:write"]
    assert "account:write" in response.json()["detail"]


@pytest.mark.parametrize("scope", (Scope.MATCHES_PLAY, Scope.BOT_PLAY))
def test_one_of_several_scopes_is_enough(database: str, scope: Scope) -> None:
    assert client_of(make_person(), [scope]).post("/api/v1/count", {}).status_code == 201


def test_a_bot_can_play_but_not_change_accounts(database: str) -> None:
    _, client = make_bot(make_person(), "robot")
    assert client.post("/api/v1/count", {}).status_code == 201
    assert client.delete("/api/v1/count").status_code == 403


def test_a_view_with_a_method_without_an_access_rule_is_rejected() -> None:
    class Incomplete(ApiView):
        access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}

        def get(self, request: Request) -> Response:
            return Response()

        def post(self, request: Request) -> Response:
            return Response()

    with pytest.raises(ImproperlyConfigured, match="POST"):
        Incomplete.as_view()
