"""A match that the engine plays is recorded as it goes on."""

import pytest

from engine.matches.ending import Length
from engine.records.record import By, Ending
from engine.records.replay import replay
from engine.records.verdict import Deals, Valid
from engine.rounds.actions import Play
from engine.rulesets.catalogue import rule_set
from engine.rulesets.model import TableRules
from tests.engine.records.recorded_matches import begin_match, play_match
from tests.engine.scoring.finished_rounds import TABLES


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.key}-{rules.players}")
def test_a_whole_match_is_recorded(rules: TableRules) -> None:
    played = begin_match(rules, Length(rounds=2))
    while not played.state.is_over:
        played.act()
    record, result = played.recorder.record(), played.state.result
    assert result is not None
    assert record.result is not None
    assert (record.result.winners, record.result.scores) == (result.winners, result.scores)
    assert record.result.reason is Ending.ROUNDS
    assert sum(len(each.actions) for each in record.rounds) == played.turns
    assert [each.number for each in record.rounds] == list(range(1, played.state.round.number + 1))


def test_every_play_is_recorded_with_its_full_name() -> None:
    record = play_match(rule_set("classic").at_table(players=2), Length(rounds=1))
    plays = [each.action for each in record.rounds[0].actions if isinstance(each.action, Play)]
    assert all(None not in (play.named.kind, play.named.top, play.named.length) for play in plays)


def test_by_and_at_are_recorded() -> None:
    record = play_match(rule_set("classic").at_table(players=2), Length(rounds=1))
    actions = record.rounds[0].actions
    assert {each.by for each in actions} == {By.PLAYER, By.AI, None}
    assert {each.at is None for each in actions} == {True, False}


def test_an_aborted_match_records_its_running_round_without_scores() -> None:
    played = begin_match(rule_set("revised").at_table(players=3), Length.agreed())
    while played.state.round.number < 2:
        played.act()
    for _ in range(5):
        played.act()
    played.recorder.abort(winners=(0,), totals=played.state.totals, reason=Ending.FORFEIT)
    record = played.recorder.record()
    assert (len(record.rounds), record.rounds[1].scores, len(record.rounds[1].actions)) == (2, None, 5)
    assert replay(record) == Valid(Deals.PROVEN)
