"""A record is written with the published fields in order, and round-trips."""

import json

from hypothesis import given, settings

from engine.matches.ending import Length
from engine.records.reading import read_record
from engine.records.record import Record
from engine.records.writing import write_record
from engine.rulesets.catalogue import rule_set
from tests.engine.records.any_record import ANY_RECORD
from tests.engine.records.recorded_matches import play_match

WRITTEN = write_record(play_match(rule_set("classic").at_table(players=3), Length(rounds=2)))


@settings(max_examples=150)
@given(ANY_RECORD)
def test_every_record_round_trips(record: Record) -> None:
    assert read_record(json.loads(json.dumps(write_record(record)))) == record


def test_fields_are_in_the_published_order() -> None:
    assert " ".join(WRITTEN) == (
        "format match deal_id ruleset ruleset_version options players target_score rounds_limit seats anchor "
        "client_seeds rounds result"
    )
    assert " ".join(WRITTEN["rounds"][0]) == (
        "number dealer leader link hands haggis actions out scores totals"
    )
    assert " ".join(WRITTEN["rounds"][0]["scores"][0]) == (
        "seat going_out first_out_bonus captured bets total"
    )
    assert " ".join(WRITTEN["result"]) == "winners scores reason"


def test_actions_have_the_fields_of_their_type_in_the_published_order() -> None:
    actions = [action for played in WRITTEN["rounds"] for action in played["actions"]]
    orders = {tuple(action) for action in actions if {"by", "at"} <= set(action)}
    assert orders <= {
        ("seat", "type", "cards", "as", "by", "at"),
        ("seat", "type", "by", "at"),
        ("seat", "type", "amount", "by", "at"),
        ("seat", "type", "to", "by", "at"),
    }
    assert {len(action) for action in actions} > {3, 4}
    assert all(" ".join(action.get("as", "-")) in {"-", "kind top width length"} for action in actions)


def test_hands_include_face_cards() -> None:
    assert all(
        len(hand) == 17 and hand[-3:] == ["J", "Q", "K"]
        for each in WRITTEN["rounds"]
        for hand in each["hands"]
    )


def test_unknown_values_of_an_action_are_omitted() -> None:
    actions = [action for each in WRITTEN["rounds"] for action in each["actions"]]
    assert any("by" not in action for action in actions)
    assert all(action.get("by", "") is not None and action.get("at", "") is not None for action in actions)
