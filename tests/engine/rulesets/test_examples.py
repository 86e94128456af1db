from dataclasses import replace

import pytest

from engine.cards.hand import mask_of, parse_cards
from engine.combinations.readings import readings_of
from engine.combinations.rules import FOUR_SUITS
from engine.rulesets.catalogue import RULE_SETS
from engine.rulesets.examples import BETS, COMBINATIONS, BetExample, CombinationExample, Key
from engine.rulesets.model import RuleSet
from engine.scoring.bets import bets
from tests.engine.scoring.finished_rounds import PLAIN, PLAIN_OF_TWO, tables_of

PLAYED = [(key, example) for key, examples in BETS.items() for example in examples]


@pytest.mark.parametrize(("key", "example"), PLAYED)
def test_bet_examples_match_the_rules(key: Key, example: BetExample) -> None:
    players, succeeds, split = key
    played = 0
    for rules in RULE_SETS:
        for table in tables_of(rules, players) if players in rules.players else ():
            if (table.bet_succeeds, table.bet_split) == (succeeds, split):
                plain = PLAIN if players == 3 else PLAIN_OF_TWO
                finished = replace(plain, bets=example.bets, out=example.out)
                assert bets(table, finished, example.points) == example.paid
                played += 1
    assert played


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.key)
def test_every_way_to_pay_bets_has_an_example(rules: RuleSet) -> None:
    for players in rules.players:
        for table in tables_of(rules, players):
            assert BETS[players, table.bet_succeeds, table.bet_split]


@pytest.mark.parametrize("example", COMBINATIONS, ids=lambda example: example.cards)
def test_combination_examples_match_the_rules(example: CombinationExample) -> None:
    readings = readings_of(mask_of(parse_cards(example.cards)), FOUR_SUITS)
    shapes = {(each.combination.kind, each.combination.top, *each.combination.shape[1:]) for each in readings}
    assert shapes == set(example.shapes)
    assert len(example.names) == len(example.shapes)
