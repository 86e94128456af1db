"""Limit how often a fault is logged: an outage of an hour must not fill a disk.

The first line of a fault is written at once. Then it is written again after ten seconds, and while it goes on
at growing intervals, each time with the number of lines that were suppressed in between.
"""

import logging
import re
import threading
import time
import traceback
from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import Any, Final

from structlog.contextvars import get_contextvars

from haggis_service.telemetry.log_formatters import one_line

FIRST_INTERVAL_SECONDS: Final = 10.0
MAX_INTERVAL_SECONDS: Final = 600.0
# Faults that are remembered; beyond that the one that was logged least recently is forgotten.
MAX_FAULTS: Final = 256
# The most lines a minute for all faults together, for faults that differ in each line.
MAX_LINES_A_MINUTE: Final = 120
_MAX_TEMPLATE: Final = 120
_NUMBER: Final = re.compile(r"\d+")

Fault = tuple[Any, ...]


@dataclass(slots=True)
class FaultState:
    """When a fault may be logged again, at which interval, and how many lines were suppressed since."""

    next_at: float
    interval: float
    suppressed: int = 0


class FaultLimiter(logging.Filter):
    """Lets each warning and error pass once in an interval. It is for one handler of one process."""

    def __init__(self) -> None:
        super().__init__()
        self._faults: OrderedDict[Fault, FaultState] = OrderedDict()
        self._lock = threading.Lock()
        self._minute, self._lines, self._dropped = 0, 0, 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is written; add the number of suppressed ones to it."""
        if record.levelno < logging.WARNING:
            return True
        with self._lock:
            return self._may_pass(record, fault_of(record), time.monotonic())

    def _may_pass(self, record: logging.LogRecord, fault: Fault, now: float) -> bool:
        state = self._faults.get(fault)
        if state is not None and now < state.next_at:
            state.suppressed += 1
            return False
        interval = FIRST_INTERVAL_SECONDS
        # A fault goes on if it has occurred since the last line, or right after the interval.
        if state is not None and (state.suppressed or now < state.next_at + state.interval):
            interval = min(2 * state.interval, MAX_INTERVAL_SECONDS)
        if not self._is_within_budget(int(now // 60)):
            self._dropped += 1
            return False
        suppressed = self._dropped + (0 if state is None else state.suppressed)
        if suppressed:
            record.suppressed = suppressed
        self._dropped = 0
        self._faults[fault] = FaultState(now + interval, interval)
        self._faults.move_to_end(fault)
        while len(self._faults) > MAX_FAULTS:
            self._faults.popitem(last=False)
        return True

    def _is_within_budget(self, minute: int) -> bool:
        if minute != self._minute:
            self._minute, self._lines = minute, 0
        self._lines += 1
        return self._lines <= MAX_LINES_A_MINUTE


class ExceptionsOnly(logging.Filter):
    """Lets records with an exception pass."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record has an exception."""
        return bool(record.exc_info)


def fault_of(record: logging.LogRecord) -> Fault:
    """Return what identifies the fault: where it was logged and raised, and nothing of a single request.

    The message of an exception is left out of a log message that contains it: with a different `Host` in each
    request, a client could otherwise use up the lines of all other faults. A record without its exception may
    have the class and the place as `raised` (`games.core.errors.raised`).
    """
    error = record.exc_info[1] if record.exc_info else None
    template = _NUMBER.sub("0", one_line(str(record.msg), error).partition(" | ")[0])[:_MAX_TEMPLATE]
    request = tuple(record.__dict__.get(name) for name in ("route", "status", "state", "raised"))
    task = get_contextvars().get("task")
    return (record.name, record.levelno, template, request, task, *_raised(error))


def _raised(error: BaseException | None) -> Fault:
    """Return the class of an exception and the line of code that raised it."""
    if error is None:
        return ()
    frames = deque(traceback.walk_tb(error.__traceback__), maxlen=1)
    return (type(error), *((frame.f_code, number) for frame, number in frames))
