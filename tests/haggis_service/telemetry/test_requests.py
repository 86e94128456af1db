"""Each request has an id, and one line when it is answered. The line tells nothing that is secret."""

import asyncio
import re
from random import Random
from typing import Any

import pytest
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.test import AsyncClient, Client
from django.urls import include, path

from games.api.problems import server_error
from tests.games.api.table.clients import HttpPlayer, play_to_the_end
from tests.games.factories import make_player, start_match
from tests.haggis_service.telemetry.conftest import Lines

SECRET = "the deal is 2r 3g Ty"
CARD = re.compile(r"\b[2-9T][rogyb]\b")


def fails(_: HttpRequest) -> HttpResponse:
    raise RuntimeError(SECRET) from IntegrityError(SECRET)


urlpatterns = [path("fails", fails), path("api/v1/", include("games.api.urls"))]
handler500 = server_error


def answered(lines: Lines) -> list[dict[str, Any]]:
    return [line for line in lines() if line["logger"] == "haggis.requests"]


@pytest.mark.django_db
def test_a_request_has_one_line_with_its_route_its_player_and_its_match(lines: Lines) -> None:
    player = make_player()
    match = start_match(player, make_player())
    HttpPlayer.enter(match, player).get("", **{"X-Request-ID": "from-the-proxy-1"})
    [line] = answered(lines)
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
def test_what_does_not_look_like_an_id_is_replaced(lines: Lines, sent: str) -> None:
    answer = Client().get("/api/v1/rulesets", headers={"X-Request-ID": sent})
    assert re.fullmatch(r"[0-9a-f]{32}", answer["X-Request-ID"])
    assert answered(lines)[0]["request_id"] == answer["X-Request-ID"]


def test_an_id_goes_out_with_the_answer_on_either_kind_of_server(lines: Lines) -> None:
    asked = {"X-Request-ID": "0123456789abcdef"}
    assert Client().get("/nothing", headers=asked)["X-Request-ID"] == "0123456789abcdef"
    answer = asyncio.run(AsyncClient().get("/nothing", headers=asked))
    assert answer["X-Request-ID"] == "0123456789abcdef"
    assert [line["request_id"] for line in answered(lines)] == ["0123456789abcdef"] * 2


@pytest.mark.urls(__name__)
def test_a_fault_is_told_by_its_kind_and_place_and_never_in_its_own_words(lines: Lines) -> None:
    assert Client(raise_request_exception=False).get("/fails?ticket=t_123").status_code == 500
    [fault] = [line for line in lines() if "fault" in line]
    assert [each["kind"] for each in fault["fault"]] == ["IntegrityError", "RuntimeError"]
    assert fault["fault"][1]["at"][-1].endswith(" fails")
    assert fault["request_id"] == answered(lines)[0]["request_id"]
    assert SECRET not in str(lines())
    assert "t_123" not in str(lines())


def test_an_address_as_it_came_is_never_in_a_line(lines: Lines) -> None:
    Client().get("/mail/a-token-of-a-mail?ticket=t_123")
    assert answered(lines)[0]["route"] == ""
    assert "t_123" not in str(lines())
    assert "a-token" not in str(lines())


@pytest.mark.django_db
def test_a_whole_match_leaves_neither_cards_nor_tokens_in_the_log(lines: Lines) -> None:
    people = [make_player(), make_player()]
    match = start_match(*people, rounds=1)
    seated = [HttpPlayer.enter(match, player) for player in people]
    play_to_the_end(seated, Random(3))
    told = lines()
    assert len(told) > 30
    for line in told:
        assert CARD.search(str(line)) is None, line
        assert all(player.token[8:20] not in str(line) for player in seated)
