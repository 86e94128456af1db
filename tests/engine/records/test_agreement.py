"""Agreements must exist: rule set and version, number of players, options and length."""

import pytest

from engine.matches.ending import Length
from engine.records.agreement import length_of, rules_of
from engine.records.reading import read_record
from engine.rulesets.catalogue import rule_set
from tests.engine.records.editing import edited, error_of

BEGUN = {
    "format": "haggis-record/1",
    "ruleset": "revised",
    "options": {"bet_split": "thirds"},
    "players": 3,
    "target_score": 250,
    "rounds_limit": None,
    "seats": ["a", "b", "c"],
    "rounds": [],
}


def test_omitted_options_have_their_defaults() -> None:
    record = read_record(BEGUN)
    assert rules_of(record) == rule_set("revised").at_table(players=3, options={"bet_split": "thirds"})
    assert rules_of(record).options == {"bomb_capture": "winner_chooses", "bet_split": "thirds"}


def test_a_version_may_be_given() -> None:
    version = rule_set("revised").version
    assert rules_of(read_record(edited(BEGUN, {"/ruleset_version": version}))).version == version


def test_the_length_is_a_target_or_a_number_of_rounds() -> None:
    assert length_of(read_record(BEGUN)) == Length(target=250)
    of_rounds = edited(BEGUN, {"/target_score": None, "/rounds_limit": 6})
    assert length_of(read_record(of_rounds)) == Length(rounds=6)


@pytest.mark.parametrize(
    ("changes", "code", "where"),
    (
        ({"/ruleset": "poker"}, "unknown_ruleset", "/ruleset"),
        ({"/ruleset_version": "0"}, "unknown_version", "/ruleset_version"),
        ({"/ruleset": "haggish"}, "invalid_players", "/players"),
        ({"/options/bet_split": "half"}, "invalid_options", "/options/bet_split"),
        ({"/options/captured": "point_cards"}, "invalid_options", "/options/captured"),
        ({"/target_score": 0}, "invalid_length", "/target_score"),
        ({"/target_score": 1001}, "invalid_length", "/target_score"),
        ({"/target_score": None}, "invalid_length", "/target_score"),
        ({"/rounds_limit": 6}, "invalid_length", "/rounds_limit"),
        ({"/target_score": None, "/rounds_limit": 101}, "invalid_length", "/rounds_limit"),
    ),
)
def test_an_unknown_rule_set_option_or_length_is_reported(
    changes: dict[str, object], code: str, where: str
) -> None:
    assert error_of(BEGUN) is None
    assert error_of(edited(BEGUN, changes)) == (code, where)
