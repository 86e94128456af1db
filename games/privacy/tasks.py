"""Celery tasks of the queue `exports`: archives of players, and files of the data set."""

from celery import shared_task
from django.utils import timezone

from games.privacy.exports import delete_old_exports, write_next_personal_export
from games.records.exports import plan_exports, write_next_export

# A month takes minutes; the other tasks of a worker take seconds.
SOFT_TIME_LIMIT_SECONDS = 1500
TIME_LIMIT_SECONDS = 1560


@shared_task(
    name="games.tasks.exports.write_exports",
    acks_late=False,
    soft_time_limit=SOFT_TIME_LIMIT_SECONDS,
    time_limit=TIME_LIMIT_SECONDS,
)
def write_exports() -> None:
    """Write the archives that players wait for, then one file of the data set.

    The message is acknowledged first: the broker would redeliver it before the file is finished.
    """
    while write_next_personal_export():
        pass
    write_next_export()


@shared_task(name="games.tasks.exports.maintain_exports")
def maintain_exports() -> None:
    """Plan the files of the data set, and delete archives that have expired."""
    now = timezone.now()
    plan_exports(now=now)
    delete_old_exports(now=now)
