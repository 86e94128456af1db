"""Whether to bet: on a hand of few groups, which tends to go out first.

Measured over 3,000 rounds of this level against itself: of two players the one with six groups goes out first
in two rounds of three, with seven in six of ten, with eight in fewer than half. Of three it takes six for an
even chance. Where a bet is won by points, 15 are reached with almost any hand, 30 with few.
"""

from typing import Final

from engine.ai.greedy.groups import groups
from engine.rounds.state import table_of
from engine.rulesets.terms import BetSucceeds
from engine.views.round_view import RoundView

LITTLE: Final = 15

# By players: with at most so many groups, bet the most there is; with at most so many, a little.
MOST_GROUPS_FOR_MOST: Final = {2: 6, 3: 5}
MOST_GROUPS_FOR_LITTLE: Final = {2: 7, 3: 6}


def choose_bet(view: RoundView, hand: int) -> int:
    """How much to bet, 0 for nothing, where bets are open."""
    if view.rules.bet_succeeds is BetSucceeds.SCORES_THE_BET:
        return LITTLE
    players = view.rules.players
    plays_needed = len(groups(hand, table_of(view.rules)))
    if plays_needed <= MOST_GROUPS_FOR_MOST[players]:
        return max(view.rules.bet_amounts)
    return LITTLE if plays_needed <= MOST_GROUPS_FOR_LITTLE[players] else 0
