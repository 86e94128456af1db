"""Celery tasks of the ratings."""

from time import monotonic
from typing import Final

from celery import shared_task

from games.ratings.rater import measure_pools, rate_finished_matches

# Short, because other tasks of the queue wait; the schedule starts it again.
MAX_TASK_SECONDS: Final = 1.0


@shared_task(name="games.tasks.ratings.rate_matches")
def rate_matches() -> None:
    """Rate finished matches, a batch after another."""
    stop_at = monotonic() + MAX_TASK_SECONDS
    while rate_finished_matches() and monotonic() < stop_at:
        pass


@shared_task(name="games.tasks.ratings.measure_pools")
def measure_rating_pools() -> None:
    """Measure the skill of the settled players of each pool."""
    measure_pools()
