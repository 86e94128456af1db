from datetime import timedelta

import pytest
from django.utils import timezone

from games.ai.services import take_turn
from games.core.errors import Problem
from games.gateway.views import list_legal_moves
from games.identity.models import Player
from games.matches.models.log import Actor, Move
from games.matches.models.match import Match, Seat, SeatState
from games.matches.turn_order import ClaimedTurn, claim_next_turn
from games.play.services import act, clear_standing_order, set_standing_order, wake_missed_orders
from tests.support.factories import JsonObject, make_player, read_row, reload_match, start_match

SHORTEST, LONGEST = timedelta(seconds=2), timedelta(seconds=10)


def two_players() -> tuple[Match, Player, Player]:
    """Start a match, and return it with its leader and the other player."""
    players = make_player(), make_player()
    match = start_match(*players)
    leader = match.to_act or 0
    return match, players[leader], players[1 - leader]


def play_single(match: Match, player: Player) -> None:
    """Play the cheapest legal single."""
    row = read_row(match)
    named: JsonObject = {"kind": "set", "top": None, "width": 1, "length": None}
    moves = list_legal_moves(row.table(), row.to_act or 0, named=named, expand=False)
    cards = moves["combinations"][0]["cheapest"]
    body: JsonObject = {"version": row.version, "type": "play", "cards": cards, "as": named}
    act(match_id=match.pk, player=player, body=body)


def make_due(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(wake_at=timezone.now() - timedelta(seconds=1))


def execute_order(match: Match) -> bool:
    """End the delay, so that the sweep finds the turn."""
    make_due(match)
    assert claim_next_turn() == ClaimedTurn(match.pk, reload_match(match).version)
    return take_turn(match_id=match.pk, version=reload_match(match).version) is not None


def assert_waits_two_to_ten_seconds(match: Match) -> None:
    wake_at = reload_match(match).wake_at
    assert wake_at is not None
    assert SHORTEST - timedelta(seconds=1) < wake_at - timezone.now() < LONGEST


def test_an_order_given_before_the_turn_passes_when_the_turn_comes(database: str) -> None:
    match, leader, other = two_players()
    before = reload_match(match).version
    table: JsonObject = set_standing_order(match_id=match.pk, player=other)
    assert table["you"]["standing_order"] is True
    assert reload_match(match).version == before
    assert reload_match(match).wake_at is None
    play_single(match, leader)
    assert_waits_two_to_ten_seconds(match)
    assert execute_order(match)
    move = Move.objects.get(match=match, version=reload_match(match).version)
    assert (move.type, move.by) == ("pass", Actor.PLAYER)


def test_an_order_given_during_the_turn_passes_after_the_same_delay(database: str) -> None:
    match, leader, other = two_players()
    play_single(match, leader)
    assert reload_match(match).wake_at is None
    set_standing_order(match_id=match.pk, player=other)
    assert_waits_two_to_ten_seconds(match)
    assert claim_next_turn() is None
    assert execute_order(match)


def test_repeating_an_order_does_not_delay_it(database: str) -> None:
    match, leader, other = two_players()
    play_single(match, leader)
    set_standing_order(match_id=match.pk, player=other)
    due = reload_match(match).wake_at
    set_standing_order(match_id=match.pk, player=other)
    assert reload_match(match).wake_at == due


def test_a_withdrawn_order_does_not_pass(database: str) -> None:
    match, leader, other = two_players()
    play_single(match, leader)
    set_standing_order(match_id=match.pk, player=other)
    table: JsonObject = clear_standing_order(match_id=match.pk, player=other)
    assert table["you"]["standing_order"] is False
    assert reload_match(match).wake_at is None
    assert not execute_order(match)
    assert reload_match(match).wake_at is None
    clear_standing_order(match_id=match.pk, player=other)


def test_other_players_cannot_see_the_order(database: str) -> None:
    match, leader, other = two_players()
    play_single(match, leader)
    with_order: JsonObject = set_standing_order(match_id=match.pk, player=other)
    withdrawn: JsonObject = clear_standing_order(match_id=match.pk, player=leader)
    assert with_order["you"]["standing_order"] is True
    assert withdrawn["you"]["standing_order"] is False
    assert with_order["version"] == withdrawn["version"]
    assert [seat.keys() for seat in withdrawn["seats"]] == [seat.keys() for seat in with_order["seats"]]
    assert "standing" not in str(withdrawn["seats"])


def test_an_order_is_refused_to_the_leader(database: str) -> None:
    match, leader, _ = two_players()
    with pytest.raises(Problem) as refused:
        set_standing_order(match_id=match.pk, player=leader)
    assert refused.value.code == "must_lead"


def test_a_new_trick_ends_the_order(database: str) -> None:
    match, leader, other = two_players()
    play_single(match, leader)
    set_standing_order(match_id=match.pk, player=other)
    assert execute_order(match)
    play_single(match, leader)
    assert reload_match(match).to_act == read_row(match).seat_of(other).number  # type: ignore[union-attr]
    assert reload_match(match).wake_at is None


def test_playing_clears_the_order(database: str) -> None:
    match, leader, other = two_players()
    play_single(match, leader)
    set_standing_order(match_id=match.pk, player=other)
    play_single(match, other)
    play_single(match, leader)
    assert reload_match(match).wake_at is None
    table: JsonObject = clear_standing_order(match_id=match.pk, player=other)
    assert table["you"]["standing_order"] is False


def test_an_order_requires_a_seat_in_a_running_match(database: str) -> None:
    match, _, other = two_players()
    with pytest.raises(Problem) as refused:
        set_standing_order(match_id=match.pk, player=make_player())
    assert refused.value.code == "not_seated"
    Seat.objects.filter(match=match, player=other).update(state=SeatState.CARETAKER)
    with pytest.raises(Problem) as refused:
        set_standing_order(match_id=match.pk, player=other)
    assert refused.value.code == "caretaker_playing"
    Match.objects.filter(pk=match.pk).update(status="paused")
    with pytest.raises(Problem) as refused:
        clear_standing_order(match_id=match.pk, player=other)
    assert refused.value.code == "match_not_active"
    with pytest.raises(Problem) as refused:
        clear_standing_order(match_id="m_nothing", player=other)
    assert refused.value.code == "not_found"


def test_an_order_stored_just_as_its_turn_came_is_woken(database: str) -> None:
    """A concurrent play read the table without the order, and therefore set no wake time."""
    match, leader, other = two_players()
    set_standing_order(match_id=match.pk, player=other)
    play_single(match, leader)
    Match.objects.filter(pk=match.pk).update(wake_at=None)
    assert wake_missed_orders(at_most=10) == 1
    assert_waits_two_to_ten_seconds(match)
    assert wake_missed_orders(at_most=10) == 0


def test_an_order_that_no_longer_applies_is_checked_once(database: str) -> None:
    match, leader, other = two_players()
    play_single(match, leader)
    Seat.objects.filter(match=match, player=other).update(standing_trick="1/99/0")
    assert wake_missed_orders(at_most=10) == 1
    assert reload_match(match).wake_at is None
    assert wake_missed_orders(at_most=10) == 0


def test_claimed_order_does_not_count_as_a_failed_timeout(database: str) -> None:
    """Otherwise the turn of a player whose order fails would never time out."""
    match, leader, other = two_players()
    set_standing_order(match_id=match.pk, player=other)
    play_single(match, leader)
    make_due(match)
    assert claim_next_turn() == ClaimedTurn(match.pk, reload_match(match).version)
    assert reload_match(match).attempts == 0
