"""Choose the next leader: the player with the fewest points or, if tied, a left-hand neighbour."""

from collections.abc import Sequence

from engine.rounds.turns import left_of
from engine.rulesets.model import TableRules
from engine.rulesets.terms import LeadTie


def next_leader(rules: TableRules, *, totals: Sequence[int], dealer: int | None, last_leader: int) -> int:
    """Return the seat that leads next, given the seat that led the first trick of the last round.

    A tie is broken by the seat left of the new dealer, or of the last leader, even if it is not part of the
    tie:

    >>> from engine.rulesets.catalogue import rule_set
    >>> classic, deluxe = (rule_set(key).at_table(players=3) for key in ("classic", "deluxe"))
    >>> next_leader(classic, totals=(90, 40, 40), dealer=0, last_leader=0)
    1
    >>> next_leader(deluxe, totals=(90, 40, 40), dealer=None, last_leader=2)
    0
    """
    fewest = min(totals)
    if totals.count(fewest) == 1:
        return totals.index(fewest)
    if rules.lead_tie is LeadTie.LEFT_OF_LAST_LEADER or dealer is None:
        return left_of(last_leader, rules.players)
    return left_of(dealer, rules.players)
