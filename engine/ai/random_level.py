"""The level `random`: any legal action, and now and then a bet; the baseline for all other levels."""

from random import Random

from engine.ai.interface import Budget
from engine.ai.turn import action_of, hand_to_act, legal_plays
from engine.combinations.plays import NO_PLAY
from engine.rounds.actions import Action, Award, Bet
from engine.rounds.turn import Expects
from engine.views.round_view import RoundView

BETS_ONE_TURN_IN = 20


def choose(view: RoundView, rng: Random, budget: Budget) -> Action:  # noqa: ARG001 (no search)
    """Return any legal play or pass, all equally likely; any captor; and rarely any bet."""
    hand_to_act(view)
    if view.expects is Expects.AWARD:
        return Award(rng.choice(view.awards))
    if view.bets_open and rng.randrange(BETS_ONE_TURN_IN) == 0:
        return Bet(rng.choice(view.bets_open))
    plays = legal_plays(view)
    if view.expects is Expects.PLAY_OR_PASS:
        plays.append(NO_PLAY)
    return action_of(rng.choice(plays))
