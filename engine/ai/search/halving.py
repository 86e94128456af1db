"""The search: what the network likes is tried in the same worlds, the worse half dropped, and so on.

Tries are dear and luck is large, so they go to the plays between which it is hard to tell. What the network
said counts as some tries of its own.
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

# So many plays at most, none that the network expects to be so many points behind the best.
MOST_PLAYS: Final = 8
TOO_FAR_BEHIND: Final = 12.0
# The word of the network weighs as much as so many tries.
NETWORK_TRIES: Final = 8
# How many of its own decisions a seat looks ahead until the network says how it goes on.
DEPTH: Final = 4


@dataclass(slots=True, eq=False)
class Tried:
    """A play, what the network expects of it, and what came of it in the worlds it was tried in."""

    play: int
    expected: float
    tries: int
    found: Floats

    def mean(self, part: int) -> float:
        """What came of it on the mean."""
        return float(self.found[part]) / max(1, self.tries)

    @property
    def chance(self) -> float:
        """How often the seat went out first."""
        return self.mean(FIRST_AT_END)

    @property
    def points(self) -> float:
        """What the seat scored, bets aside."""
        return self.mean(POINTS_AT_END)

    def worth(self, base: float) -> float:
        """How far ahead; `base` is what makes the network's word comparable."""
        known = self.found[AHEAD_AT_END] + NETWORK_TRIES * (self.expected + base)
        return float(known) / (self.tries + NETWORK_TRIES)


def search(
    view: RoundView, hand: int, judged: Judged, network: Network, meter: Meter, rng: Random
) -> list[Tried]:
    """The plays worth trying, the best first."""
    tried = worth_trying(judged)
    drawn = Worlds(view, hand, network, meter, rng)
    stages = max(1, ceil(log2(len(tried))))
    left = tried
    for stage in range(1, stages + 1):
        while piece := meter.next_piece(stage / stages, len(left)):
            worlds = drawn.draw(piece)
            ahead = look_ahead(
                view, network, [(world, each.play) for each in left for world in worlds], DEPTH, rng
            )
            for place, each in enumerate(left):
                each.found += ahead.found[place * piece : (place + 1) * piece].sum(axis=0)
                each.tries += piece
            meter.count(piece * len(left), ahead.steps)
        left = _ranked(left)[: max(1, len(left) // 2)]
    dropped = [each for each in tried if each not in left]
    return left + _ranked(dropped)


def worth_trying(judged: Judged) -> list[Tried]:
    """The plays that the network likes best, that first."""
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
