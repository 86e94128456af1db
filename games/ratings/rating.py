"""Ratings by the places in a match, with the Plackett-Luce model of openskill.

Only places count. The library can weigh scores as well, but its margins reward an underdog who wins by
5 points more than one who wins by 250. Gamma is 1, because with the default of the library the
deviation needs more than twice as many matches to shrink, without being more honest.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

MU: Final = 25.0
SIGMA: Final = 25.0 / 3.0
BETA: Final = 25.0 / 6.0
TAU: Final = 25.0 / 300.0
# Points of a published rating for one of the library.
SCALE: Final = 60
# What a day without a rated match adds to the square of the published deviation.
DEVIATION_GROWTH: Final = 40.0
# A rating with a greater deviation is provisional.
SETTLED_DEVIATION: Final = 250


class Rating(NamedTuple):
    """A rating as the library has it: the mean and the standard deviation of a normal distribution."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def rating(self) -> int:
        """The published rating, 1500 at the start."""
        return round(SCALE * self.mu)

    @property
    def deviation(self) -> int:
        """The published deviation, 500 at the start."""
        return round(SCALE * self.sigma)

    @property
    def provisional(self) -> bool:
        """Whether the rating is still too uncertain to be ranked."""
        return self.deviation > SETTLED_DEVIATION

    def after_days(self, days: float) -> "Rating":
        """Return the rating after days without a rated match, which make it less certain.

        >>> Rating(25.0, 2.5).after_days(100.0).deviation, Rating(25.0, 2.5).after_days(10_000.0).deviation
        (163, 500)
        """
        variance = self.sigma**2 + DEVIATION_GROWTH * max(days, 0.0) / SCALE**2
        return Rating(self.mu, max(self.sigma, min(math.sqrt(variance), SIGMA)))

    def days_until_provisional(self) -> float:
        """Return after how many days without a rated match the rating becomes provisional; 0 if it is.

        >>> round(Rating(25.0, 2.5).days_until_provisional())
        1006
        """
        # The published deviation is rounded half to even, so 250.5 is not provisional yet.
        left = (SETTLED_DEVIATION + 0.5) ** 2 - (SCALE * self.sigma) ** 2
        return max(left / DEVIATION_GROWTH, 0.0)


def _constant_gamma(*_: object) -> float:
    return 1.0


_MODEL: Final = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU, gamma=_constant_gamma)


def rate(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Return the ratings of the players of a match after it, by their places; equal places are a tie.

    >>> [each.rating for each in rate([Rating(), Rating()], [1, 2])]
    [1658, 1342]
    >>> [each.rating for each in rate([Rating(), Rating(), Rating()], [1, 1, 3])]
    [1543, 1543, 1414]
    """
    teams = [[_MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in ratings]
    rated = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [Rating(player.mu, player.sigma) for (player,) in rated]
