"""The Celery task of the statistics."""

from time import monotonic
from typing import Final

from celery import shared_task

from games.statistics.services import count_finished_matches

# Short, because other tasks of the queue wait; the schedule starts it again.
MAX_TASK_SECONDS: Final = 1.0


@shared_task(name="games.tasks.statistics.count_matches")
def count_matches() -> None:
    """Count finished matches in the statistics, a batch after another."""
    stop_at = monotonic() + MAX_TASK_SECONDS
    while count_finished_matches() and monotonic() < stop_at:
        pass
