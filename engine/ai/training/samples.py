"""Turn a finished round into training samples: what the network saw at each decision, and the outcome.

The target for the lead is not only the end of the round, which depends on much luck, but partly what the
network expected at the seat's next decisions, with more weight on the nearer ones.
"""

from dataclasses import dataclass
from typing import Final

from engine.ai.network.arrays import Floats, np

# The fraction of the target that comes from beyond the next decision.
TRACE: Final = 0.7


@dataclass(frozen=True, slots=True)
class Step:
    """A decision: its seat, its features, the expected value of the best play, and the points captured.

    `explored` is true if another play was made for exploration.
    """

    seat: int
    play: Floats
    situation: Floats
    expected: float
    explored: bool
    captured: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Samples:
    """Many decisions: their features and, for each, the lead, whether first out, and the own points."""

    plays: Floats
    situations: Floats
    targets: Floats

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self.targets)

    def part(self, chosen: np.ndarray) -> "Samples":
        """Return some of the samples."""
        return Samples(self.plays[chosen], self.situations[chosen], self.targets[chosen])


def targets_of(steps: list[Step], points: list[int], first_out: int) -> list[tuple[float, float, float]]:
    """Return the target of each decision of a round that ended with these points."""
    found: list[tuple[float, float, float]] = []
    # By seat: the value of its next decision for the decision before, and the captured lead at that time.
    later: dict[int, tuple[float, float]] = {}
    for step in reversed(steps):
        lead = ahead(step.captured, step.seat)
        if step.seat in later:
            worth, later_lead = later[step.seat]
            mixed = worth + later_lead - lead
        else:
            mixed = ahead(points, step.seat) - lead
        trace = 0.0 if step.explored else TRACE
        later[step.seat] = (trace * mixed + (1 - trace) * step.expected, lead)
        own = points[step.seat] - step.captured[step.seat]
        found.append((mixed, float(step.seat == first_out), float(own)))
    return found[::-1]


def ahead(points: list[int] | tuple[int, ...], seat: int) -> float:
    """Return by how much a seat is ahead of the mean of its opponents."""
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


def to_samples(steps: list[Step], targets: list[tuple[float, float, float]]) -> Samples:
    """Return the decisions as arrays."""
    return Samples(
        np.stack([step.play for step in steps]),
        np.stack([step.situation for step in steps]),
        np.array(targets, dtype=np.float32),
    )
