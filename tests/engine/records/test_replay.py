"""Replaying whole records: matches of every rule set are valid, and every change is detected."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.matches.ending import Length
from engine.records.reading import read_record
from engine.records.record import Record
from engine.records.replay import replay
from engine.records.verdict import Deals, Valid
from engine.records.writing import JsonObject, write_record
from engine.rulesets.catalogue import rule_set
from engine.rulesets.model import TableRules
from tests.engine.records.any_record import ANY_RECORD
from tests.engine.records.editing import edited, error_of, found, leaves
from tests.engine.records.recorded_matches import begin_match, play_match
from tests.engine.scoring.finished_rounds import TABLES

LENGTHS = st.builds(Length, target=st.sampled_from((1, 60, 250))) | st.builds(
    Length, rounds=st.integers(1, 3)
)


@settings(max_examples=60)
@given(rules=st.sampled_from(TABLES), length=LENGTHS, seed=st.integers(0, 10**6))
def test_matches_of_every_table_replay_to_the_same_scores(
    rules: TableRules, length: Length, seed: int
) -> None:
    played = begin_match(rules, length, seed)
    while not played.state.is_over:
        played.act()
    record = played.recorder.record()
    assert replay(record) == Valid(Deals.PROVEN)
    assert record.result is not None
    assert record.result.scores == played.state.totals == record.rounds[-1].totals


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.key}-{rules.players}")
def test_a_running_match_is_valid_without_its_running_round(rules: TableRules) -> None:
    played = begin_match(rules, Length.agreed(target=1000))
    while played.state.round.number < 3:
        played.act()
    record = played.recorder.record()
    assert len(record.rounds) == 2
    assert replay(record) == Valid(Deals.PROVEN)


@settings(max_examples=100)
@given(ANY_RECORD)
def test_any_readable_record_gets_a_verdict(record: Record) -> None:
    agreed = replace(
        record, ruleset="classic", ruleset_version=None, options=(), target_score=1, rounds_limit=None
    )
    for each in (record, agreed):
        verdict = replay(each)
        assert isinstance(verdict, Valid) or verdict.where.startswith("/")


MATCHES = {
    "classic of two": play_match(rule_set("classic").at_table(players=2), Length(rounds=2), seed=3),
    "revised of three": play_match(rule_set("revised").at_table(players=3), Length(rounds=2), seed=3),
    "deluxe of three": play_match(rule_set("deluxe").at_table(players=3), Length(rounds=2), seed=3),
}
every_match = pytest.mark.parametrize(
    "match", [write_record(match) for match in MATCHES.values()], ids=list(MATCHES)
)


def changed(value: object) -> object:
    """Return another value of the same kind."""
    if isinstance(value, int):
        return value + 1
    if value is None:
        return 1
    if isinstance(value, str) and len(value) == 64:
        return value[:-1] + ("0" if value[-1] != "0" else "1")
    if isinstance(value, str) and value.startswith(tuple("23456789")) and len(value) == 2:
        return ("3" if value[0] == "2" else "2") + value[1]
    return {"J": "Q", "Q": "K", "K": "J"}.get(str(value), f"{value}x")


def is_irrelevant_to_play(match: JsonObject, pointer: str) -> bool:
    """Return whether a value does not affect the play: names, times, combination names, declared zeros."""
    parts = pointer.split("/")
    if "actions" in parts and found(match, "/".join(parts[:5])).get("amount") == 0:
        return True
    return parts[1] in {"match", "seats"} or parts[-1] in {"by", "at"} or "as" in parts


@every_match
def test_every_changed_field_is_detected(match: JsonObject) -> None:
    assert error_of(match) is None
    pointers = [pointer for pointer, _ in leaves(match) if not is_irrelevant_to_play(match, pointer)]
    unnoticed = [
        pointer
        for pointer in pointers
        if not error_of(edited(match, {pointer: changed(found(match, pointer))}))
    ]
    assert len(pointers) > 250
    assert unnoticed == []


@every_match
def test_every_omitted_or_duplicated_action_is_detected(match: JsonObject) -> None:
    for at in ("/rounds/0/actions", "/rounds/1/actions"):
        actions = found(match, at)
        for index, action in enumerate(actions):
            without, doubled = actions[:index] + actions[index + 1 :], actions[: index + 1] + actions[index:]
            noticed = error_of(edited(match, {at: without}))
            assert noticed or action.get("amount") == 0
            assert error_of(edited(match, {at: doubled}))


@every_match
def test_swapped_turns_are_detected(match: JsonObject) -> None:
    at = "/rounds/0/actions"
    actions = found(match, at)
    for index, (one, other) in enumerate(pairwise(actions)):
        if "amount" not in one and "amount" not in other and one["seat"] != other["seat"]:
            exchanged = [*actions[:index], other, one, *actions[index + 2 :]]
            assert error_of(edited(match, {at: exchanged})) == ("not_your_turn", f"{at}/{index}")


@every_match
def test_every_card_swapped_with_another_hand_is_detected(match: JsonObject) -> None:
    unproven = edited(match, {"/deal_id": None})
    for record in (match, unproven):
        for index in range(14):
            mine, theirs = f"/rounds/1/hands/0/{index}", f"/rounds/1/hands/1/{index}"
            swapped = edited(record, {mine: found(record, theirs), theirs: found(record, mine)})
            assert error_of(swapped)


@every_match
def test_omitted_duplicated_or_swapped_rounds_are_detected(match: JsonObject) -> None:
    one, two = match["rounds"]
    for rounds, fault in (
        ([two], ("wrong_number", "/rounds/0/number")),
        ([two, one], ("wrong_number", "/rounds/0/number")),
        ([one, one], ("wrong_number", "/rounds/1/number")),
        ([one], ("match_not_over", "/result/reason")),
        ([one, two, two], ("match_over", "/rounds/2")),
    ):
        assert error_of(edited(match, {"/rounds": rounds})) == fault


@every_match
def test_only_the_last_round_may_be_cut_short(match: JsonObject) -> None:
    short: JsonObject = {"actions": [], "out": [], "scores": None, "totals": None}
    earlier = edited(match, {"/rounds/0": match["rounds"][0] | short})
    assert error_of(earlier) == ("round_unfinished", "/rounds/0/scores")
    last = edited(match, {"/rounds/1": match["rounds"][1] | short, "/result": None})
    assert error_of(last) is None


def test_a_match_with_many_ties_is_replayed_without_recursion() -> None:
    record = write_record(play_match(rule_set("booklet").at_table(players=2), Length(rounds=100)))
    assert len(record["rounds"]) >= 100
    assert replay(read_record(record)) == Valid(Deals.PROVEN)
