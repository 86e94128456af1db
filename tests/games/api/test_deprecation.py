"""Deprecated operations and members."""

from dataclasses import replace
from datetime import date
from typing import Final

import pytest

from games.api.schema.deprecation import CREATED_NAME, Deprecation
from games.api.schema.document import OPENAPI_30, OPENAPI_31, document, routes, view_of
from tests.support.clients import HttpPlayer
from tests.support.receiver import push_subscription

SINCE: Final = date(2026, 11, 20)


@pytest.mark.urls("tests.games.api.probe_views")
def test_responses_of_a_deprecated_operation_say_until_when_it_works(database: str) -> None:
    headers = {"Deprecation": "@1795132800", "Sunset": "Thu, 20 May 2027 00:00:00 GMT"}
    answers = [player.request("GET", "old") for player in (HttpPlayer.log_in(), HttpPlayer())]
    assert [each.status_code for each in answers] == [200, 401]
    assert [headers.items() <= dict(each.headers).items() for each in answers] == [True, True]
    assert "Sunset" not in HttpPlayer().request("DELETE", "old").headers


def test_the_document_marks_a_deprecated_operation_and_its_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    view = next(view_of(route) for route in routes() if route.name == "me")
    deprecated = replace(view.operations["GET"], deprecation=Deprecation(SINCE, date(2027, 5, 20)))
    monkeypatch.setitem(view.operations, "GET", deprecated)
    methods = document.__wrapped__(OPENAPI_31)["paths"]["/api/v1/me"]
    assert methods["get"]["deprecated"] is True
    assert "deprecated" not in methods["patch"]
    for status, response in methods["get"]["responses"].items():
        assert {"Deprecation", "Sunset"} <= response["headers"].keys(), status


@pytest.mark.parametrize("sunset", (date(2027, 5, 19), date(2026, 12, 31), date(2025, 11, 20)))
def test_what_is_deprecated_works_for_six_months(sunset: date) -> None:
    with pytest.raises(ValueError, match="at least 6 months"):
        Deprecation(SINCE, sunset)


@pytest.mark.parametrize("version", (OPENAPI_30, OPENAPI_31))
def test_created_is_deprecated_wherever_it_occurs(version: str) -> None:
    schemas = document(version)["components"]["schemas"]
    having = {name: each for name, each in schemas.items() if "created" in each.get("properties", {})}
    assert {"Profile", "Me", "Token", "Session", "Webhook", "Delivery", "Device"} <= having.keys()
    for name, schema in having.items():
        old, new = schema["properties"]["created"], schema["properties"]["created_at"]
        assert old["deprecated"] is True, name
        assert "`created_at`" in old["description"]
        assert str(CREATED_NAME.sunset) in old["description"]
        assert "deprecated" not in new
        assert {"created", "created_at"} & set(schema["required"]) == {"created_at"}


def test_both_names_have_the_same_value(database: str) -> None:
    player = HttpPlayer.log_in()
    webhook = player.request("POST", "me/webhooks", {"url": "https://bots.example/hook"}).json()
    delivery = player.request("POST", f"me/webhooks/{webhook['id']}/test", {}).json()
    objects = [webhook, delivery, player.request("GET", "me").json()]
    objects.append(player.request("POST", "me/devices", push_subscription("phone")).json())
    objects += player.request("GET", "me/tokens").json()["results"]
    objects += player.request("GET", "me/sessions").json()["results"]
    objects += player.request("GET", "players").json()["results"]
    assert len(objects) == 7
    assert [each["created"] for each in objects] == [each["created_at"] for each in objects]
