"""A thread that sends webhooks, mails and push messages, so that slow receivers block nothing else."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connections

POLL_SECONDS: Final = 0.5
DISPATCH_SECONDS: Final = 5.0
STOP_TIMEOUT_SECONDS: Final = 1.0

logger = logging.getLogger("games.outbox")


@contextmanager
def run_outbox_thread() -> Iterator[None]:
    """Send what is due during the block; the next start resends what was in progress at its end."""
    stop = threading.Event()
    thread = threading.Thread(target=_send_until_stopped, args=(stop,), name="outbox", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(STOP_TIMEOUT_SECONDS)


def _send_until_stopped(stop: threading.Event) -> None:
    # Services import models, which need a configured Django.
    from games.notifications.deliveries import dispatch, release_all  # noqa: PLC0415
    from games.notifications.mail import send_due_mails  # noqa: PLC0415
    from games.notifications.push import send_due_pushes  # noqa: PLC0415

    claimed = True  # by a process that has ended
    while not stop.wait(POLL_SECONDS):
        try:
            if claimed:
                release_all()
                claimed = False
            dispatch(seconds=DISPATCH_SECONDS)
            send_due_mails()
            send_due_pushes()
        except Exception:  # one failure must not stop later deliveries
            logger.exception("sending the outbox failed; retrying")
            connections.close_all()
