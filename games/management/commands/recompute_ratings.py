"""`manage.py recompute_ratings`: compute all ratings again from the logs."""

from typing import Any

from games.management.base import LongRunningCommand
from games.ratings.recomputation import recompute_ratings


class Command(LongRunningCommand):
    """Compute the ratings of every pool from nothing and replace those that differ."""

    help = "Compute all ratings again from the logs of rated matches, and swap the numbers in."

    def handle(self, *_: Any, **_options: Any) -> None:  # noqa: ANN401 -- Django's own
        """Recompute the ratings and report the counts."""
        for pool, result in recompute_ratings().items():
            self.stdout.write(
                f"{pool.kind} {pool.name}: {result.matches} matches, {result.players} players, "
                f"{result.changed} replaced."
            )
