"""The first of three players to go out scores a bonus, where the rule set has one."""

from engine.rulesets.model import TableRules
from engine.scoring.finished import FinishedRound


def first_out_bonus(rules: TableRules, finished: FinishedRound, seat: int) -> int:
    """The bonus for the first out; the rules of a table of two have none."""
    return rules.first_out_bonus if seat == finished.first_out else 0
