"""Threads of `manage.py serve` for slow work, which would block its only worker.

One sends webhooks, mails and push messages, one analyses matches, one replays large records and publishes the
records of finished matches, one writes files of the data set and archives of players.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from django.db import connections

POLL_SECONDS: Final = 0.5
DISPATCH_SECONDS: Final = 5.0
PLAN_SECONDS: Final = 600.0
STOP_TIMEOUT_SECONDS: Final = 1.0

logger = logging.getLogger("games.background")

Step = Callable[[], object]


@contextmanager
def run_background_threads() -> Iterator[None]:
    """Do the work that is due during the block; the next start repeats what was in progress at its end."""
    stop = threading.Event()
    threads = [
        threading.Thread(target=_repeat_until_stopped, args=(prepare(), name, stop), name=name, daemon=True)
        for name, prepare in (
            ("outbox", _outbox),
            ("analysis", _analysis),
            ("records", _records),
            ("exports", _exports),
        )
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join(STOP_TIMEOUT_SECONDS)


def _repeat_until_stopped(step: Step, name: str, stop: threading.Event) -> None:
    while not stop.wait(POLL_SECONDS):
        try:
            step()
        except Exception:  # one failure must not stop later work
            logger.exception("the thread %s failed; retrying", name)
            connections.close_all()


def _outbox() -> Step:
    """Return the step that sends due messages; its first call releases the claims of the previous process."""
    # Services import models, which need a configured Django.
    from games.notifications.deliveries import dispatch, release_all  # noqa: PLC0415
    from games.notifications.mail import send_due_mails  # noqa: PLC0415
    from games.notifications.push import send_due_pushes  # noqa: PLC0415

    claimed = True

    def send() -> None:
        nonlocal claimed
        if claimed:
            release_all()
            claimed = False
        dispatch(seconds=DISPATCH_SECONDS)
        send_due_mails()
        send_due_pushes()

    return send


def _analysis() -> Step:
    """Return the step that analyses one chunk."""
    from games.ai.analysis import analyse_next_chunk  # noqa: PLC0415 -- as above

    return analyse_next_chunk


def _records() -> Step:
    """Return the step that replays one large record, in a process of its own, and publishes a few records."""
    from games.records.publication import publish_finished_matches  # noqa: PLC0415 -- as above
    from games.records.replays import verify_next_record  # noqa: PLC0415 -- as above

    def replay_and_publish() -> None:
        verify_next_record()
        publish_finished_matches()

    return replay_and_publish


def _exports() -> Step:
    """Return the step that writes a file of the data set or an archive; it plans them every ten minutes."""
    from games.privacy.tasks import maintain_exports, write_exports  # noqa: PLC0415 -- as above

    planned_at = -PLAN_SECONDS

    def plan_and_write() -> None:
        nonlocal planned_at
        if monotonic() - planned_at >= PLAN_SECONDS:
            planned_at = monotonic()
            maintain_exports()
        write_exports()

    return plan_and_write
