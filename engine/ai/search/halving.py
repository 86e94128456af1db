"""Search by sequential halving: try the network's best plays in the same worlds, drop the worse half, repeat.

Simulations are expensive and luck is large, so they go to the plays that are hard to tell apart. The
network's estimate counts as a number of simulations.
"""

from dataclasses import dataclass
from math import ceil, log2
from random import Random
from typing import Final

from engine.ai.network.arrays import Floats, np
from engine.ai.network.judging import Judged
from engine.ai.network.model import Network
from engine.ai.search.likelihood import Worlds
from engine.ai.search.meter import Meter
from engine.ai.search.rollouts import AHEAD_AT_END, FIRST_AT_END, POINTS_AT_END, look_ahead
from engine.views.round_view import RoundView

# The most plays to try, and the largest expected deficit to the best play, in points.
MOST_PLAYS: Final = 8
TOO_FAR_BEHIND: Final = 12.0
# The network's estimate weighs as much as this many simulations.
NETWORK_TRIES: Final = 8
# How many of its own decisions a seat looks ahead before the network estimates the rest.
DEPTH: Final = 4


@dataclass(slots=True, eq=False)
class Tried:
    """A play, the network's estimate of it, and the results in the worlds it was tried in."""

    play: int
    expected: float
    tries: int
    found: Floats

    def mean(self, part: int) -> float:
        """Return the mean of one part of the results."""
        return float(self.found[part]) / max(1, self.tries)

    @property
    def chance(self) -> float:
        """How often the seat went out first."""
        return self.mean(FIRST_AT_END)

    @property
    def points(self) -> float:
        """What the seat scored on average, without bets."""
        return self.mean(POINTS_AT_END)

    def worth(self, base: float) -> float:
        """Return the estimated lead; `base` makes the network's estimate comparable with the results."""
        total = self.found[AHEAD_AT_END] + NETWORK_TRIES * (self.expected + base)
        return float(total) / (self.tries + NETWORK_TRIES)


def search(
    view: RoundView, hand: int, judged: Judged, network: Network, meter: Meter, rng: Random
) -> list[Tried]:
    """Return the plays that were tried, best first."""
    tried = worth_trying(judged)
    drawn = Worlds(view, hand, network, meter, rng)
    stages = max(1, ceil(log2(len(tried))))
    left = tried
    for stage in range(1, stages + 1):
        while batch := meter.next_batch(stage / stages, len(left)):
            worlds = drawn.draw(batch)
            ahead = look_ahead(
                view, network, [(world, each.play) for each in left for world in worlds], DEPTH, rng
            )
            for place, each in enumerate(left):
                each.found += ahead.found[place * batch : (place + 1) * batch].sum(axis=0)
                each.tries += batch
            meter.count(batch * len(left), ahead.steps)
        left = _ranked(left)[: max(1, len(left) // 2)]
    dropped = [each for each in tried if each not in left]
    return left + _ranked(dropped)


def worth_trying(judged: Judged) -> list[Tried]:
    """Return the plays that the network likes best, in that order."""
    order = np.argsort(-judged.worth, kind="stable")[:MOST_PLAYS].tolist()
    least = float(judged.worth[order[0]]) - TOO_FAR_BEHIND
    return [
        Tried(int(judged.plays[place]), float(judged.worth[place]), 0, np.zeros(3, dtype=np.float32))
        for place in order
        if judged.worth[place] >= least
    ]


def _ranked(tried: list[Tried]) -> list[Tried]:
    if not tried:
        return tried
    counted = [each for each in tried if each.tries]
    base = sum(each.mean(AHEAD_AT_END) - each.expected for each in counted) / len(counted) if counted else 0.0
    return sorted(tried, key=lambda each: each.worth(base), reverse=True)
