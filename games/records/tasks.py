"""Celery tasks of the queue `records`."""

from time import monotonic
from typing import Final

from celery import shared_task
from django.utils import timezone

from games.records.publication import publish_finished_matches
from games.records.replays import delete_old_verifications, verify_next_record

# A record takes up to 40 s, and a task up to 60.
MAX_TASK_SECONDS: Final = 15.0


@shared_task(name="games.tasks.records.verify_records")
def verify_records() -> None:
    """Replay the records that are due, one after another."""
    stop_at = monotonic() + MAX_TASK_SECONDS
    while verify_next_record() and monotonic() < stop_at:
        pass


@shared_task(name="games.tasks.records.publish_records")
def publish_records() -> None:
    """Publish the records of finished matches, a batch after another."""
    stop_at = monotonic() + MAX_TASK_SECONDS
    while publish_finished_matches() and monotonic() < stop_at:
        pass


@shared_task(name="games.tasks.tidying.forget_verifications")
def delete_verifications() -> None:
    """Delete expired verifications of records."""
    delete_old_verifications(now=timezone.now())
