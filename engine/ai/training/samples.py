"""What a finished round teaches: for each decision what the network saw, and what came of it.

What is learnt of how far a seat comes out ahead is not the end of the round alone, which hangs on much
luck, but partly what the network expected at the seat's next decisions, the nearer ones more.
"""

from dataclasses import dataclass
from typing import Final

from engine.ai.network.arrays import Floats, np

# How much of what is learnt comes from further on than the next decision.
TRACE: Final = 0.7


@dataclass(frozen=True, slots=True)
class Step:
    """A decision: whose, its features, what the best play should bring, and the points captured until then.

    It strayed where another play was made, to see more.
    """

    seat: int
    play: Floats
    situation: Floats
    expected: float
    strayed: bool
    captured: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Samples:
    """Many decisions: their features, and for each how far ahead, whether first out, own points."""

    plays: Floats
    situations: Floats
    targets: Floats

    def __len__(self) -> int:
        """How many decisions there are."""
        return len(self.targets)

    def part(self, chosen: np.ndarray) -> "Samples":
        """Some of them."""
        return Samples(self.plays[chosen], self.situations[chosen], self.targets[chosen])


def targets_of(steps: list[Step], points: list[int], first_out: int) -> list[tuple[float, float, float]]:
    """What came of each decision of a round that ended with these points."""
    found: list[tuple[float, float, float]] = []
    # By seat: what its next decision is worth to what came before, and the captured lead then.
    later: dict[int, tuple[float, float]] = {}
    for step in reversed(steps):
        lead = ahead(step.captured, step.seat)
        if step.seat in later:
            worth, its_lead = later[step.seat]
            mixed = worth + its_lead - lead
        else:
            mixed = ahead(points, step.seat) - lead
        trace = 0.0 if step.strayed else TRACE
        later[step.seat] = (trace * mixed + (1 - trace) * step.expected, lead)
        own = points[step.seat] - step.captured[step.seat]
        found.append((mixed, float(step.seat == first_out), float(own)))
    return found[::-1]


def ahead(points: list[int] | tuple[int, ...], seat: int) -> float:
    """By how much a seat is ahead of the mean of its opponents."""
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


def joined(steps: list[Step], targets: list[tuple[float, float, float]]) -> Samples:
    """The decisions as arrays."""
    return Samples(
        np.stack([step.play for step in steps]),
        np.stack([step.situation for step in steps]),
        np.array(targets, dtype=np.float32),
    )
