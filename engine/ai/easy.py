"""The level `easy`: a greedy player, who sheds what can be shed and thinks of no further than the next lead.

It uses no chance: the same view gives the same choice.
"""

from random import Random

from engine.ai.greedy.awarding import choose_captor
from engine.ai.greedy.betting import choose_bet
from engine.ai.greedy.following import choose_follow
from engine.ai.greedy.leading import choose_lead
from engine.ai.greedy.opponents import fewest_opposing_cards
from engine.ai.interface import Budget
from engine.ai.turn import action_of, hand_to_act, legal_plays
from engine.cards.deck import SUITS_FOR
from engine.combinations.plays import NO_PLAY, cards_in
from engine.rounds.actions import Action, Award, Bet
from engine.rounds.turn import Expects
from engine.views.round_view import RoundView


def choose(view: RoundView, rng: Random, budget: Budget) -> Action:  # noqa: ARG001 (neither chance nor search)
    """Award, bet, go out, lead or follow: the first of these that there is to do."""
    hand = hand_to_act(view)
    if view.expects is Expects.AWARD:
        return Award(choose_captor(view))
    if view.bets_open and (amount := choose_bet(view, hand)):
        return Bet(amount)
    return action_of(choose_play(view, hand))


def choose_play(view: RoundView, hand: int) -> int:
    """The play to make, or NO_PLAY for a pass."""
    plays = legal_plays(view)
    for play in plays:
        if cards_in(play) == hand:
            return play
    suits, opposing = SUITS_FOR[view.rules.players], fewest_opposing_cards(view)
    if view.current == NO_PLAY:
        return choose_lead(plays, hand, suits, opposing)
    return choose_follow(plays, hand, suits, opposing)
