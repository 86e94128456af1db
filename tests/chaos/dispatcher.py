"""A process that sends webhooks, to be killed by tests. Its retries take seconds instead of minutes."""

import os
import sys
from datetime import timedelta
from time import sleep

import django
from django.conf import settings


def send_for_ever() -> None:
    """Send due deliveries in a loop."""
    # Services import models, which need a configured Django.
    from games.notifications import deliveries  # noqa: PLC0415
    from games.notifications.deliveries import dispatch  # noqa: PLC0415

    vars(deliveries)["LEASE"] = timedelta(seconds=2)
    retry_delay = timedelta(seconds=0.1)
    vars(deliveries).update(
        RETRY_DELAYS=(retry_delay,) * 50, INITIAL_BACKOFF=retry_delay, MAX_BACKOFF=retry_delay
    )
    while True:
        dispatch(seconds=5)
        sleep(0.05)


if __name__ == "__main__":
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 -- sys.path holds strings
    django.setup()
    assert settings.HAGGIS_WEBHOOKS_LOCAL
    send_for_ever()
