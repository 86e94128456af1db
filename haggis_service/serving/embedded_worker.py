"""A worker, a clock and a sender of webhooks as threads of the server's process, with a broker in its memory.

The queue dies with the process, and nothing with it: the sweep finds in the database whatever is due.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from celery import Celery
from celery.beat import Service
from celery.worker import WorkController, state

from haggis_service.serving.outbox_thread import run_outbox_thread

SECONDS_TO_STOP: Final = 2.5


@contextmanager
def run_worker_and_beat(app: Celery) -> Iterator[None]:
    """Work off the queues and keep the schedule while the block runs."""
    worker = WorkController(
        app=app,
        hostname="embedded@localhost",
        pool_cls="solo",
        concurrency=1,
        queues=["default", "ai"],
        without_heartbeat=True,
        without_mingle=True,
        without_gossip=True,
    )
    beat = Service(app, scheduler_cls=app.conf.beat_scheduler)
    worker_thread = threading.Thread(target=worker.start, name="worker", daemon=True)
    beat_thread = threading.Thread(target=beat.start, name="clock", daemon=True)
    worker_thread.start()
    beat_thread.start()
    try:
        with run_outbox_thread():
            yield
    finally:
        beat.stop()
        _stop(app, worker_thread)


def _stop(app: Celery, worker_thread: threading.Thread) -> None:
    """Let the task in hand be finished.

    The worker waits up to two seconds for a message, and once more when it has noticed that it is to stop.
    Any message ends such a wait.
    """
    state.should_stop = 0  # type: ignore[assignment]  # an exit code, as Celery has it
    for _ in range(2):
        app.send_task("games.tasks.sweeping.sweep", expires=1.0)
    worker_thread.join(SECONDS_TO_STOP)
    state.should_stop = None
