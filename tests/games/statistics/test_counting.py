"""Counting finished matches: once each, and equal to a recount of what clients can read."""

import json
from collections import Counter
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.rulesets.catalogue import rule_set
from games.gateway.records import parse_record
from games.identity.models import Player
from games.matches.models.match import Match
from games.privacy.services import delete_account
from games.records.services import ImportOptions, import_record
from games.statistics import services
from games.statistics.models import CountedMatch, PlayerStatistics
from games.statistics.services import count_finished_matches
from games.statistics.tasks import count_matches
from games.statistics.verification import StatisticsDifference, verify_statistics
from tests.support.clients import HttpPlayer
from tests.support.factories import TURN, make_player
from tests.support.table import Table

Json = Any


def read(username: str, viewer: HttpPlayer | None = None, **filters: Json) -> Json:
    query = "&".join(f"{name}={value}" for name, value in filters.items())
    path = f"players/{username}/stats?{query}"
    if viewer is not None:
        return viewer.request("GET", path).json()
    response = Client().get(f"/api/v1/{path}")
    assert response.status_code == 200, response.content
    return response.json()


def recount(tables: list[Table], username: str) -> Json:
    """Recount the statistics of a player from the logs of these finished matches."""
    counts: Counter[str] = Counter()
    bombs, wins = [0] * 6, ""
    for table in tables:
        seat = table.seats.index(username)
        rules = rule_set(table.view["ruleset"]).at_table(
            players=len(table.seats), options=table.view["options"]
        )
        counts["played"] += 1
        held, bet = True, 0
        for entry in table.log:
            if entry["seat"] == seat:
                held = {"resigned": False, "caretaker": False, "reclaimed": True}.get(entry["type"], held)
                if entry["type"] == "bet" and entry["by"] == "player":
                    bet = entry["amount"]
                if entry["type"] == "play" and entry["by"] == "player":
                    shape = entry["combination"]
                    if shape["kind"] == "bomb":
                        bombs[shape["top"] - 1] += 1
                    else:
                        counts[shape["kind"]] = max(counts[shape["kind"]], shape["length"])
            for event in entry["then"]:
                if event["type"] == "round_end" and event["scores"] is not None and held:
                    lines = {line["seat"]: line for line in event["scores"]}
                    mine = lines.pop(seat)
                    counts["rounds"] += 1
                    counts["out_first"] += event["out"][0] == seat
                    counts["margin"] += 2 * mine["total"]
                    counts["margin"] -= 2 * sum(line["total"] for line in lines.values()) // len(lines)
                    counts["points"] += mine["bets"]
                    counts["bets"] += bet > 0
                    by_points = rules.bet_succeeds.value != "goes_out_first"
                    reached = mine["total"] - mine["bets"] >= bet
                    counts["bets_won"] += bet > 0 and (reached if by_points else event["out"][0] == seat)
                if event["type"] == "round_end":
                    bet = 0
        counts["abandoned"] += not held
        wins += "w" if seat in table.view["result"]["winners"] else "."
    return {
        "matches": {"played": counts["played"], "won": wins.count("w"), "abandoned": counts["abandoned"]},
        "rounds": {
            "played": counts["rounds"],
            "out_first": counts["out_first"],
            "margin": counts["margin"] / 2,
        },
        "bets": {"made": counts["bets"], "won": counts["bets_won"], "points": counts["points"]},
        "bombs": {"played": sum(bombs), "by_level": bombs},
        "streak": {"current": len(wins) - len(wins.rstrip("w")), "best": max(map(len, wins.split(".")))},
        "longest": {"run": counts["run"], "stair": counts["stair"]},
    }


def play_random_matches(*players: Player) -> list[Table]:
    """Play matches of these players that end in every way."""
    tables = []
    for number, ruleset in enumerate(("classic", "revised", "booklet", "deluxe", "classic", "revised")):
        table = Table.start(*players, ruleset=ruleset, rounds=2, turn_seconds=TURN, timeouts_allowed=0)
        random = Random(number)
        for _ in range(random.randrange(10, 40)):
            if table.let_ais_play().status == "active":
                table.take_turn()
        if number in (1, 4) and table.status == "active":
            table.resign(players[number % len(players)].username)
        if number in (2, 5) and table.status == "active":
            table.wait_out()
        tables.append(table.finish(seed=number))
    return tables


@pytest.mark.parametrize("count", (2, 3))
def test_statistics_equal_a_recount_of_the_logs(database: str, count: int) -> None:
    players = [make_player() for _ in range(count)]
    tables = play_random_matches(*players)
    count_matches()
    for player in players:
        assert read(player.username) == recount(tables, player.username)
        classic = [table for table in tables if table.view["ruleset"] == "classic"]
        against = players[0] if player != players[0] else players[1]
        shown = read(player.username, ruleset="classic", players=count, against=against.username)
        assert shown == recount(classic, player.username)
        assert read(player.username, players=5 - count)["matches"]["played"] == 0
    result = verify_statistics()
    assert (result.matches, result.players >= count) == (len(tables), True)


def test_bets_bombs_and_longest_combinations_are_counted(database: str) -> None:
    table = Table.start("anna", "ben", leads="anna", rounds=1, deals=[{"anna": "3r 4r 5r", "ben": "7y 8o"}])
    table.bet("anna", 15).play("anna", "3r 4r 5r").play("ben", "J Q").passes("anna")
    table.award("ben", to="anna") if table.view["round"]["expects"] == "award" else None
    table.finish()
    count_matches()
    anna, ben = (read(table[name].username) for name in ("anna", "ben"))
    assert anna["bets"]["made"] == 1
    assert anna["longest"]["run"] >= 3
    assert ben["bombs"]["by_level"][1] + ben["bombs"]["by_level"][0] >= 1
    assert (anna["rounds"]["margin"], ben["rounds"]["margin"]) == (
        table.scores["anna"] - table.scores["ben"], table.scores["ben"] - table.scores["anna"],
    )  # fmt: skip


def test_a_match_is_counted_once_however_often_the_task_runs(database: str) -> None:
    table = Table.start("anna", "ben", rounds=1).finish()
    count_matches()
    once = read(table["anna"].username)
    count_matches()
    assert count_finished_matches() == 0
    assert read(table["anna"].username) == once
    assert once["matches"]["played"] == 1


@pytest.mark.parametrize("step", ("_write_rows", "add_match", "_lock_players"))
def test_a_match_is_counted_once_if_the_task_dies_in_between(
    committing_database: str, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    table = Table.start("anna", "ben", rounds=1).finish()
    original = getattr(services, step)

    def die(*arguments: Any, **options: Any) -> None:
        original(*arguments, **options)
        raise SystemExit

    monkeypatch.setattr(services, step, die)
    with pytest.raises(SystemExit):
        count_matches()
    assert not CountedMatch.objects.exists()
    assert not PlayerStatistics.objects.exists()
    monkeypatch.undo()
    count_matches()
    assert read(table["anna"].username)["matches"]["played"] == 1
    verify_statistics()


def test_streaks_follow_the_order_in_which_matches_were_counted(database: str) -> None:
    anna, ben = make_player(), make_player()
    for loser in (ben, ben, anna, ben):
        Table.start(anna, ben, rounds=1).resign(loser.username)
        count_matches()
    assert read(anna.username)["streak"] == {"current": 1, "best": 2}
    assert read(ben.username)["streak"] == {"current": 0, "best": 1}
    assert read(anna.username)["matches"] == {"played": 4, "won": 3, "abandoned": 1}


def test_imported_annulled_and_cancelled_matches_do_not_count(database: str) -> None:
    anna = make_player()
    table = Table.start(anna, "ben", rounds=1).finish()
    exported: Json = table[anna.username].get("/record").json()
    record = {**exported, "match": "m_elsewhere"}
    import_record(
        record=parse_record(json.dumps(record).encode()),
        options=ImportOptions(maker=anna, players={anna.username: anna}),
    )
    count_matches()
    assert Match.objects.filter(statistics_counted=True).count() == 2
    assert read(anna.username)["matches"]["played"] == 1
    verify_statistics()


def test_a_match_whose_result_changes_is_counted_again(database: str) -> None:
    anna, ben = make_player(), make_player()
    tables = [Table.start(anna, ben, rounds=1).resign(ben.username) for _ in range(3)]
    count_matches()
    result = {"winners": [], "scores": [0, 0], "reason": "annulled"}
    Match.objects.filter(pk=tables[1].id).update(result=result, statistics_counted=False)
    count_matches()
    assert read(anna.username)["matches"] == {"played": 2, "won": 2, "abandoned": 0}
    assert read(ben.username, against=anna.username)["matches"]["abandoned"] == 2
    verify_statistics()


def test_private_and_unlisted_matches_are_shown_to_those_who_played_them(database: str) -> None:
    anna, ben, guest = make_player(), make_player(), make_player()
    Table.start(anna, ben, rounds=1, visibility="unlisted").finish()
    Table.start(anna, ben, rounds=1).finish()
    count_matches()
    played = {
        viewer.username: [
            read(anna.username, HttpPlayer.log_in(player=viewer), **filters)["matches"]["played"]
            for filters in ({}, {"against": ben.username})
        ]
        for viewer in (anna, ben, guest)
    }
    assert played == {anna.username: [2, 2], ben.username: [1, 2], guest.username: [1, 1]}
    assert read(anna.username)["matches"]["played"] == 1


def test_deletion_removes_the_statistics_of_and_against_the_player(database: str) -> None:
    anna, ben = make_player(), make_player()
    Table.start(anna, ben, rounds=1).finish()
    count_matches()
    running = Table.start(anna, ben, rounds=1)
    delete_account(player=ben)
    count_matches()
    assert running.status == "finished"
    assert not PlayerStatistics.objects.filter(opponent=ben).exists()
    assert not PlayerStatistics.objects.filter(player=ben).exists()
    assert read(anna.username)["matches"]["played"] == 2
    assert Client().get(f"/api/v1/players/{ben.username}/stats").status_code == 404
    verify_statistics()


def test_verification_finds_differences_and_rebuilding_mends_them(database: str) -> None:
    table = Table.start("anna", "ben", rounds=1).finish()
    count_matches()
    correct = read(table["anna"].username)
    PlayerStatistics.objects.update(won=7)
    with pytest.raises(StatisticsDifference, match="player"):
        verify_statistics()
    counted = CountedMatch.objects.get()
    counted.tallies[0]["rounds"] = 9
    counted.save()
    with pytest.raises(CommandError, match=table.id):
        call_command("verify_statistics")
    Table.start("cleo", "dora", rounds=1).finish()
    call_command("verify_statistics", "--rebuild", stdout=(out := StringIO()))
    assert "2 matches" in out.getvalue()
    call_command("verify_statistics", stdout=(out := StringIO()))
    assert "no differences" in out.getvalue()
    assert read(table["anna"].username) == correct


def test_reading_takes_the_same_two_queries_after_many_matches(database: str) -> None:
    anna = make_player()
    counts = []
    for _ in range(2):
        for _ in range(3):
            Table.start(anna, make_player(), rounds=1).resign(anna.username)
        count_matches()
        with CaptureQueriesContext(connection) as queries:
            read(anna.username)
        counts.append(len(queries))
    assert counts == [2, 2]


@pytest.mark.parametrize(
    "query", ("ruleset=chess", "players=4", "against=a%00b", "unknown=1", "players=2&players=3")
)
def test_invalid_unknown_and_repeated_parameters_are_refused(database: str, query: str) -> None:
    response = Client().get(f"/api/v1/players/{make_player().username}/stats?{query}")
    assert (response.status_code, response.json()["code"]) == (400, "invalid_parameter")
