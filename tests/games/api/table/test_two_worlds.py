"""Nobody learns what they may not see: two worlds that differ in hidden cards alone answer everything alike.

The worlds share a match: its hidden cards are dealt anew in what is stored, and every address is asked again.
HAGGIS_WORLDS says how many pairs of worlds are compared.
"""

import json
import os
from dataclasses import replace
from random import Random
from typing import Any

from engine.views.round_view import view_round
from games.gateway.table import Table
from games.models import Match, Round, Secret, Snapshot
from games.selectors.matches import read_match
from tests.engine.views.worlds import other_world
from tests.games.api.table.clients import HttpPlayer
from tests.games.factories import make_player, start_match

WORLDS = int(os.environ.get("HAGGIS_WORLDS", "6"))
READS = ("", "/moves", "/moves?after=2", "/rounds", "/rounds/1", "/record", "/legal-moves?expand=plays")
LISTS = ("me/matches", "matches", "matches?status=active")
CLOCK = {"now", "seconds_left"}
CHANGING_HEADERS = {"Date", "RateLimit", "RateLimit-Policy"}


def without_clock(body: Any) -> Any:
    """An answer without the time of day."""
    match body:
        case dict():
            return {name: without_clock(each) for name, each in body.items() if name not in CLOCK}
        case list():
            return [without_clock(each) for each in body]
        case _:
            return body


def answer(viewer: HttpPlayer, method: str, path: str, body: Any = None) -> Any:
    """Everything that one request tells: status, headers, body."""
    response = viewer.request(method, path, body)
    headers = {name: value for name, value in response.headers.items() if name not in CHANGING_HEADERS}
    headers.pop("Content-Length", None)
    return response.status_code, headers, without_clock(json.loads(response.content))


def everything(viewer: HttpPlayer, match: Match, version: int) -> list[Any]:
    """All that a viewer can find out without changing anything."""
    address = f"matches/{match.pk}"
    told = [answer(viewer, "GET", f"{address}{route}") for route in READS]
    told += [answer(viewer, "GET", route) for route in LISTS]
    for card in ("2r", "5o", "9y", "Tg", "J"):
        told.append(answer(viewer, "POST", f"{address}/moves/check", {"cards": [card]}))
        body = {"version": version - 1, "type": "play", "cards": [card]}
        told.append(answer(viewer, "POST", f"{address}/moves", body))
    return told


def change_the_world(match: Match, viewer_seat: int | None, rng: Random) -> None:
    """Deal every card anew that this viewer has not seen, in all that is stored."""
    table = read_match(match.pk, None).table()
    other = Table(replace(table.state, round=other_world(table.state.round, viewer_seat, rng)))
    assert view_round(other.state.round, viewer_seat) == view_round(table.state.round, viewer_seat)
    Snapshot.objects.filter(match=match).update(state=Secret(other.dump()))
    Round.objects.filter(match=match, number=table.round_number).update(deal=Secret(other.deal_form()))


def test_two_worlds_that_differ_in_hidden_cards_answer_everything_alike(database: str) -> None:
    rng = Random(11)
    for pair in range(WORLDS):
        count = 2 + pair % 2
        people = [make_player() for _ in range(count)]
        match = start_match(*people, target_score=1000)
        seated = [HttpPlayer.enter(match, player) for player in people]
        for _ in range(rng.randrange(12)):
            seated[seated[0].table()["round"]["to_act"]].play_something(rng)
        viewer_seat = rng.choice([None, *range(count)])
        viewer = HttpPlayer.enter(match) if viewer_seat is None else seated[viewer_seat]
        version = viewer.table()["version"]
        here = everything(viewer, match, version)
        change_the_world(match, viewer_seat, rng)
        assert everything(viewer, match, version) == here


def test_a_change_that_a_viewer_may_see_is_seen(database: str) -> None:
    people = [make_player(), make_player()]
    match = start_match(*people)
    viewer = HttpPlayer.enter(match, people[1])
    here = everything(viewer, match, 1)
    change_the_world(match, 0, Random(1))
    assert everything(viewer, match, 1) != here
