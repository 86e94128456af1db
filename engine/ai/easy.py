"""The level `easy`: a greedy player that sheds what it can and plans no further than the next lead.

It considers its own hand and the play to beat, but not how close the others are to going out. It is
deterministic: the same view gives the same choice.
"""

from random import Random
from typing import Final

from engine.ai.greedy.awarding import choose_captor
from engine.ai.greedy.betting import choose_bet
from engine.ai.greedy.following import choose_follow
from engine.ai.greedy.leading import choose_lead
from engine.ai.interface import Budget
from engine.ai.turn import action_of, hand_to_act, legal_plays
from engine.cards.hand import FACES
from engine.combinations.plays import NO_PLAY, cards_in
from engine.combinations.rules import CombinationRules
from engine.plays.following import follows
from engine.plays.leading import leads
from engine.rounds.actions import Action, Award, Bet
from engine.rounds.position import Position
from engine.rounds.state import table_of
from engine.rounds.turn import Expects
from engine.views.round_view import RoundView

# Listing all plays of a larger hand is expensive, and one of them hardly ever sheds the whole hand.
LARGEST_LAST_LEAD: Final = 8


def choose(view: RoundView, rng: Random, budget: Budget) -> Action:  # noqa: ARG001 (deterministic, no search)
    """Award, bet, go out, lead or follow: the first of these that is possible."""
    hand = hand_to_act(view)
    if view.expects is Expects.AWARD:
        return Award(choose_captor(view))
    if view.bets_open and (amount := choose_bet(view, hand)):
        return Bet(amount)
    return action_of(choose_play(view, hand))


def choose_play(view: RoundView, hand: int) -> int:
    """Return the play to make, or NO_PLAY for a pass."""
    return _best(legal_plays(view), hand, view.current, table_of(view.rules))


def choose_play_of(position: Position) -> int:
    """Return the play for a position of a search; from a large hand it leads without trying to go out."""
    table, current = position.table, position.current
    hand = position.hands[position.to_act]
    if current == NO_PLAY and hand.bit_count() > LARGEST_LAST_LEAD and hand & ~FACES:
        return choose_lead(hand, table)
    plays = leads(hand, table) if current == NO_PLAY else follows(hand, current, table)
    return _best(plays, hand, current, table)


def _best(plays: list[int], hand: int, current: int, rules: CombinationRules) -> int:
    for play in plays:
        if cards_in(play) == hand:
            return play
    return choose_lead(hand, rules) if current == NO_PLAY else choose_follow(plays, hand, rules)
