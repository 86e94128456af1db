"""A thread that empties the outbox: receivers may be slow, and nothing else of the process waits for them."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connections

SECONDS_BETWEEN_LOOKS: Final = 0.5
SECONDS_IN_A_ROW: Final = 5.0
SECONDS_TO_STOP: Final = 1.0

logger = logging.getLogger("games.outbox")


@contextmanager
def outbox_emptied() -> Iterator[None]:
    """Send what is due while the block runs. What is in hand at its end is sent again at the next start."""
    stopping = threading.Event()
    sending = threading.Thread(target=_send, args=(stopping,), name="outbox", daemon=True)
    sending.start()
    try:
        yield
    finally:
        stopping.set()
        sending.join(SECONDS_TO_STOP)


def _send(stopping: threading.Event) -> None:
    # Only now, since services need the models.
    from games.services.notices.sending import send_notices  # noqa: PLC0415
    from games.services.push.sending import send_pushes  # noqa: PLC0415
    from games.services.webhooks.claiming import let_go_of_all  # noqa: PLC0415
    from games.services.webhooks.dispatching import dispatch  # noqa: PLC0415

    held = True  # by a process that is no more
    while not stopping.wait(SECONDS_BETWEEN_LOOKS):
        try:
            if held:
                let_go_of_all()
                held = False
            dispatch(seconds=SECONDS_IN_A_ROW)
            send_notices()
            send_pushes()
        except Exception:  # whatever fails once, what is due later is sent all the same
            logger.exception("the outbox waits")
            connections.close_all()
