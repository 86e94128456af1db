"""The work of a sweep on the clocks of all matches, in the order that it has to be done."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from games.clock import reminders, timeouts
from games.clock.outages import extend_deadlines_after_outages, record_heartbeat
from games.clock.queries import DueWork, find_due_work
from games.clock.vacations import clear_past_vacations

# How long a sweep does one kind of work before it turns to the next.
MAX_STEP_SECONDS: Final = 5.0


def process_due_clocks() -> DueWork:
    """Write the heartbeat and process due vacations, outages, deadlines, pauses and reminders.

    No turn times out before all deadlines are extended that were running during an outage. The returned value
    tells the caller what was due, including work that belongs to others.
    """
    due = find_due_work()
    if due.beat:
        record_heartbeat()
        due = find_due_work()
    if due.vacations:
        clear_past_vacations()
    if not due.outages or not _repeat_until_done(extend_deadlines_after_outages):
        _process_deadlines(due)
    return due


def _process_deadlines(due: DueWork) -> None:
    """Process expired deadlines and pauses, and write reminders."""
    if due.deadlines:
        _repeat_until_done(lambda: timeouts.time_out_due_turns() == timeouts.BATCH_SIZE)
    if due.pauses:
        _repeat_until_done(lambda: timeouts.end_due_pauses() == timeouts.BATCH_SIZE)
    if due.reminders:
        _repeat_until_done(lambda: reminders.write_due_reminders() == reminders.BATCH_SIZE)


def _repeat_until_done(process_batch: Callable[[], bool]) -> bool:
    """Process batches until none is left or the time is up; return True if work is left."""
    stop_at = monotonic() + MAX_STEP_SECONDS
    while process_batch():
        if monotonic() > stop_at:
            return True
    return False
