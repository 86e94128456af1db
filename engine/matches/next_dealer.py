"""The player with the most points deals the next round; tied, the one who went out first in the last."""

from collections.abc import Sequence

from engine.matches.ending import winners
from engine.rulesets.model import TableRules


def next_dealer(rules: TableRules, *, totals: Sequence[int], out: Sequence[int]) -> int | None:
    """The seat that deals next, or None where the rule set has no dealer.

    `out` are the seats that went out in the last round, in order. Its first breaks a tie even when not in it:

    >>> from engine.rulesets.catalogue import rule_set
    >>> next_dealer(rule_set("classic").at_table(players=3), totals=(90, 90, 40), out=(2, 0))
    2
    """
    if not rules.has_dealer:
        return None
    most = winners(totals)
    return most[0] if len(most) == 1 else out[0]
