"""Choose the next dealer: the player with the most points or, if tied, the first out in the last round."""

from collections.abc import Sequence

from engine.matches.ending import winners
from engine.rulesets.model import TableRules


def next_dealer(rules: TableRules, *, totals: Sequence[int], out: Sequence[int]) -> int | None:
    """Return the seat that deals next, or None if the rule set has no dealer.

    `out` are the seats that went out in the last round, in order. The first of them breaks a tie, even if not
    part of it:

    >>> from engine.rulesets.catalogue import rule_set
    >>> next_dealer(rule_set("classic").at_table(players=3), totals=(90, 90, 40), out=(2, 0))
    2
    """
    if not rules.has_dealer:
        return None
    most = winners(totals)
    return most[0] if len(most) == 1 else out[0]
