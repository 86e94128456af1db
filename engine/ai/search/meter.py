"""A budget as it is spent: how much of it is gone, and how much the next piece of work may take."""

from typing import Final

from engine.ai.interface import Budget

# A piece of work is at most this part of a budget of time, so that the end is not overshot.
PIECE_OF_TIME: Final = 0.08
# For each simulation so many worlds are weighed. Of a budget of time this part may go into weighing, so many
# worlds between two looks at the clock.
WEIGHED_A_TRY: Final = 0.4
TIME_TO_WEIGH: Final = 0.35
WEIGHED_AT_ONCE: Final = 16
# With less time nothing is weighed: the first worlds would take too much of it.
LEAST_SECONDS_TO_WEIGH: Final = 0.06
# However fast the machine, no more simulations than these are made in a budget of time.
MOST_IN_TIME: Final = 4_000
# Tries are cheap or dear by the steps they take, most of them five to ten. A budget of simulations buys so
# many steps for each: with three players, where a seat waits long for its turn, single tries took thirty.
STEPS_A_TRY: Final = 10
LARGEST_PIECE: Final = 128


class Meter:
    """Counts simulations against a budget of simulations, or reads the clock against one of time."""

    def __init__(self, budget: Budget, *, as_made: int) -> None:
        """Start counting; `as_made` are the simulations of a budget that does not say."""
        self.tries = 0
        self._steps = 0
        self._clock = budget.clock
        self._seconds = (budget.milliseconds or 0) / 1000
        self._tries_wanted = budget.simulations or as_made
        self._started = 0.0 if budget.clock is None else budget.clock()

    def worlds_to_weigh(self, weighed: int) -> int:
        """How many more worlds may be weighed now that so many are: it takes its part of a budget too."""
        if self._clock is None:
            return int(self._tries_wanted * WEIGHED_A_TRY) - weighed
        if self._seconds < LEAST_SECONDS_TO_WEIGH or self.spent >= TIME_TO_WEIGH:
            return 0
        return WEIGHED_AT_ONCE

    def count(self, tries: int, steps: int = 0) -> None:
        """So many simulations were made, of so many steps together."""
        self.tries += tries
        self._steps += steps

    @property
    def spent(self) -> float:
        """Which part of the budget is gone; 1 or more when it is used up."""
        if self._clock is None:
            return max(self.tries, self._steps / STEPS_A_TRY) / self._tries_wanted
        return max((self._clock() - self._started) / self._seconds, self.tries / MOST_IN_TIME)

    def next_piece(self, until: float, plays: int) -> int:
        """In how many worlds to try so many plays next, if this part of the budget may be spent; 0: it is.

        Time is spent as long as there is some, simulations only where there is one for each of the plays.
        """
        left = until - self.spent
        if left <= 0:
            return 0
        if self._clock is None:
            each = self.spent / self.tries if self.tries else 1 / self._tries_wanted
            return min(LARGEST_PIECE, round(left / each)) // plays
        if not self.tries:
            return 1
        each = max(self.spent / self.tries, 1e-9)
        return max(1, min(LARGEST_PIECE, int(min(left, PIECE_OF_TIME) / each)) // plays)
