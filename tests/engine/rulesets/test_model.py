from copy import deepcopy
from dataclasses import FrozenInstanceError, fields

import pytest

from engine.errors import Malformed
from engine.rulesets.catalogue import RULE_SETS, rule_set
from engine.rulesets.model import RuleSet
from engine.rulesets.terms import Terms

EVERY = pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.key)


@EVERY
def test_a_table_has_every_term_of_its_rule_set(rules: RuleSet) -> None:
    at_table = rules.at_table(players=rules.players[-1])
    for term in fields(Terms):
        assert getattr(at_table, term.name) == getattr(rules, term.name)
    assert (at_table.key, at_table.version, at_table.players) == (rules.key, rules.version, rules.players[-1])


@EVERY
@pytest.mark.parametrize("players", (0, 1, 4, 8))
def test_other_numbers_of_players_are_refused(rules: RuleSet, players: int) -> None:
    with pytest.raises(Malformed) as refused:
        rules.at_table(players=players)
    assert (refused.value.code, refused.value.where) == ("invalid_players", "players")


def test_rules_in_force_are_a_value() -> None:
    first, second = (
        rule_set("revised").at_table(players=3, options={"bet_split": "thirds"}) for _ in range(2)
    )
    assert first == second
    assert hash(first) == hash(second)
    assert deepcopy(first) == first
    with pytest.raises(FrozenInstanceError):
        first.players = 2  # type: ignore[misc]


def test_modifying_the_options_of_a_table_does_not_change_the_table() -> None:
    rules = rule_set("classic").at_table(players=3)
    rules.options["bomb_capture"] = "tournament"
    assert rules.options == {"bomb_capture": "winner_chooses"}


@pytest.mark.parametrize(("players", "bonus"), ((2, 0), (3, 5)))
def test_the_first_out_bonus_is_for_three_players(players: int, bonus: int) -> None:
    assert rule_set("classic").at_table(players=players).first_out_bonus == bonus
