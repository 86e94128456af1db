"""Each request has an id and one log line, which contains no secrets."""

import asyncio
import re
from typing import Any

import pytest
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.test import AsyncClient, Client
from django.urls import include, path

from games.api.problems import server_error
from tests.haggis_service.telemetry.conftest import LogLines
from tests.support.clients import HttpPlayer
from tests.support.factories import make_player, start_match
from tests.support.table import Table

SECRET = "the deal is 2r 3g Ty"
CARD = re.compile(r"\b[2-9T][rogyb]\b")


def fails(_: HttpRequest) -> HttpResponse:
    raise RuntimeError(SECRET) from IntegrityError(SECRET)


urlpatterns = [path("fails", fails), path("api/v1/", include("games.urls"))]
handler500 = server_error


def access_log(lines: LogLines) -> list[dict[str, Any]]:
    return [line for line in lines() if line["logger"] == "haggis.requests"]


@pytest.mark.django_db
def test_request_log_line_has_route_player_and_match(lines: LogLines) -> None:
    player = make_player()
    match = start_match(player, make_player())
    HttpPlayer.log_in(match, player).get("", **{"X-Request-ID": "from-the-proxy-1"})
    [line] = access_log(lines)
    assert line.pop("ms") > 0
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "answered",
        "logger": "haggis.requests",
        "level": "info",
        "request_id": "from-the-proxy-1",
        "method": "GET",
        "route": "api/v1/matches/<id:match_id>",
        "status": 200,
        "player_id": player.pk,
        "match_id": match.pk,
    }


@pytest.mark.django_db
@pytest.mark.parametrize("sent", ("", "short", "x" * 65, "two words in it", 'a"quote"'))
def test_invalid_request_id_is_replaced(lines: LogLines, sent: str) -> None:
    response = Client().get("/api/v1/rulesets", headers={"X-Request-ID": sent})
    assert re.fullmatch(r"[0-9a-f]{32}", response["X-Request-ID"])
    assert access_log(lines)[0]["request_id"] == response["X-Request-ID"]


def test_response_returns_the_request_id_under_wsgi_and_asgi(lines: LogLines) -> None:
    headers = {"X-Request-ID": "0123456789abcdef"}
    assert Client().get("/nothing", headers=headers)["X-Request-ID"] == "0123456789abcdef"
    response = asyncio.run(AsyncClient().get("/nothing", headers=headers))
    assert response["X-Request-ID"] == "0123456789abcdef"
    assert [line["request_id"] for line in access_log(lines)] == ["0123456789abcdef"] * 2


@pytest.mark.urls(__name__)
def test_exception_is_logged_with_type_and_place_but_without_message(lines: LogLines) -> None:
    assert Client(raise_request_exception=False).get("/fails?ticket=t_123").status_code == 500
    [fault] = [line for line in lines() if "fault" in line]
    assert [each["kind"] for each in fault["fault"]] == ["IntegrityError", "RuntimeError"]
    assert fault["fault"][1]["at"][-1].endswith(" fails")
    assert fault["request_id"] == access_log(lines)[0]["request_id"]
    assert SECRET not in str(lines())
    assert "t_123" not in str(lines())


def test_url_is_never_logged(lines: LogLines) -> None:
    Client().get("/mail/a-token-of-a-mail?ticket=t_123")
    assert access_log(lines)[0]["route"] == ""
    assert "t_123" not in str(lines())
    assert "a-token" not in str(lines())


@pytest.mark.django_db
def test_log_of_a_whole_match_has_no_cards_and_no_tokens(lines: LogLines) -> None:
    table = Table.start("anna", "ben", rounds=1).finish()
    logged = lines()
    assert len(logged) > 30
    for line in logged:
        assert CARD.search(str(line)) is None, line
        assert all(player.token[8:20] not in str(line) for player in (table["anna"], table["ben"]))
