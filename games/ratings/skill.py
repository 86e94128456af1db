"""Skill: the points a round by which a player is ahead of the field.

The model: in a round seat i scores c + x_i + e_i points. x_i is the skill, e_i is chance with a known
deviation, and c is unknown and has no prior, so that only differences between the seats count. Both x
and e are normal. A match gives one joint update from the means over its scored rounds; the covariances
that it creates between its players are dropped, so every player has a mean and a variance.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

# Standard deviation of the points of a seat in a round around its skill, by the number of players.
NOISE: Final[Mapping[int, float]] = {2: 44.0, 3: 38.0}
PRIOR_VARIANCE: Final = 15.0**2
# What a day adds to the variance.
VARIANCE_GROWTH: Final = 0.1
# Half of the interval that contains 95 % of a normal distribution, in standard deviations.
INTERVAL: Final = 1.96


class Skill(NamedTuple):
    """The distribution of a player's skill in points a round, and the rounds that it is based on."""

    mean: float = 0.0
    variance: float = PRIOR_VARIANCE
    rounds: int = 0

    @property
    def interval(self) -> float:
        """Half of the 95 % interval."""
        return INTERVAL * math.sqrt(self.variance)

    def after_days(self, days: float) -> "Skill":
        """Return the skill after these days, which make it less certain.

        >>> Skill(3.0, 25.0, 80).after_days(30.0)
        Skill(mean=3.0, variance=28.0, rounds=80)
        """
        return self._replace(variance=self.variance + VARIANCE_GROWTH * max(days, 0.0))


def update_skills(skills: Sequence[Skill], totals: Sequence[float], rounds: int) -> list[Skill]:
    """Return the skills of the players of a match after it.

    `totals` are the points of each seat over the scored rounds. Without a scored round nothing changes.

    >>> winner, loser = update_skills([Skill(), Skill()], [250, 130], 8)
    >>> round(winner.mean, 2), round(loser.mean, 2), round(winner.interval, 1), winner.rounds
    (3.61, -3.61, 25.6, 8)
    """
    if not rounds:
        return list(skills)
    noise = NOISE[len(skills)] ** 2 / rounds
    surprises = [total / rounds - each.mean for total, each in zip(totals, skills, strict=True)]
    weights = [1 / (each.variance + noise) for each in skills]
    whole = sum(weights)
    level = sum(weight * surprise for weight, surprise in zip(weights, surprises, strict=True)) / whole
    return [
        Skill(
            each.mean + each.variance * weight * (surprise - level),
            each.variance - each.variance**2 * (weight - weight**2 / whole),
            each.rounds + rounds,
        )
        for each, surprise, weight in zip(skills, surprises, weights, strict=True)
    ]
