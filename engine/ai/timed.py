"""A level whose decisions are counted and timed, by a clock that is given: the engine reads none."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from engine.ai.interface import Budget, Chooser
from engine.rounds.actions import Action
from engine.views.round_view import RoundView


@dataclass(frozen=True, slots=True)
class Cost:
    """How many decisions were made, and the seconds they took: all of them, and the longest."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        """Both together."""
        return Cost(
            self.decisions + other.decisions,
            self.seconds + other.seconds,
            max(self.longest, other.longest),
        )

    @property
    def milliseconds(self) -> float:
        """What a decision took on the mean."""
        return 1000 * self.seconds / max(1, self.decisions)


class Timed:
    """A level, and what its decisions have cost."""

    def __init__(self, chooser: Chooser, clock: Callable[[], float]) -> None:
        """Nothing is measured yet."""
        self.chooser = chooser
        self.clock = clock
        self.cost = Cost()

    def __call__(self, view: RoundView, rng: Random, budget: Budget) -> Action:
        """Choose, and take the time."""
        started = self.clock()
        action = self.chooser(view, rng, budget)
        took = self.clock() - started
        self.cost += Cost(1, took, took)
        return action
