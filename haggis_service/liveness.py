"""Workers and clocks have no address to ask: as long as they work they touch a file, if they are given one.

What looks after them (docker-compose.yml) takes a file that was not touched for a while as the sign of a
process that hangs.
"""

import logging
import os
from pathlib import Path
from typing import Any

from celery import signals
from celery.beat import ScheduleEntry, Scheduler, SchedulingError

log = logging.getLogger(__name__)

_FILE = os.environ.get("HAGGIS_ALIVE_FILE", "")


def touch(**_: object) -> None:
    """Say that the process works."""
    if _FILE:
        Path(_FILE).touch()


def touch_on_heartbeat() -> None:
    """Have a worker do so with every heartbeat, which comes from the loop that takes messages."""
    signals.heartbeat_sent.connect(touch, dispatch_uid="haggis")


class LivenessScheduler(Scheduler):
    """The schedule that is code, with a sign of life at each look at it."""

    def tick(self, *args: Any, **options: Any) -> float:  # noqa: ANN401 -- Celery's own
        """Send what is due."""
        touch()
        return float(super().tick(*args, **options))

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:  # noqa: ANN401 -- the same
        """Send one line of the schedule. While the broker is away that fails each second, in one way."""
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except SchedulingError as error:
            log.warning("%s could not be sent (%s)", entry.name, type(error.__context__).__name__)
