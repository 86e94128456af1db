import pytest

from engine.rulesets.catalogue import RULE_SETS
from engine.rulesets.model import RuleSet

EVERY = pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.key)


@EVERY
def test_a_ruling_has_a_unique_key_and_a_sentence(rules: RuleSet) -> None:
    keys = [ruling.key for ruling in rules.rulings]
    assert len(set(keys)) == len(keys)
    assert all(ruling.text.endswith(".") for ruling in rules.rulings)


@EVERY
def test_three_player_rulings_appear_where_three_can_play(rules: RuleSet) -> None:
    keys = {ruling.key for ruling in rules.rulings}
    assert ({"choice_waits", "bomb_ends_round"} <= keys) is (3 in rules.players)
    assert len(keys & {"tournament_next", "tournament_last_ordinary"}) == (3 in rules.players)


@EVERY
def test_dealer_rulings_appear_where_there_is_a_dealer(rules: RuleSet) -> None:
    keys = {ruling.key for ruling in rules.rulings}
    assert ({"first_dealer", "dealer_tie"} <= keys) is rules.has_dealer
    assert "lead_tie" in keys


@EVERY
def test_rule_sets_without_a_bet_of_five_say_so(rules: RuleSet) -> None:
    assert ("no_five" in {ruling.key for ruling in rules.rulings}) is (5 not in rules.bet_amounts)
