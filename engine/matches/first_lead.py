"""Start the first round: the drawn seat deals it or, without a dealer, leads it."""

from engine.rounds.turns import left_of
from engine.rulesets.model import TableRules


def first_dealer_and_leader(rules: TableRules, first_seat: int) -> tuple[int | None, int]:
    """Return who deals and who leads the first round, given the drawn seat.

    >>> from engine.rulesets.catalogue import rule_set
    >>> first_dealer_and_leader(rule_set("classic").at_table(players=2), 1)
    (1, 0)
    >>> first_dealer_and_leader(rule_set("deluxe").at_table(players=2), 1)
    (None, 1)
    """
    if rules.has_dealer:
        return first_seat, left_of(first_seat, rules.players)
    return None, first_seat
