"""Track how much of a budget is spent, and how much the next batch of work may take."""

from typing import Final

from engine.ai.interface import Budget

# The most of a time budget that one batch may take, so that the deadline is not overshot.
MAX_TIME_PER_BATCH: Final = 0.08
# The number of worlds to weigh per simulation. Of a time budget, the fraction that may go into weighing, and
# the number of worlds between two looks at the clock.
WEIGHED_PER_TRY: Final = 0.4
MAX_TIME_WEIGHING: Final = 0.35
WEIGHED_AT_ONCE: Final = 16
# With less time nothing is weighed, since the first worlds would take too much of it.
LEAST_SECONDS_TO_WEIGH: Final = 0.06
# The most simulations within a time budget, however fast the machine is.
MAX_TRIES_IN_TIME: Final = 4_000
# The cost of a simulation depends on its steps, five to ten in most cases. A budget of simulations includes
# this many steps for each: with three players, where a seat waits long for its turn, single simulations took
# thirty.
STEPS_PER_TRY: Final = 10
MAX_BATCH: Final = 128


class Meter:
    """Counts simulations against a budget of simulations, or reads the clock against a budget of time."""

    def __init__(self, budget: Budget, *, default_tries: int) -> None:
        """Start counting; `default_tries` is the number of simulations if the budget sets none."""
        self.tries = 0
        self._steps = 0
        self._clock = budget.clock
        self._seconds = (budget.milliseconds or 0) / 1000
        self._tries_allowed = budget.simulations or default_tries
        self._started = 0.0 if budget.clock is None else budget.clock()

    def worlds_to_weigh(self, weighed: int) -> int:
        """Return how many more worlds may be weighed after `weighed`; weighing is part of the budget."""
        if self._clock is None:
            return int(self._tries_allowed * WEIGHED_PER_TRY) - weighed
        if self._seconds < LEAST_SECONDS_TO_WEIGH or self.spent >= MAX_TIME_WEIGHING:
            return 0
        return WEIGHED_AT_ONCE

    def count(self, tries: int, steps: int = 0) -> None:
        """Add simulations, and the steps they took together."""
        self.tries += tries
        self._steps += steps

    @property
    def spent(self) -> float:
        """The spent fraction of the budget; 1 or more when it is used up."""
        if self._clock is None:
            return max(self.tries, self._steps / STEPS_PER_TRY) / self._tries_allowed
        return max((self._clock() - self._started) / self._seconds, self.tries / MAX_TRIES_IN_TIME)

    def next_batch(self, until: float, plays: int) -> int:
        """Return in how many worlds to try the plays next, to spend `until` of the budget; 0 if it is spent.

        Time is spent as long as there is some, simulations only if there is one for each of the plays.
        """
        left = until - self.spent
        if left <= 0:
            return 0
        if self._clock is None:
            each = self.spent / self.tries if self.tries else 1 / self._tries_allowed
            return min(MAX_BATCH, round(left / each)) // plays
        if not self.tries:
            return 1
        each = max(self.spent / self.tries, 1e-9)
        return max(1, min(MAX_BATCH, int(min(left, MAX_TIME_PER_BATCH) / each)) // plays)
