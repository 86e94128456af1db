from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import pytest

from games.ai.services import take_turn
from games.gateway.agreement import Deals
from games.identity.models import Player
from games.lobby.services.membership import join_match
from games.matches.models.log import Round, Snapshot
from games.matches.models.match import Seat
from games.matches.store import read_match
from games.play.resignation import resign
from games.play.services import act
from games.records.queries import build_match_record
from tests.support.concurrency import run_concurrently
from tests.support.factories import (
    ME,
    OPEN,
    SAME_LINK,
    JsonObject,
    ai,
    last_entry,
    logged_types,
    make_player,
    make_table,
    play_ai_turns,
    raises_problem,
    read_row,
    seat_states,
    stored_match,
)
from tests.support.factories import start_match as started


def two_at_a_table() -> tuple[JsonObject, Player, Player]:
    maker, guest = make_player(), make_player()
    table = make_table(maker)
    return join_match(match_id=table["id"], player=guest), maker, guest


def test_with_two_players_the_other_wins(database: str) -> None:
    table, maker, guest = two_at_a_table()
    table = resign(match_id=table["id"], player=maker)
    assert table["status"] == "finished"
    assert table["result"] == {"winners": [1], "scores": [0, 0], "reason": "resigned"}
    assert seat_states(table) == ["resigned", "playing"]
    assert (table["round"], table["you"]) == (None, None)
    assert read_match(table["id"], guest).seat_of(guest) is not None


def test_an_unfinished_round_is_revealed_and_not_scored(database: str) -> None:
    table, maker, _ = two_at_a_table()
    match = stored_match(table)
    deals = Deals(match.pk, match.seed_chain.last_link.reveal(), ("", ""))
    resign(match_id=table["id"], player=maker)
    entry = last_entry(stored_match(table))
    assert (entry["type"], entry["seat"], entry["by"]) == ("resigned", 0, "player")
    ended, over = entry["then"]
    assert ended == {
        "type": "round_end",
        "number": 1,
        "out": [],
        "scores": None,
        "totals": [0, 0],
        "hands": ended["hands"],
        "haggis": ended["haggis"],
        "link": deals.link(1),
    }
    dealt = deals.deal_function()(1)
    for shown, hand in zip(ended["hands"], dealt.hands, strict=True):
        assert {str(card) for card in hand} == set(shown) - {"J", "Q", "K"}
    assert {str(card) for card in dealt.haggis} == set(ended["haggis"])
    assert over == {"type": "match_end", "result": {"winners": [1], "scores": [0, 0], "reason": "resigned"}}
    assert entry["next"] == {"to_act": None, "expects": None, "deadline": None}
    laid_open = Round.objects.get(match_id=table["id"])
    assert (laid_open.link, laid_open.scores, laid_open.totals) == (deals.link(1), None, [0, 0])
    assert laid_open.last_version == entry["version"]


def test_a_match_ended_by_resignation_expects_no_more_actions(database: str) -> None:
    table, maker, guest = two_at_a_table()
    resign(match_id=table["id"], player=guest)
    match = stored_match(table)
    assert (match.to_act, match.expects, match.wake_at) == (None, "", None)
    assert not Seat.objects.filter(match=match, live=True).exists()
    assert Snapshot.objects.get(match=match).version == match.version
    for player, code in ((maker, "match_not_active"), (guest, "not_seated")):
        with raises_problem(code):
            resign(match_id=table["id"], player=player)
    assert [event for event, _ in logged_types(table)] == ["joined", "joined", "started", "resigned"]


def test_against_an_ai_the_ai_wins(database: str) -> None:
    maker = make_player()
    table: JsonObject = make_table(maker, ai(), ME)
    table = resign(match_id=table["id"], player=maker)
    assert table["result"]["winners"] == [0]


def test_with_three_players_an_ai_takes_over_the_seat(database: str) -> None:
    players = [make_player() for _ in range(3)]
    match = started(*players)
    table: JsonObject = resign(match_id=match.pk, player=players[match.to_act or 0])
    seat = match.to_act
    assert table["status"] == "active"
    assert table["seats"][seat]["state"] == "resigned"
    assert table["you"] is None
    assert all(hand["cards"] is None for hand in table["round"]["hands"])
    after = stored_match(table)
    assert (after.to_act, after.version) == (seat, match.version + 1)
    assert after.wake_at is not None
    entry = last_entry(stored_match(table))
    assert (entry["type"], entry["seat"], entry["then"]) == ("resigned", seat, [])
    assert entry["next"]["to_act"] == seat
    assert take_turn(match_id=match.pk, version=after.version)
    assert last_entry(stored_match(table))["by"] == "ai"


def test_a_player_who_resigned_cannot_act(database: str) -> None:
    players = [make_player() for _ in range(3)]
    match = started(*players)
    gone = players[match.to_act or 0]
    resign(match_id=match.pk, player=gone)
    with raises_problem("not_seated"):
        act(match_id=match.pk, player=gone, body={"version": match.version + 1, "type": "pass"})
    with raises_problem("not_seated"):
        resign(match_id=match.pk, player=gone)


def test_the_last_remaining_player_of_three_wins(database: str) -> None:
    players = [make_player() for _ in range(3)]
    match = started(*players)
    resign(match_id=match.pk, player=players[0])
    table = resign(match_id=match.pk, player=players[2])
    assert table["result"] == {"winners": [1], "scores": [0, 0, 0], "reason": "resigned"}
    assert seat_states(table) == ["resigned", "playing", "resigned"]


def test_resigning_clears_the_standing_order(database: str) -> None:
    players = [make_player() for _ in range(3)]
    match = started(*players)
    Seat.objects.filter(match=match, number=1).update(standing_trick="1/0/0")
    resign(match_id=match.pk, player=players[1])
    assert Seat.objects.get(match=match, number=1).standing_trick == ""


def make_ais_deterministic(monkeypatch: pytest.MonkeyPatch, first: int) -> None:
    """Give the AIs consecutive seeds from this one on."""
    seeds = count(first)
    monkeypatch.setattr("games.gateway.ai.secrets.randbits", lambda _: next(seeds))


@pytest.mark.parametrize("seed", range(6))
def test_a_resigned_seat_never_wins(database: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    make_ais_deterministic(monkeypatch, seed * 1000)
    gone = make_player()
    match = started(gone, "easy", "random", rounds=1, match_id=f"m_given_up_{seed}", last_link=SAME_LINK)
    resign(match_id=match.pk, player=gone)
    result = play_ai_turns(match).result
    assert result is not None
    others = max(result["scores"][1:])
    assert result["winners"] == [seat for seat in (1, 2) if result["scores"][seat] == others]
    by_points = result["scores"][0] < others
    assert result["reason"] == ("rounds" if by_points else "resigned")
    assert last_entry(match)["then"][-1]["result"] == result
    assert build_match_record(read_row(match))["result"] == result


def test_of_two_concurrent_resignations_the_later_one_is_refused(committing_database: str) -> None:
    table, maker, guest = two_at_a_table()
    answers = run_concurrently(
        [partial(resign, match_id=table["id"], player=player) for player in (maker, guest)]
    )
    assert answers.count("match_not_active") == 1
    assert logged_types(table)[-1][0] == "resigned"


def test_a_concurrent_move_and_resignation_leave_no_gap_in_the_log(committing_database: str) -> None:
    table, maker, guest = two_at_a_table()
    match = stored_match(table)
    players = (maker, guest)
    mover, other = players[match.to_act or 0], players[1 - (match.to_act or 0)]
    body: JsonObject = {"version": match.version, "type": "bet", "amount": 15}
    acts: list[Callable[[], Any]] = [
        partial(act, match_id=match.pk, player=mover, body=body),
        partial(resign, match_id=match.pk, player=other),
    ]
    run_concurrently(acts)
    assert logged_types(table)[-1][0] == "resigned"
    assert stored_match(table).status == "finished"


def test_an_open_match_cannot_be_resigned(database: str) -> None:
    maker = make_player()
    table = make_table(maker, ME, OPEN)
    with raises_problem("match_not_active"):
        resign(match_id=table["id"], player=maker)
    with raises_problem("not_seated"):
        resign(match_id=table["id"], player=make_player())
    with raises_problem("not_found"):
        resign(match_id="m_nowhere", player=maker)
