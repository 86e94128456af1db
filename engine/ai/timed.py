"""A level whose decisions are counted and timed, by a clock that is given: the engine reads none."""

from collections.abc import Callable
from random import Random

from engine.ai.interface import Budget, Chooser
from engine.rounds.actions import Action
from engine.views.round_view import RoundView


class Timed:
    """A level, how many decisions it has made, and the seconds they took."""

    def __init__(self, chooser: Chooser, clock: Callable[[], float]) -> None:
        """Nothing is measured yet."""
        self.chooser = chooser
        self.clock = clock
        self.decisions = 0
        self.seconds = 0.0
        self.longest = 0.0

    def __call__(self, view: RoundView, rng: Random, budget: Budget) -> Action:
        """Choose, and take the time."""
        started = self.clock()
        action = self.chooser(view, rng, budget)
        took = self.clock() - started
        self.seconds += took
        self.longest = max(self.longest, took)
        self.decisions += 1
        return action

    @property
    def milliseconds(self) -> float:
        """What a decision took on the mean."""
        return 1000 * self.seconds / max(1, self.decisions)
