"""Matches stored by an earlier release continue under the version of the rules that they began with."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.chaos.conftest import postgresql_server
from tests.chaos.load import Load, Request
from tests.support.processes import Postgresql, Web, serving, web_on_postgresql, web_on_sqlite
from tests.upgrade.stored_matches import DATA, LAST_MIGRATION

__all__ = ["postgresql_server"]
Json = dict[str, Any]

TOKENS: dict[int, str] = {int(key): token for key, token in DATA["tokens"].items()}
MATCHES: list[Json] = DATA["tables"]["games_match"]
SEATS: list[Json] = DATA["tables"]["games_seat"]
GAMES = {(each["ruleset"], each["players"], each["options"].get("bomb_capture")) for each in MATCHES}

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql-programs"))])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Web]:
    """Start the current service on a database of the earlier release."""
    if request.param == "sqlite":
        web = web_on_sqlite(tmp_path)
    else:
        database: Postgresql = request.getfixturevalue("postgresql_server")
        web = web_on_postgresql(database, tmp_path)
    web.manage("migrate", "games", LAST_MIGRATION, "--verbosity", "0")
    web.manage("shell", "-v0", "-c", "from tests.upgrade.stored_matches import insert; insert()")
    web.manage("migrate", "--verbosity", "0")
    with serving(web):
        yield web


class Players:
    """The three players, with the tokens that the earlier release issued."""

    def __init__(self, service: Web) -> None:
        self.load = Load(service.port)
        self.rng = Random(5)

    def send(self, method: str, path: str, player: int = 1, body: Json | None = None) -> Json:
        """Send a request as one of the players; it must succeed."""
        answer: Json = self.load.answer(Request(method, path, TOKENS[player], body))
        return answer

    def wait_until_finished(self, match_id: str) -> Json:
        """Play legal moves until the match is over, runs above ten and bombs before others."""
        seats = {seat["number"]: seat["player_id"] for seat in SEATS if seat["match_id"] == match_id}
        table = self.send("GET", f"matches/{match_id}")
        while table["status"] == "active":
            player = seats[table["round"]["to_act"]] or 1 + table["round"]["to_act"]
            body = self.choose(match_id, player)
            path = f"matches/{match_id}/moves"
            table = self.send("POST", path, player, {**body, "version": table["version"]})["match"]
        return table

    def choose(self, match_id: str, player: int) -> Json:
        """Return a legal action."""
        legal = self.send("GET", f"matches/{match_id}/legal-moves?expand=plays", player)
        if legal["must_award"]:
            return {"type": "award", "to": self.rng.choice(legal["awards"])}
        if not legal["plays"]:
            return {"type": "pass"}
        rare = [play for play in legal["plays"] if is_rare(play["combination"])]
        large = [play for play in legal["plays"] if len(play["cards"]) >= 3]
        play = self.rng.choice(rare or large or legal["plays"])
        named = {name: play["combination"][name] for name in ("kind", "top", "width", "length")}
        return {"type": "play", "cards": play["cards"], "as": named}

    def verdict(self, match_id: str) -> tuple[str, Json]:
        """Return the rule-set version of the match's record, and the verdict on that record."""
        record = self.send("GET", f"matches/{match_id}/record")
        verdict = self.send("POST", "records/verify", 1, {"record": record})
        return record["ruleset_version"], verdict


def is_rare(combination: Json) -> bool:
    """Return whether the versions treat it differently: a bomb, or a run or stair above ten."""
    kind, top = combination["kind"], combination["top"]
    return bool(kind == "bomb" or (kind != "set" and top > 10))


def stored_matches(status: str) -> list[Json]:
    """Return the matches that had this status when they were stored."""
    return [match for match in MATCHES if match["status"] == status]


def test_matches_of_every_game_are_stored() -> None:
    running = {
        (each["ruleset"], each["players"], each["options"].get("bomb_capture"))
        for each in stored_matches("active")
    }
    assert running == GAMES
    assert {each["ruleset"] for each in stored_matches("finished")} == {
        each["ruleset"] for each in stored_matches("active")
    }
    assert {each["ruleset_version"] for each in MATCHES} == {"1"}


def test_stored_matches_are_finished_and_verified_under_their_first_version(service: Web) -> None:
    players = Players(service)
    for match in stored_matches("open"):
        for player in range(2, match["players"] + 1):
            players.send("POST", f"matches/{match['id']}/join", player)
    went_above_ten = set()
    for match in stored_matches("active") + stored_matches("open"):
        table = players.wait_until_finished(match["id"])
        assert (table["status"], table["ruleset_version"]) == ("finished", "1")
        log = players.send("GET", f"matches/{match['id']}/moves?limit=100")["results"]
        combinations = [entry["combination"] for entry in log if entry["combination"]]
        if any(each["kind"] == "run" and each["top"] > 10 for each in combinations):
            went_above_ten.add(match["ruleset"])
    assert "booklet" in went_above_ten
    for match in MATCHES:
        version, verdict = players.verdict(match["id"])
        assert (version, verdict["valid"]) == ("1", True), match["ruleset"]
    assert "no differences" in service.manage("verify_matches")


def test_only_new_matches_get_the_new_version(service: Web) -> None:
    players = Players(service)
    for match in stored_matches("finished"):
        again = players.send("POST", f"matches/{match['id']}/rematch")
        assert (again["ruleset"], again["ruleset_version"]) == (match["ruleset"], "2")
        expected = {name: value for name, value in match["options"].items() if name in again["options"]}
        assert again["options"] == expected
        body = {"ruleset": match["ruleset"], "rounds": 1, "seats": [{"kind": "ai", "level": "random"}] * 2}
        new = players.send("POST", "matches", 1, body)["id"]
        service.manage("shell", "-v0", "-c", PLAY_OUT.format(match_id=new))
        versions = []
        for each in (match["id"], new):
            version, verdict = players.verdict(each)
            assert verdict["valid"], (match["ruleset"], version, verdict)
            versions.append(version)
        assert versions == ["1", "2"]


# Takes all turns of the AI seats of a match.
PLAY_OUT = """
from games.models import Match
from games.ai.services import take_turn
while (match := Match.objects.get(pk="{match_id}")).status == "active":
    take_turn(match_id=match.pk, version=match.version)
"""
