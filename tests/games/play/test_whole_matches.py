"""Play whole matches of every rule set over HTTP, with clients that see only their own view."""

import json
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from games.matches.models.match import Match
from tests.support.clients import HttpPlayer, code
from tests.support.table import Table

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


@pytest.mark.parametrize(("ruleset", "players", "options"), GAMES)
def test_a_match_can_be_played_to_its_end_and_its_record_verifies(
    database: str, tmp_path: Path, ruleset: str, players: int, options: dict[str, str]
) -> None:
    names = ("anna", "ben", "cleo")[:players]
    table = Table.start(*names, ruleset=ruleset, options=options, rounds=2)
    result = table.finish(f"{ruleset} {players} {options}").view["result"]
    assert result["scores"] == list(table.scores.values())

    anna = table["anna"]
    record = anna.get("/record").json()
    assert record["result"] == result
    verdict = anna.request("POST", "records/verify", {"record": record})
    assert verdict.json() == {"valid": True, "deals": "proven"}
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    script = [sys.executable, "-S", "-I", str(ROOT / "tools" / "verify_record.py"), str(file)]
    assert subprocess.run(script, check=False, capture_output=True).returncode == 0

    text = anna.get("/record", Accept="text/plain")
    assert text.status_code == 200
    assert text["Content-Type"].startswith("text/plain")
    assert table.id in text.content.decode()


def test_the_log_has_an_entry_with_its_consequences_for_every_version(database: str) -> None:
    table = Table.start("anna", "ben", rounds=1).finish()
    entries: list[Any] = []
    address = f"matches/{table.id}/moves?after=0&limit=7"
    while address:
        page = table["anna"].request("GET", address).json()
        entries += page["results"]
        address = (page["next"] or "").partition("/api/v1/")[2]
    assert [entry["version"] for entry in entries] == list(range(1, table.version + 1))
    assert [entry["type"] for entry in entries[:3]] == ["joined", "joined", "started"]
    last = [each["type"] for each in entries[-1]["then"]]
    assert last[-2:] == ["round_end", "match_end"]
    assert last[0] == "out"


def test_a_round_reveals_its_deal_and_link_only_after_its_end(database: str) -> None:
    table = Table.start("anna", "ben", rounds=1)
    running = table["anna"].get("/rounds/1").json()
    assert {running[name] for name in ("hands", "haggis", "link", "scores")} == {None}
    table.finish()
    ended = table["anna"].get("/rounds/1").json()
    assert [len(hand) for hand in ended["hands"]] == [17, 17]
    assert len(ended["haggis"]) == 8
    assert len(ended["link"]) == 64
    assert ended["totals"] == [line["total"] for line in ended["scores"]]
    # Another round is played while the first place is tied.
    assert table["anna"].get("/rounds").json()["results"][0] == ended


def test_rounds_are_paginated(database: str) -> None:
    anna = Table.start("anna", "ben", rounds=2).finish()["anna"]
    first = anna.get("/rounds?limit=1").json()
    second = anna.request("GET", first["next"].partition("/api/v1/")[2]).json()
    assert [each["number"] for each in first["results"]] == [1]
    assert second["results"][0]["number"] == 2
    assert first["previous"] is None
    assert second["previous"] is not None
    for asked in ("limit=0", "limit=x", "cursor=zz"):
        assert anna.get(f"/rounds?{asked}").status_code == 400


@pytest.mark.parametrize("viewer", ("anna", "ben", None))
def test_players_see_only_their_own_hand(database: str, viewer: str | None) -> None:
    table = Table.start("anna", "ben", target_score=250)
    watcher = HttpPlayer(match_id=table.id) if viewer is None else table[viewer]
    for _ in range(25):
        view = watcher.table()
        shown = [table.seats[hand["seat"]] for hand in view["round"]["hands"] if hand["cards"] is not None]
        assert shown == ([] if viewer is None else [viewer])
        assert (view["you"] is None) == (viewer is None)
        table.take_turn()


def test_legal_moves_are_shown_only_to_the_seat_to_act(database: str) -> None:
    table = Table.start("anna", "ben", leads="anna")
    assert table["anna"].get("/legal-moves").status_code == 200
    other = table["ben"].get("/legal-moves")
    assert (other.status_code, code(other)) == (409, "not_your_turn")
    stranger = HttpPlayer.log_in(Match.objects.get()).get("/legal-moves")
    assert (stranger.status_code, code(stranger)) == (403, "not_seated")


def test_legal_moves_can_be_filtered_by_combination(database: str) -> None:
    anna = Table.start("anna", "ben", leads="anna")["anna"]
    everything = anna.get("/legal-moves").json()
    for kind, top in product(("set", "run", "stair"), (5, 9)):
        some = anna.get(f"/legal-moves?kind={kind}&top={top}").json()
        wanted = [
            group
            for group in everything["combinations"]
            if (group["combination"]["kind"], group["combination"]["top"]) == (kind, top)
        ]
        assert some["combinations"] == wanted
        assert some["count"] == sum(group["count"] for group in wanted)
