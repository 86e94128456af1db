"""The first round: a seat is drawn, to deal it or, where there is no dealer, to lead it."""

from engine.rounds.turns import left_of
from engine.rulesets.model import TableRules


def first_dealer_and_leader(rules: TableRules, first_seat: int) -> tuple[int | None, int]:
    """Who deals and who leads the first round, given the seat that was drawn.

    >>> from engine.rulesets.catalogue import rule_set
    >>> first_dealer_and_leader(rule_set("classic").at_table(players=2), 1)
    (1, 0)
    >>> first_dealer_and_leader(rule_set("deluxe").at_table(players=2), 1)
    (None, 1)
    """
    if rules.has_dealer:
        return first_seat, left_of(first_seat, rules.players)
    return None, first_seat
