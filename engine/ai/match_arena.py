"""Compare levels over whole matches, with bets and a target, each match played once from every seat.

The deals are the same in every seating, so that seats are swapped on equal terms.
"""

from collections.abc import Callable
from random import Random

from engine.ai.interface import DEFAULT_BUDGET, Budget, Chooser
from engine.cards.hand import cards_of, deck_mask
from engine.deals.deal import Deal
from engine.matches.apply import apply
from engine.matches.ending import Length
from engine.matches.state import MatchState, start_match
from engine.rounds.playout import random_hands
from engine.rounds.state import table_of
from engine.rulesets.model import TableRules
from engine.views.round_view import view_round


def share(
    rules: TableRules,
    length: Length,
    challenger: Chooser,
    opponent: Chooser,
    match: str,
    *,
    budget: Budget = DEFAULT_BUDGET,
) -> float:
    """Return the share of a match that the challenger won, averaged over its seats.

    Deals and randomness depend only on the name of the match.
    """
    won = 0.0
    for seat in range(rules.players):
        seats = tuple(challenger if each == seat else opponent for each in range(rules.players))
        rng = Random(f"{match}/{seat}")  # noqa: S311 -- contests must be reproducible
        won += share_of(play_match(rules, length, seats, dealing_for(rules, match), rng, budget), seat)
    return won / rules.players


def share_of(ended: MatchState, seat: int) -> float:
    """Return 1 if the seat won the match alone, or a fraction if several seats won."""
    if ended.result is None or seat not in ended.result.winners:
        return 0.0
    return 1 / len(ended.result.winners)


def dealing_for(rules: TableRules, seed: str) -> Callable[[int], Deal]:
    """Return the deals of one match, by the number of the round."""

    def dealing(number: int) -> Deal:
        hands = random_hands(table_of(rules), Random(f"{seed}/{number}"))  # noqa: S311 -- not a secret
        suit_cards = [hand & deck_mask(rules.players) for hand in hands]
        haggis = deck_mask(rules.players)
        for hand in suit_cards:
            haggis &= ~hand
        return Deal(tuple(cards_of(hand) for hand in suit_cards), cards_of(haggis))

    return dealing


def play_match(
    rules: TableRules,
    length: Length,
    seats: tuple[Chooser, ...],
    dealing: Callable[[int], Deal],
    rng: Random,
    budget: Budget = DEFAULT_BUDGET,
) -> MatchState:
    """Return the match played to its end, with a level on each seat."""
    state = start_match(rules, length, first_seat=0, dealing=dealing)
    while not state.is_over:
        seat = state.round.to_act or 0
        action = seats[seat](view_round(state.round, seat), rng, budget)
        state = apply(state, seat, action, dealing=dealing).state
    return state
