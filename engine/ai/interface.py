"""Define the interface of an AI level: a function from what a seat may see to its action.

A level is given a view and nothing else of the round, so it cannot know hidden cards. Randomness and time are
arguments too: the same view, the same state of `rng` and the same budget of simulations give the same choice.
A level called while bets are open may return a bet; it is then called again for its play.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol

from engine.rounds.actions import Action
from engine.views.round_view import RoundView


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The limit for one decision: a number of simulations, or milliseconds measured by the given clock.

    If neither is set, a level uses its own default. Levels that do not search ignore the budget. `clock`
    returns seconds, like `time.monotonic`; the engine never reads a clock of its own.

    >>> Budget(simulations=100).milliseconds is None
    True
    """

    simulations: int | None = None
    milliseconds: float | None = None
    clock: Callable[[], float] | None = None

    def __post_init__(self) -> None:
        """Raise `ValueError` for an invalid budget: budgets are set by programs, so that is a bug."""
        if self.simulations is not None and self.milliseconds is not None:
            raise ValueError("A budget is simulations or milliseconds, not both.")
        if (self.milliseconds is None) != (self.clock is None):
            raise ValueError("Milliseconds are measured by a clock, and a clock measures milliseconds.")
        given = self.simulations if self.milliseconds is None else self.milliseconds
        if given is not None and given <= 0:
            raise ValueError("A budget is more than nothing.")


DEFAULT_BUDGET = Budget()


class Chooser(Protocol):
    """An AI level."""

    def __call__(self, view: RoundView, rng: Random, budget: Budget) -> Action:
        """Return the action of the seat to act; raise `Refused` if the view belongs to another seat."""
        ...
