"""Compute ratings match after match, without a database: the same matches give the same numbers."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from typing import Final, NamedTuple

from games.ratings.outcomes import Outcome
from games.ratings.rating import Rating, rate
from games.ratings.skill import Skill, update_skills

# Of one pair of players so many matches count in a period of this length.
MOST_SAME_OPPONENTS: Final = 5
SAME_OPPONENTS_PERIOD: Final = timedelta(days=7)
# What the leaderboard requires.
RANKED_OPPONENTS: Final = 10
RANKED_PERIOD: Final = timedelta(days=90)

_DAY: Final = timedelta(days=1)


class Standing(NamedTuple):
    """What is known of a player in a pool after their last match there, which ended at `at`.

    `opponents` are the first different opponents, at most `RANKED_OPPONENTS`.
    """

    rating: Rating = Rating()
    skill: Skill = Skill()
    matches: int = 0
    won: int = 0
    opponents: tuple[int, ...] = ()
    at: datetime | None = None

    def days_until(self, now: datetime) -> float:
        """Return the days from the last match until a time."""
        return 0.0 if self.at is None else max((now - self.at) / _DAY, 0.0)

    @property
    def settled_until(self) -> datetime | None:
        """Until when the rating is settled without another match: the end of the last one if it is not."""
        return None if self.at is None else self.at + timedelta(days=self.rating.days_until_provisional())

    @property
    def ranked_until(self) -> datetime | None:
        """Until when the player is on the leaderboard without another match; `None` if not at all."""
        if self.at is None or self.rating.provisional or len(self.opponents) < RANKED_OPPONENTS:
            return None
        return self.at + min(RANKED_PERIOD, timedelta(days=self.rating.days_until_provisional()))


def standings_after(outcome: Outcome, before: Sequence[Standing]) -> list[Standing]:
    """Return the standings of the players of a match after it, in the order of its seats."""
    away = [each.days_until(outcome.at) for each in before]
    ratings = rate(
        [each.rating.after_days(days) for each, days in zip(before, away, strict=True)],
        [seat.place for seat in outcome.seats],
    )
    skills = update_skills(
        [each.skill.after_days(days) for each, days in zip(before, away, strict=True)],
        [seat.points for seat in outcome.seats],
        outcome.rounds,
    )
    players = [seat.player for seat in outcome.seats]
    return [
        Standing(
            rating,
            skill,
            each.matches + 1,
            each.won + (seat.place == 1),
            _with_opponents(each.opponents, [other for other in players if other != seat.player]),
            outcome.at if each.at is None else max(each.at, outcome.at),
        )
        for each, seat, rating, skill in zip(before, outcome.seats, ratings, skills, strict=True)
    ]


def _with_opponents(known: tuple[int, ...], others: Sequence[int]) -> tuple[int, ...]:
    new = [other for other in others if other not in known]
    return (*known, *new)[:RANKED_OPPONENTS]


class RecentMatches:
    """The ends of counted matches of each pair of players, to limit how often the same pair counts."""

    def __init__(self) -> None:
        """Start without matches."""
        self._ends: defaultdict[tuple[int, int], list[datetime]] = defaultdict(list)

    def add(self, players: Sequence[int], at: datetime) -> None:
        """Add a match that counts."""
        for pair in _pairs(players):
            self._ends[pair] = sorted([*self._ends[pair], at])[-MOST_SAME_OPPONENTS:]

    def has_too_many(self, outcome: Outcome) -> bool:
        """Return whether a pair of players of this match has had as many matches as may count."""
        since = outcome.at - SAME_OPPONENTS_PERIOD
        for pair in _pairs([seat.player for seat in outcome.seats]):
            recent = [at for at in self._ends.get(pair, ()) if at > since]
            if len(recent) >= MOST_SAME_OPPONENTS:
                return True
        return False


def _pairs(players: Sequence[int]) -> Iterator[tuple[int, int]]:
    return combinations(sorted(players), 2)
