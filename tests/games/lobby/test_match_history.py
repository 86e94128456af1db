"""The filters of the matches of a player."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.identity.models import Player
from games.matches.models.match import Match
from tests.support.clients import HttpPlayer
from tests.support.factories import make_match, make_player
from tests.support.table import Table


def listed(player: Player, query: str = "", viewer: Player | None = None) -> list[str]:
    path = f"players/{player.username}/matches?limit=100&{query}"
    if viewer is None:
        response: Any = Client().get(f"/api/v1/{path}")
    else:
        response = HttpPlayer.log_in(player=viewer).request("GET", path)
    assert response.status_code == 200, response.content
    return [match["id"] for match in response.json()["results"]]


def test_results_are_those_of_the_player_also_with_ties_and_three_players(database: str) -> None:
    anna, ben, cleo = make_player(), make_player(), make_player()
    won = Table.start(ben, anna, rounds=1).resign(ben.username).id
    lost = Table.start(anna, ben, rounds=1).resign(anna.username).id
    tied = Table.start(anna, ben, cleo, rounds=1).finish().id
    Match.objects.filter(pk=tied).update(result={"winners": [0, 2], "scores": [9, 1, 9], "reason": "rounds"})
    annulled = Table.start(anna, ben, rounds=1).resign(anna.username).id
    Match.objects.filter(pk=annulled).update(result={"winners": [], "scores": [0, 0], "reason": "annulled"})
    make_match(anna, ben)
    assert listed(anna, "result=won") == [tied, won]
    assert listed(anna, "result=lost") == [lost]
    assert listed(ben, "result=lost") == [tied, won]
    assert listed(cleo, "result=won") == [tied]
    assert (listed(anna, "result=abandoned"), listed(ben, "result=abandoned")) == ([lost], [won])


def test_matches_are_filtered_by_opponent_number_of_players_and_name(database: str) -> None:
    anna, ben = make_player("anna-lee"), make_player("ben-nevis", display_name="The Mountain")
    cleo = make_player("cleo-lee")
    two, three = make_match(anna, ben).pk, make_match(anna, ben, cleo).pk
    with_ai = make_match(anna, "easy").pk
    assert listed(anna, f"against={ben.username}") == [three, two]
    assert listed(anna, "players=3") == [three]
    assert listed(anna, f"players=2&against={cleo.username}") == []
    assert listed(anna, "q=mountain") == [three, two]
    assert listed(anna, "q=LEE") == [three]
    assert listed(anna, f"q={with_ai}") == [with_ai]


def test_private_matches_are_listed_to_the_opponent_with_whom_they_were_played(database: str) -> None:
    anna, ben, stranger = make_player(), make_player(), make_player()
    private = make_match(anna, ben, visibility="private").pk
    assert listed(anna, viewer=anna) == [private]
    assert listed(anna, viewer=ben) == []
    assert listed(anna, f"against={ben.username}", viewer=ben) == [private]
    assert listed(anna, f"against={ben.username}", viewer=stranger) == []
    assert listed(anna, f"against={ben.username}") == []


@pytest.mark.parametrize("query", ("result=drawn", "players=4", "players=x"))
def test_invalid_values_are_refused_and_unknown_parameters_ignored(database: str, query: str) -> None:
    path = f"/api/v1/players/{make_player().username}/matches"
    response = Client().get(f"{path}?{query}")
    assert (response.status_code, response.json()["code"]) == (400, "invalid_parameter")
    assert Client().get(f"{path}?colour=red").status_code == 200
    assert Client().get(f"{path}?against=nobody-here").status_code == 404


def test_filters_take_no_more_queries_than_the_list_without_them(database: str) -> None:
    anna, ben = make_player(), make_player()
    make_match(anna, ben)
    counts = []
    for query in ("", "result=won", "players=2&q=a"):
        with CaptureQueriesContext(connection) as queries:
            listed(anna, query)
        counts.append(len(queries))
    assert len(set(counts)) <= 2
    assert max(counts) == counts[0]


def test_pages_of_filtered_matches_are_complete_and_in_order(database: str) -> None:
    anna, ben = make_player(), make_player()
    made = [make_match(anna, ben).pk for _ in range(5)]
    make_match(anna, "easy")
    address: str | None = f"/api/v1/players/{anna.username}/matches?against={ben.username}&limit=2"
    pages = []
    while address:
        page: Any = Client().get(address).json()
        pages.append([match["id"] for match in page["results"]])
        address = page["next"] and page["next"].partition("testserver")[2]
    assert pages == [[made[4], made[3]], [made[2], made[1]], [made[0]]]
