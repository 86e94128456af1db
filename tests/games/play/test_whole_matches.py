"""Play whole matches of every rule set over HTTP, with clients that see only their own view."""

import json
import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.matches.models.match import Match
from tests.support.clients import HttpPlayer, play_to_the_end
from tests.support.factories import make_player, start_match

ROOT = Path(__file__).resolve().parents[3]

GAMES = [
    ("classic", 2, {}),
    ("classic", 3, {}),
    ("classic", 3, {"bomb_capture": "tournament"}),
    ("revised", 2, {}),
    ("revised", 3, {}),
    ("revised", 3, {"bet_split": "thirds"}),
    ("booklet", 2, {}),
    ("booklet", 3, {}),
    ("booklet", 3, {"bomb_capture": "tournament"}),
    ("haggish", 2, {}),
    ("haggish", 2, {"haggis_capture": "first_out"}),
    ("deluxe", 2, {"captured": "point_cards"}),
    ("deluxe", 3, {}),
]


def seated_at(players: int, **asked: Any) -> tuple[Match, list[HttpPlayer]]:
    """Start a match, and return it with its players in seat order."""
    people = [make_player() for _ in range(players)]
    match = start_match(*people, **asked)
    return match, [HttpPlayer.log_in(match, player) for player in people]


@pytest.mark.parametrize(("ruleset", "players", "options"), GAMES)
def test_a_match_can_be_played_to_its_end_and_its_record_verifies(
    database: str, tmp_path: Path, ruleset: str, players: int, options: dict[str, str]
) -> None:
    match, seated = seated_at(players, ruleset=ruleset, options=options, rounds=2)
    table = play_to_the_end(seated, Random(f"{ruleset} {players} {options}"))
    assert table["status"] == "finished"
    assert table["result"]["scores"] == [seat["score"] for seat in table["seats"]]

    record = seated[0].get("/record").json()
    assert record["result"] == table["result"]
    verdict = seated[0].request("POST", "records/verify", {"record": record})
    assert verdict.json() == {"valid": True, "deals": "proven"}
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    script = [sys.executable, "-S", "-I", str(ROOT / "tools" / "verify_record.py"), str(file)]
    assert subprocess.run(script, check=False, capture_output=True).returncode == 0

    text = seated[0].get("/record", Accept="text/plain")
    assert text.status_code == 200
    assert text["Content-Type"].startswith("text/plain")
    assert match.pk in text.content.decode()


def test_the_log_has_an_entry_with_its_consequences_for_every_version(database: str) -> None:
    match, seated = seated_at(2, rounds=1)
    version = play_to_the_end(seated, Random(3))["version"]
    entries: list[Any] = []
    address = f"matches/{match.pk}/moves?after=0&limit=7"
    while address:
        page = seated[0].request("GET", address).json()
        entries += page["results"]
        address = (page["next"] or "").partition("/api/v1/")[2]
    assert [entry["version"] for entry in entries] == list(range(1, version + 1))
    assert entries[0]["type"] == "started"
    last = [each["type"] for each in entries[-1]["then"]]
    assert last[-2:] == ["round_end", "match_end"]
    assert last[0] == "out"


def test_a_round_reveals_its_deal_and_link_only_after_its_end(database: str) -> None:
    _, seated = seated_at(2, rounds=1)
    running = seated[0].get("/rounds/1").json()
    assert {running[name] for name in ("hands", "haggis", "link", "scores")} == {None}
    play_to_the_end(seated, Random(4))
    ended = seated[0].get("/rounds/1").json()
    assert [len(hand) for hand in ended["hands"]] == [17, 17]
    assert len(ended["haggis"]) == 8
    assert len(ended["link"]) == 64
    assert ended["totals"] == [line["total"] for line in ended["scores"]]
    # Another round is played while the first place is tied.
    assert seated[0].get("/rounds").json()["results"][0] == ended


def test_rounds_are_paginated(database: str) -> None:
    _, seated = seated_at(2, rounds=2)
    play_to_the_end(seated, Random(4))
    first = seated[0].get("/rounds?limit=1").json()
    second = seated[0].request("GET", first["next"].partition("/api/v1/")[2]).json()
    assert [each["number"] for each in first["results"]] == [1]
    assert second["results"][0]["number"] == 2
    assert first["previous"] is None
    assert second["previous"] is not None
    for asked in ("limit=0", "limit=x", "cursor=zz"):
        assert seated[0].get(f"/rounds?{asked}").status_code == 400


@pytest.mark.parametrize("viewer", (0, 1, None))
def test_players_see_only_their_own_hand(database: str, viewer: int | None) -> None:
    match, seated = seated_at(2, target_score=250)
    rng = Random(6)
    watcher = HttpPlayer.log_in(match) if viewer is None else seated[viewer]
    for _ in range(25):
        table = watcher.table()
        shown = [hand["seat"] for hand in table["round"]["hands"] if hand["cards"] is not None]
        assert shown == ([] if viewer is None else [viewer])
        if viewer is None:
            assert table["you"] is None
        seated[table["round"]["to_act"]].act_at_random(rng)


def test_legal_moves_are_shown_only_to_the_seat_to_act(database: str) -> None:
    match, seated = seated_at(2)
    to_act = seated[0].table()["round"]["to_act"]
    assert seated[to_act].get("/legal-moves").status_code == 200
    other = seated[1 - to_act].get("/legal-moves")
    assert (other.status_code, other.json()["code"]) == (409, "not_your_turn")
    stranger = HttpPlayer.log_in(match).get("/legal-moves")
    assert (stranger.status_code, stranger.json()["code"]) == (403, "not_seated")


def test_legal_moves_can_be_filtered_by_combination(database: str) -> None:
    _, seated = seated_at(2)
    player = seated[seated[0].table()["round"]["to_act"]]
    everything = player.get("/legal-moves").json()
    for kind, top in product(("set", "run", "stair"), (5, 9)):
        some = player.get(f"/legal-moves?kind={kind}&top={top}").json()
        wanted = [
            group
            for group in everything["combinations"]
            if (group["combination"]["kind"], group["combination"]["top"]) == (kind, top)
        ]
        assert some["combinations"] == wanted
        assert some["count"] == sum(group["count"] for group in wanted)
