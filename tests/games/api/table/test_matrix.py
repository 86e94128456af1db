"""Who may do what at a table: every kind of viewer, every route, every method."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.models import Match, SeatState, Visibility
from tests.games.api.table.clients import HttpPlayer
from tests.games.factories import make_player, start_match

ROUTES = ("", "/moves", "/moves/check", "/legal-moves", "/rounds", "/rounds/1", "/record")
BODIES: dict[str, Any] = {
    "/moves": {"version": 0, "type": "pass"},
    "/moves/check": {"cards": ["2r"]},
}
READS = ("", "/moves", "/rounds", "/rounds/1", "/record")


class Nobody:
    """Somebody without a token."""

    def __init__(self, match_id: str) -> None:
        self.match_id = match_id

    def request(self, method: str, path: str, body: Any = None) -> Any:
        return Client().generic(method, f"/api/v1/{path}", data=b"", content_type="application/json")


Viewer = HttpPlayer | Nobody


def viewers(match: Match, people: list[Any]) -> dict[str, Viewer]:
    """Everybody there is."""
    kinds: dict[str, Viewer] = {
        "seated": HttpPlayer.enter(match, people[0]),
        "resigned": HttpPlayer.enter(match, people[1]),
        "stranger": HttpPlayer.enter(match),
        "bot": HttpPlayer.enter(match, make_player(kind="bot")),
        "nobody": Nobody(match.pk),
    }
    match.seats.filter(player=people[1]).update(state=SeatState.RESIGNED)
    return kinds


def ask(viewer: Viewer, method: str, route: str) -> int:
    """The status of one request."""
    body = BODIES.get(route) if method == "POST" else None
    status: int = viewer.request(method, f"matches/{viewer.match_id}{route}", body).status_code
    return status


def expected_of_public(kind: str, method: str, route: str) -> set[int]:
    """What each kind of viewer is answered at a public table."""
    takes = {"": {"GET"}, "/moves": {"GET", "POST"}, "/moves/check": {"POST"}}.get(route, {"GET"})
    if method not in takes:
        return {405}
    if method == "GET" and route in READS:
        return {200}
    if kind == "nobody":
        return {401}
    if kind == "seated":
        return {200, 201, 409, 422}
    return {403}


METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@pytest.mark.parametrize("visibility", (Visibility.PUBLIC, Visibility.UNLISTED))
def test_what_everybody_may_do_at_a_table_that_all_may_see(database: str, visibility: str) -> None:
    people = [make_player(), make_player(), make_player()]
    match = start_match(*people, visibility=visibility)
    for kind, viewer in viewers(match, people).items():
        for route in ROUTES:
            for method in METHODS:
                status = ask(viewer, method, route)
                assert status in expected_of_public(kind, method, route), (kind, method, route, status)


def test_a_private_table_is_not_there_for_who_does_not_belong_to_it(database: str) -> None:
    people = [make_player(), make_player(), make_player()]
    match = start_match(*people, visibility=Visibility.PRIVATE)
    everybody = viewers(match, people)
    for kind in ("stranger", "bot", "nobody"):
        for route in READS:
            assert ask(everybody[kind], "GET", route) == 404, (kind, route)
    for kind in ("stranger", "bot"):
        assert ask(everybody[kind], "POST", "/moves") == 404
        assert ask(everybody[kind], "GET", "/legal-moves") == 404
    for route in READS:
        assert ask(everybody["seated"], "GET", route) == 200
        assert ask(everybody["resigned"], "GET", route) == 200


def test_what_is_not_there_and_what_may_not_be_seen_are_answered_alike(database: str) -> None:
    match = start_match(make_player(), make_player(), visibility=Visibility.PRIVATE)
    stranger = HttpPlayer.enter(match)
    hidden = stranger.get("")
    stranger.match_id = "m_" + "0" * len(match.pk.removeprefix("m_"))
    missing = stranger.get("")
    assert (hidden.status_code, hidden.content) == (missing.status_code, missing.content)


ODD_ADDRESSES: tuple[Callable[[str], str], ...] = (
    lambda match: f"matches/{match}%00",
    lambda match: f"matches/{match}/moves?after=-1",
    lambda match: f"matches/{match}/moves?after=1e9",
    lambda match: f"matches/{match}/moves?after=99999999999999999999",
    lambda match: f"matches/{match}/moves?limit=0",
    lambda match: f"matches/{match}/moves?limit=101",
    lambda match: f"matches/{match}/rounds/99999999999999999999",
    lambda match: f"matches/{match}/legal-moves?kind=flush",
    lambda match: f"matches/{match}/legal-moves?top=%00",
    lambda match: f"matches/{match}/record?cursor=x",
)


@pytest.mark.parametrize("number", range(len(ODD_ADDRESSES)))
def test_an_odd_address_is_refused_and_never_a_fault(database: str, number: int) -> None:
    people = [make_player(), make_player()]
    match = start_match(*people)
    response = HttpPlayer.enter(match, people[0]).request("GET", ODD_ADDRESSES[number](match.pk))
    assert response.status_code in {200, 400, 404, 409}


def test_the_table_comes_with_and_without_a_slash_at_the_end(database: str) -> None:
    match = start_match(make_player(), make_player())
    viewer = HttpPlayer.enter(match)
    assert viewer.get("").json().keys() == viewer.get("/").json().keys()
