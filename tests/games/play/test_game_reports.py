"""Games as their players would report them, played over HTTP with prepared deals.

Every player has J, Q and K besides the cards that are dealt.
"""

from typing import Any

import pytest

from tests.support.table import Table


def test_a_bomb_gives_the_trick_away_and_the_first_out_wins_a_bet(database: str) -> None:
    table = Table.start(
        *("anna", "ben"), leads="anna", rounds=1, deals=[{"anna": "3r 9g", "ben": "7y 8o", "haggis": "5r"}]
    )
    table.bet("anna", 15)

    table.play("anna", "9g").play("ben", "J Q").passes("anna")
    assert table.captured == {"anna": "9g J Q", "ben": ""}

    table.play("ben", "7y").play("anna", "J Q K").passes("ben")
    assert table.captured == {"anna": "9g J Q", "ben": "7y J Q K"}

    table.play("anna", "3r")
    anna, ben = table.sheet()["anna"], table.sheet()["ben"]
    assert anna["going_out"] == 2 * 5, "ben holds 8o and K"
    assert anna["captured"] == (1 + 2 + 3) + 1 + 5 + 1, "9g J Q, the last trick, ben's hand and the haggis"
    assert anna["bets"] == 15
    assert ben["captured"] == 1 + 2 + 3 + 5
    assert (table.status, table.winners, table.scores) == ("finished", ["anna"], {"anna": 38, "ben": 11})


def test_ambiguous_wild_cards_are_played_as_the_player_says(database: str) -> None:
    table = Table.start("anna", "ben", leads="anna", deals=[{"anna": "2r Tr Tg", "ben": "9r 9g 8r 8o 8y"}])
    with table.refuses("ambiguous_combination") as refusal:
        table.play("anna", "Tr Tg J Q")
    assert [reading["combination"]["text"] for reading in refusal.problem["readings"]] == [
        "four tens",
        "stair of pairs, nine to ten",
        "stair of pairs, ten to jack",
    ]
    table.play("anna", "Tr Tg J Q", kind="stair")
    assert table.last["wilds"] == {"Q": "J"}, "the jack stands for itself"

    with table.refuses("does_not_beat"):
        table.play("ben", "8r 8o 8y J")
    table.play("ben", "J Q K").passes("anna")
    assert table.captured == {"anna": "Tr Tg J Q J Q K", "ben": ""}
    assert table.to_act == "ben"


def test_a_late_player_is_played_for_by_the_clock_and_then_by_a_caretaker(database: str) -> None:
    table = Table.start(
        *("anna", "ben"),
        leads="anna",
        turn_seconds=60,
        timeouts_allowed=2,
        deals=[{"anna": "3r 6o 9g", "ben": "4r 7o Tg"}],
    )
    table.wait_out()
    assert (table.last["type"], table.last["cards"], table.last["by"]) == ("play", ["3r"], "clock")
    table.play("ben", "4r").wait_out()
    assert (table.last["type"], table.last["by"]) == ("pass", "clock")
    table.play("ben", "7o").wait_out()
    assert table.view["seats"][0]["state"] == "caretaker"
    with table.refuses("caretaker_playing"):
        table.passes("anna")
    table.post("anna", "/reclaim").passes("anna")
    assert table.to_act == "ben"
    assert table.hand("anna") == "6o 9g J Q K"


def test_of_three_players_one_awards_a_trick_and_two_resign(database: str) -> None:
    table = Table.start(
        *("anna", "ben", "cleo"), leads="anna", deals=[{"anna": "9r 2r", "ben": "4o 6o", "cleo": "5y 7y 8y"}]
    )
    table.play("anna", "9r").passes("ben").play("cleo", "J Q").passes("anna", "ben")
    with table.refuses("award_due"):
        table.play("cleo", "5y")
    table.award("cleo", to="ben").play("cleo", "5y")
    assert table.captured == {"anna": "", "ben": "9r J Q", "cleo": ""}

    table.resign("anna")
    assert table.to_act == "anna"
    table.let_ais_play()
    assert {entry["by"] for entry in table.log if entry["seat"] == 0} == {"player", "ai"}
    with table.refuses("not_seated"):
        table.passes("anna")

    table.resign("ben")
    assert (table.status, table.winners) == ("finished", ["cleo"])
    assert table.view["result"]["reason"] == "resigned"


def test_the_player_with_fewest_points_leads_the_next_round(database: str) -> None:
    first = {"anna": "2r", "ben": "4r 4o 4y"}
    second = {"anna": "6r 6o 6y 8r 8o", "ben": "9y"}
    table = Table.start("anna", "ben", leads="anna", target_score=60, deals=[first, second])
    table.play("anna", "2r J Q K", kind="set")
    assert table.scores == {"anna": 30 + 10 + 10, "ben": 0}

    assert (table.to_act, table.hand("ben")) == ("ben", "9y J Q K")
    table.play("ben", "9y J Q K", kind="set")
    assert table.status == "finished"
    assert (table.winners, table.scores) == (["ben"], {"anna": 50, "ben": 8 * 5 + 11 + 10})


def test_people_and_ais_finish_a_match_over_a_socket(live_server: Any) -> None:
    table = Table.start("anna", "easy", "ben", rounds=1, site=live_server.url).finish()
    assert table.status == "finished"
    record = table["anna"].get("/record").json()
    verdict = table["anna"].request("POST", "records/verify", {"record": record})
    assert verdict.json() == {"valid": True, "deals": "proven"}


@pytest.mark.parametrize("level", ("random", "easy"))
def test_ais_alone_finish_a_match(database: str, level: str) -> None:
    assert Table.start(level, level, rounds=1).finish().status == "finished"
