"""Liveness of workers and of the scheduler, which have no HTTP endpoint: they touch a file while they work.

The health checks in docker-compose.yml consider a process hung if its file (HAGGIS_ALIVE_FILE) is stale.
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
    """Touch the liveness file, if one is configured."""
    if _FILE:
        Path(_FILE).touch()


def touch_on_heartbeat() -> None:
    """Touch the file on every heartbeat of a worker, which its message loop sends."""
    signals.heartbeat_sent.connect(touch, dispatch_uid="haggis")


class LivenessScheduler(Scheduler):
    """A beat scheduler without a schedule file that touches the liveness file on each tick."""

    def tick(self, *args: Any, **options: Any) -> float:  # noqa: ANN401 -- Celery's signature
        """Send the due entries."""
        touch()
        return float(super().tick(*args, **options))

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:  # noqa: ANN401 -- the same
        """Send one entry; log one line if the broker is unavailable, since that fails every second."""
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except SchedulingError as error:
            log.warning(
                "could not send %s: the broker is unavailable (%s)",
                entry.name,
                type(error.__context__).__name__,
            )
