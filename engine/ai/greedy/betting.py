"""Decide whether to bet: on a hand of few groups, which tends to go out first.

Measured over 3,000 rounds of this level against itself: with two players, a hand of six groups goes out first
in two rounds of three, a hand of seven in six of ten, a hand of eight in fewer than half. With three players,
six groups give an even chance. If bets are won by points, 15 are reached with almost any hand, 30 with few.
"""

from typing import Final

from engine.ai.greedy.groups import groups
from engine.rounds.state import table_of
from engine.rulesets.terms import BetSucceeds
from engine.views.round_view import RoundView

SMALL_BET: Final = 15

# By number of players: the most groups with which to bet the highest amount, or a small one.
MOST_GROUPS_FOR_HIGHEST_BET: Final = {2: 6, 3: 5}
MOST_GROUPS_FOR_SMALL_BET: Final = {2: 7, 3: 6}


def choose_bet(view: RoundView, hand: int) -> int:
    """Return how much to bet while bets are open, or 0 for no bet."""
    if view.rules.bet_succeeds is BetSucceeds.SCORES_THE_BET:
        return SMALL_BET
    players = view.rules.players
    plays_needed = len(groups(hand, table_of(view.rules)))
    if plays_needed <= MOST_GROUPS_FOR_HIGHEST_BET[players]:
        return max(view.rules.bet_amounts)
    return SMALL_BET if plays_needed <= MOST_GROUPS_FOR_SMALL_BET[players] else 0
