"""The level `hard`: try the network's preferred plays in worlds that fit what the seat has seen.

Randomness comes only from `rng`, so the same view, seed and budget of simulations give the same choice.
"""

from random import Random
from typing import Final

from engine.ai.awarding import choose_captor
from engine.ai.interface import Budget
from engine.ai.network.bets import best_bet
from engine.ai.network.judging import judge
from engine.ai.network.weights import network_for
from engine.ai.search.halving import search
from engine.ai.search.meter import Meter
from engine.ai.turn import action_of, hand_to_act
from engine.combinations.plays import NO_PLAY
from engine.rounds.actions import Action, Award, Bet
from engine.rounds.turn import Expects
from engine.views.round_view import RoundView

# By number of players; with three players a simulation costs twice as much.
TRIES: Final = {2: 600, 3: 400}


def choose(view: RoundView, rng: Random, budget: Budget) -> Action:
    """Return an award, or the best play; a bet comes just before the seat's first play."""
    hand = hand_to_act(view)
    if view.expects is Expects.AWARD:
        return Award(choose_captor(view))
    players = view.rules.players
    meter, network = Meter(budget, default_tries=TRIES[players]), network_for(players)
    judged = judge(view, network)
    if len(judged.plays) == 1 and not view.bets_open:
        return action_of(int(judged.plays[0]))
    best = search(view, hand, judged, network, meter, rng)[0]
    if view.bets_open and best.play != NO_PLAY:
        amount = best_bet(view, chance=best.chance, points=best.points)
        if amount:
            return Bet(amount)
    return action_of(best.play)
