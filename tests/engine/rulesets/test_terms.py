import pytest

from engine.rulesets.catalogue import RULE_SETS
from engine.rulesets.model import RuleSet
from engine.rulesets.terms import DEFAULT_TARGET, POINTS_OF_RANK, ROUNDS, TARGETS, CardPoints, LeadTie

EVERY = pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.key)


@EVERY
def test_a_lead_tie_is_broken_by_the_dealer_if_there_is_one(rules: RuleSet) -> None:
    assert rules.has_dealer is (rules.lead_tie is LeadTie.LEFT_OF_DEALER)


@EVERY
def test_suggested_lengths_are_valid(rules: RuleSet) -> None:
    assert all(target in TARGETS for target in rules.suggested_targets)
    assert all(number in ROUNDS for _, rounds in rules.suggested_rounds for number in rounds)
    assert DEFAULT_TARGET in rules.suggested_targets


@EVERY
def test_bets_that_may_be_split_in_thirds_are_multiples_of_three(rules: RuleSet) -> None:
    if "bet_split" in {option.name for option in rules.options}:
        assert all(amount % 3 == 0 for amount in rules.bet_amounts)


@pytest.mark.clause("deluxe.scoring.one-a-card")
def test_one_per_card_includes_every_rank() -> None:
    assert POINTS_OF_RANK[CardPoints.ONE_PER_CARD] == dict.fromkeys(range(2, 14), 1)
