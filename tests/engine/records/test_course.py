"""Who deals and leads each round: drawn for the first round, by the totals from then on."""

import pytest

from engine.matches.ending import Length
from engine.records.reading import read_record
from engine.records.replay import replay
from engine.records.verdict import Wrong
from engine.records.writing import write_record
from engine.rulesets.catalogue import rule_set
from tests.engine.records.editing import GONE, edited, error_of, found
from tests.engine.records.recorded_matches import play_match

CLASSIC = write_record(play_match(rule_set("classic").at_table(players=2), Length(rounds=3)))
DELUXE = write_record(play_match(rule_set("deluxe").at_table(players=3), Length(rounds=2)))
IMPORTED = edited(CLASSIC, {"/deal_id": None})


def other(seat: int) -> int:
    return 1 - seat


@pytest.mark.parametrize("number", (0, 1, 2))
def test_a_wrong_dealer_is_reported_in_every_round(number: int) -> None:
    place = f"/rounds/{number}/dealer"
    assert error_of(edited(CLASSIC, {place: other(found(CLASSIC, place))})) == ("wrong_dealer", place)
    assert error_of(edited(CLASSIC, {place: None})) == ("wrong_dealer", place)


@pytest.mark.parametrize("number", (0, 1, 2))
def test_a_wrong_leader_is_reported_in_every_round(number: int) -> None:
    place = f"/rounds/{number}/leader"
    assert error_of(edited(CLASSIC, {place: other(found(CLASSIC, place))})) == ("wrong_leader", place)


def test_without_a_known_draw_the_left_neighbour_of_any_first_dealer_leads() -> None:
    assert error_of(IMPORTED) is None
    dealer, leader = found(CLASSIC, "/rounds/0/dealer"), found(CLASSIC, "/rounds/0/leader")
    assert error_of(edited(IMPORTED, {"/rounds/0/dealer": leader})) == ("wrong_leader", "/rounds/0/leader")
    assert error_of(edited(IMPORTED, {"/rounds/0/leader": dealer})) == ("wrong_leader", "/rounds/0/leader")
    assert error_of(edited(IMPORTED, {"/rounds/0/dealer": GONE})) == ("wrong_dealer", "/rounds/0/dealer")


def test_without_a_known_draw_a_missing_first_dealer_is_wrong() -> None:
    verdict = replay(read_record(edited(IMPORTED, {"/rounds/0/dealer": None})))
    assert verdict == Wrong("/rounds/0/dealer", "wrong_dealer", "This rule set has a dealer.")


def test_deluxe_has_no_dealer_and_may_omit_the_field() -> None:
    assert error_of(edited(DELUXE, {"/rounds/0/dealer": GONE, "/rounds/1/dealer": GONE})) is None
    assert error_of(edited(DELUXE, {"/rounds/1/dealer": 0})) == ("wrong_dealer", "/rounds/1/dealer")


def test_in_deluxe_the_drawn_seat_leads_first() -> None:
    leader = found(DELUXE, "/rounds/0/leader")
    wrong = edited(DELUXE, {"/rounds/0/leader": (leader + 1) % 3})
    assert error_of(wrong) == ("wrong_leader", "/rounds/0/leader")
    unknown = edited(wrong, {"/deal_id": None})
    assert error_of(unknown) == ("not_your_turn", f"/rounds/0/actions/{first_turn(DELUXE)}")


def first_turn(record: dict[str, object]) -> int:
    """Return the index of the first action that is not a bet."""
    actions = found(record, "/rounds/0/actions")
    return next(index for index, action in enumerate(actions) if action["type"] != "bet")
