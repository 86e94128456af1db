"""Analyse a decision afterwards: find what `hard` would have done knowing only what the player knew.

The two plays are compared in the same sampled worlds, which cancels the luck of the hidden cards. A choice
that does as well as the best one costs nothing.
"""

from dataclasses import dataclass
from random import Random
from typing import Final

from engine.ai.interface import Budget
from engine.ai.network.judging import judge
from engine.ai.network.model import Network
from engine.ai.network.weights import network_for
from engine.ai.search.halving import search
from engine.ai.search.meter import Meter
from engine.ai.search.rollouts import AHEAD_AT_END, FIRST_AT_END, WHOLE_ROUNDS, look_ahead
from engine.ai.search.worlds import sample_world, unseen_cards
from engine.ai.turn import hand_to_act
from engine.views.round_view import RoundView

SEARCHED: Final = 96
COMPARED: Final = 48
# A smaller difference is attributed to chance.
LEAST_COST: Final = 0.5


@dataclass(frozen=True, slots=True)
class Analysed:
    """The play that was made and the best one, the cost in points, and the chance of first out with each."""

    made: int
    best: int
    cost: float
    chance: float
    best_chance: float


def analyse(view: RoundView, made: int, rng: Random) -> Analysed:
    """Analyse the play that was made in this view; 0 is a pass."""
    hand, network = hand_to_act(view), network_for(view.rules.players)
    judged = judge(view, network)
    meter = Meter(Budget(simulations=SEARCHED), default_tries=SEARCHED)
    best = made if len(judged.plays) == 1 else search(view, hand, judged, network, meter, rng)[0].play
    if best == made:
        _, chance = _compare(view, hand, network, (made,), rng)[0]
        return Analysed(made, made, 0.0, chance, chance)
    (ahead_made, chance), (ahead_best, best_chance) = _compare(view, hand, network, (made, best), rng)
    cost = ahead_best - ahead_made
    if cost < LEAST_COST:
        return Analysed(made, made, 0.0, chance, chance)
    return Analysed(made, best, cost, chance, best_chance)


def _compare(
    view: RoundView, hand: int, network: Network, plays: tuple[int, ...], rng: Random
) -> list[tuple[float, float]]:
    """Return each play's mean lead and its chance of going out first, in the same sampled worlds."""
    unseen = unseen_cards(view, hand)
    worlds = [sample_world(view, hand, unseen, rng) for _ in range(COMPARED)]
    tries = [(world, play) for play in plays for world in worlds]
    found = look_ahead(view, network, tries, WHOLE_ROUNDS, rng).found.reshape(len(plays), COMPARED, 3)
    means = found.mean(axis=1)
    return [(float(each[AHEAD_AT_END]), float(each[FIRST_AT_END])) for each in means]
