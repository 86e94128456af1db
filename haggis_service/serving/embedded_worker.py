"""A Celery worker, the scheduler and background work as threads of the web server, with an in-memory broker.

Nothing is lost when the process dies with its queue: the sweep finds all due work in the database.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from celery import Celery
from celery.beat import Service
from celery.worker import WorkController, state

from haggis_service.serving.background_threads import run_background_threads

STOP_TIMEOUT_SECONDS: Final = 2.5


@contextmanager
def run_worker_and_beat(app: Celery) -> Iterator[None]:
    """Run a worker and the scheduler during the block."""
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
        with run_background_threads():
            yield
    finally:
        beat.stop()
        _stop(app, worker_thread)


def _stop(app: Celery, worker_thread: threading.Thread) -> None:
    """Stop the worker after its current task.

    The worker waits up to two seconds for a message, and once more after it has noticed that it should stop.
    A message ends each of these waits.
    """
    state.should_stop = 0  # type: ignore[assignment]  # Celery takes an exit code here
    for _ in range(2):
        app.send_task("games.tasks.sweeping.sweep", expires=1.0)
    worker_thread.join(STOP_TIMEOUT_SECONDS)
    state.should_stop = None
