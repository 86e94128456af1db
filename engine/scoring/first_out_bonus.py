"""Score the bonus for the first of three players to go out, if the rule set has one."""

from engine.rulesets.model import TableRules
from engine.scoring.finished import FinishedRound


def first_out_bonus(rules: TableRules, finished: FinishedRound, seat: int) -> int:
    """Return the seat's bonus for going out first; it is always 0 with two players."""
    return rules.first_out_bonus if seat == finished.first_out else 0
