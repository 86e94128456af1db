from datetime import timedelta

import pytest
from django.utils import timezone

from games.ai.services import take_turn
from games.matches.models.match import Match, Seat, SeatState
from games.matches.turn_order import ClaimedTurn, claim_next_turn
from games.play.services import wake_missed_orders
from tests.support.clients import HttpPlayer, anonymous_client, code, field_errors
from tests.support.table import Table

SHORTEST, LONGEST = timedelta(seconds=2), timedelta(seconds=10)


@pytest.fixture
def table(database: str) -> Table:
    """Start a match in which anna leads."""
    deal = {"anna": "3r 5r 9r", "ben": "4o 6o 8o"}
    return Table.start("anna", "ben", leads="anna", deals=[deal], turn_seconds=None)


def has_order(table: Table, name: str) -> bool:
    return bool(table.seen_by(name)["you"]["standing_order"])


def wake_at(table: Table) -> object:
    return Match.objects.get(pk=table.id).wake_at


def make_due(table: Table) -> None:
    Match.objects.filter(pk=table.id).update(wake_at=timezone.now() - timedelta(seconds=1))


def execute_order(table: Table) -> bool:
    """End the delay, so that the sweep finds the turn."""
    make_due(table)
    assert claim_next_turn() == ClaimedTurn(table.id, table.version)
    return take_turn(match_id=table.id, version=table.version) is not None


def assert_waits_two_to_ten_seconds(table: Table) -> None:
    delay = Match.objects.get(pk=table.id).wake_at - timezone.now()  # type: ignore[operator]  # it is not None
    assert SHORTEST - timedelta(seconds=1) < delay < LONGEST


def test_an_order_given_before_the_turn_passes_when_the_turn_comes(table: Table) -> None:
    before = table.version
    table.order_passes("ben")
    assert has_order(table, "ben")
    assert (table.version, wake_at(table)) == (before, None)
    table.play("anna", "3r")
    assert_waits_two_to_ten_seconds(table)
    assert execute_order(table)
    assert (table.last["type"], table.last["by"]) == ("pass", "player")


def test_an_order_given_during_the_turn_passes_after_the_same_delay(table: Table) -> None:
    table.play("anna", "3r")
    assert wake_at(table) is None
    table.order_passes("ben")
    assert_waits_two_to_ten_seconds(table)
    assert claim_next_turn() is None
    assert execute_order(table)


def test_repeating_an_order_does_not_delay_it(table: Table) -> None:
    table.play("anna", "3r").order_passes("ben")
    due = wake_at(table)
    table.order_passes("ben")
    assert wake_at(table) == due


def test_a_withdrawn_order_does_not_pass(table: Table) -> None:
    table.play("anna", "3r").order_passes("ben").withdraw_order("ben")
    assert not has_order(table, "ben")
    assert wake_at(table) is None
    assert not execute_order(table)
    assert wake_at(table) is None
    table.withdraw_order("ben")


def test_only_its_player_can_see_an_order(table: Table) -> None:
    anna, ben = table.play("anna", "3r")["anna"], table["ben"]
    before, own_before = anna.get(""), ben.get("")
    table.order_passes("ben")
    after = anna.get("")
    assert after["ETag"] == before["ETag"]
    assert after.json() | {"now": ""} == before.json() | {"now": ""}
    assert ben.get("", **{"If-None-Match": own_before["ETag"]}).status_code == 200


def test_a_new_trick_ends_the_order(table: Table) -> None:
    table.play("anna", "3r").order_passes("ben")
    assert execute_order(table)
    table.play("anna", "5r")
    assert (table.to_act, wake_at(table)) == ("ben", None)


def test_playing_clears_the_order(table: Table) -> None:
    table.play("anna", "3r").order_passes("ben").play("ben", "4o").play("anna", "5r")
    assert wake_at(table) is None
    assert not has_order(table, "ben")


def test_an_order_requires_a_turn_that_can_be_passed_in_a_running_match(table: Table) -> None:
    with table.refuses("must_lead"):
        table.order_passes("anna")
    Seat.objects.filter(match=table.id, number=1).update(state=SeatState.CARETAKER)
    with table.refuses("caretaker_playing"):
        table.order_passes("ben")
    Match.objects.filter(pk=table.id).update(status="paused")
    with table.refuses("match_not_active"):
        table.withdraw_order("ben")


def test_an_order_requires_a_seat_and_an_empty_body(table: Table) -> None:
    path = f"matches/{table.id}/standing-order"
    assert code(anonymous_client().put(f"/api/v1/{path}")) == "not_authenticated"
    assert code(HttpPlayer.log_in().request("PUT", path)) == "not_seated"
    assert code(table["ben"].request("PUT", "matches/m_nothing/standing-order")) == "not_found"
    assert field_errors(table["ben"].request("PUT", path, {"until": 3})) == {("/until", "unknown_field")}


def test_an_order_stored_just_as_its_turn_came_is_woken(table: Table) -> None:
    """A concurrent play read the table without the order, and therefore set no wake time."""
    table.order_passes("ben").play("anna", "3r")
    Match.objects.filter(pk=table.id).update(wake_at=None)
    assert wake_missed_orders(at_most=10) == 1
    assert_waits_two_to_ten_seconds(table)
    assert wake_missed_orders(at_most=10) == 0


def test_an_order_that_no_longer_applies_is_checked_once(table: Table) -> None:
    table.play("anna", "3r")
    Seat.objects.filter(match=table.id, number=1).update(standing_trick="1/99/0")
    assert wake_missed_orders(at_most=10) == 1
    assert wake_at(table) is None
    assert wake_missed_orders(at_most=10) == 0


def test_claimed_order_does_not_count_as_a_failed_timeout(table: Table) -> None:
    """Otherwise the turn of a player whose order fails would never time out."""
    table.order_passes("ben").play("anna", "3r")
    make_due(table)
    assert claim_next_turn() == ClaimedTurn(table.id, table.version)
    assert Match.objects.get(pk=table.id).attempts == 0
