"""Wrap a level to count and time its decisions, with a given clock: the engine reads none itself."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from engine.ai.interface import Budget, Chooser
from engine.rounds.actions import Action
from engine.views.round_view import RoundView


@dataclass(frozen=True, slots=True)
class Cost:
    """The number of decisions, and their total and longest duration in seconds."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        """Return the sum of both."""
        return Cost(
            self.decisions + other.decisions,
            self.seconds + other.seconds,
            max(self.longest, other.longest),
        )

    @property
    def milliseconds(self) -> float:
        """The mean duration of a decision in milliseconds."""
        return 1000 * self.seconds / max(1, self.decisions)


class Timed:
    """A level, and what its decisions have cost."""

    def __init__(self, chooser: Chooser, clock: Callable[[], float]) -> None:
        """Start with nothing measured."""
        self.chooser = chooser
        self.clock = clock
        self.cost = Cost()

    def __call__(self, view: RoundView, rng: Random, budget: Budget) -> Action:
        """Choose an action and measure the time."""
        started = self.clock()
        action = self.chooser(view, rng, budget)
        took = self.clock() - started
        self.cost += Cost(1, took, took)
        return action
