"""Choose the tables for training: every way to score, the usual one most often."""

from engine.rulesets.catalogue import RULE_SETS
from engine.rulesets.model import TableRules
from engine.rulesets.options import BOMB_CAPTURE

USUAL = "classic"
USUAL_WEIGHT = 3


def tables_for(players: int) -> list[TableRules]:
    """Return the tables to draw from: one for each rule set and capture option, several for the usual one."""
    found: list[TableRules] = []
    for rules in RULE_SETS:
        if players not in rules.players:
            continue
        captures = (
            [choice.value for choice in BOMB_CAPTURE.choices] if players in BOMB_CAPTURE.players else [""]
        )
        for capture in captures:
            options = {BOMB_CAPTURE.name: capture} if capture else {}
            found += [rules.at_table(players=players, options=options)] * (
                USUAL_WEIGHT if rules.key == USUAL else 1
            )
    return found
