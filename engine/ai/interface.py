"""What every level of play is: a function from what a seat may see to what it does.

A level is given a view and nothing else of the round, so it cannot know hidden cards. What chance and time it
may use are arguments too: the same view, the same state of `rng` and the same budget of simulations give the
same choice. A level asked while bets are open may bet first; it is then asked again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol

from engine.rounds.actions import Action
from engine.views.round_view import RoundView


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How much thought a choice may cost: so many simulations, or milliseconds by the clock that comes along.

    With neither a level thinks as much as it is made for. Levels that do not search ignore their budget.
    `clock` gives seconds, like `time.monotonic`: the engine reads no clock of its own.

    >>> Budget(simulations=100).milliseconds is None
    True
    """

    simulations: int | None = None
    milliseconds: float | None = None
    clock: Callable[[], float] | None = None

    def __post_init__(self) -> None:
        """Budgets are set by programs: one that makes no sense is a fault in the program."""
        if self.simulations is not None and self.milliseconds is not None:
            raise ValueError("A budget is simulations or milliseconds, not both.")
        if (self.milliseconds is None) != (self.clock is None):
            raise ValueError("Milliseconds are measured by a clock, and a clock measures milliseconds.")
        given = self.simulations if self.milliseconds is None else self.milliseconds
        if given is not None and given <= 0:
            raise ValueError("A budget is more than nothing.")


AS_MADE = Budget()


class Chooser(Protocol):
    """A level of play."""

    def __call__(self, view: RoundView, rng: Random, budget: Budget) -> Action:
        """What the seat to act does; `Refused` where the view is not that of the seat to act."""
        ...
