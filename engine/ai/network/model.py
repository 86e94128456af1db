"""The network: two hidden layers over the features, and three outputs.

The outputs are the lead that a seat can still gain by the end of the round, without bets; its chance of going
out first; and the points that it can still score.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.ai.network.arrays import Floats, Ints, np
from engine.ai.network.features import Situations

POINTS: Final = 25.0
AHEAD, FIRST_OUT, OWN = 0, 1, 2
ANSWERS: Final = 3
LAYERS: Final = ("play", "situation", "first", "hidden", "second", "answer", "third")


@dataclass(frozen=True, slots=True)
class Network:
    """The weights of one network, for one number of players."""

    players: int
    weights: Mapping[str, Floats]

    def answers(self, situations: Situations, plays: Ints, at: Ints) -> Floats:
        """Return three answers for each play: in points, except for the chance, which is a logit."""
        return self.answer(situations.features, situations.play_features(plays, at), at)

    def answer(self, situations: Floats, plays: Floats, at: Ints) -> Floats:
        """Return the same, given the features."""
        weights = self.weights
        shared = situations @ weights["situation"] + weights["first"]
        hidden: Floats = plays @ weights["play"]
        hidden += shared[at]
        np.maximum(hidden, 0, out=hidden)
        hidden = hidden @ weights["hidden"] + weights["second"]
        np.maximum(hidden, 0, out=hidden)
        found: Floats = hidden @ weights["answer"] + weights["third"]
        found[:, AHEAD] *= POINTS
        found[:, OWN] *= POINTS
        return found
