"""A thread that empties the outbox: receivers may be slow, and nothing else of the process waits for them."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connections

POLL_SECONDS: Final = 0.5
DISPATCH_SECONDS: Final = 5.0
SECONDS_TO_STOP: Final = 1.0

logger = logging.getLogger("games.outbox")


@contextmanager
def run_outbox_thread() -> Iterator[None]:
    """Send what is due while the block runs. What is in hand at its end is sent again at the next start."""
    stop = threading.Event()
    thread = threading.Thread(target=_send_until_stopped, args=(stop,), name="outbox", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(SECONDS_TO_STOP)


def _send_until_stopped(stop: threading.Event) -> None:
    # Only now, since services need the models.
    from games.services.notices.sending import send_notices  # noqa: PLC0415
    from games.services.push.sending import send_pushes  # noqa: PLC0415
    from games.services.webhooks.claiming import let_go_of_all  # noqa: PLC0415
    from games.services.webhooks.dispatching import dispatch  # noqa: PLC0415

    held = True  # by a process that is no more
    while not stop.wait(POLL_SECONDS):
        try:
            if held:
                let_go_of_all()
                held = False
            dispatch(seconds=DISPATCH_SECONDS)
            send_notices()
            send_pushes()
        except Exception:  # whatever fails once, what is due later is sent all the same
            logger.exception("the outbox waits")
            connections.close_all()
