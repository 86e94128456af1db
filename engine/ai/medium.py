"""The level `medium`: evaluate what each play leaves behind with the value network, and make the best play.

It looks one play ahead and is deterministic: the same view gives the same choice.
"""

from random import Random

from engine.ai.awarding import choose_captor
from engine.ai.interface import Budget
from engine.ai.network.bets import best_bet
from engine.ai.network.judging import judge
from engine.ai.network.weights import network_for
from engine.ai.turn import action_of, hand_to_act
from engine.combinations.plays import NO_PLAY
from engine.rounds.actions import Action, Award, Bet
from engine.rounds.turn import Expects
from engine.views.round_view import RoundView


def choose(view: RoundView, rng: Random, budget: Budget) -> Action:  # noqa: ARG001 (deterministic, no search)
    """Return an award, or the play with the highest value; a bet comes just before the seat's first play."""
    hand_to_act(view)
    if view.expects is Expects.AWARD:
        return Award(choose_captor(view))
    judged = judge(view, network_for(view.rules.players))
    best = judged.best()
    play = int(judged.plays[best])
    if view.bets_open and play != NO_PLAY:
        amount = best_bet(view, chance=float(judged.chance[best]), points=float(judged.points[best]))
        if amount:
            return Bet(amount)
    return action_of(play)
