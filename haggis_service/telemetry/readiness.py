"""Readiness: the database and the broker answer, and turns are handled in time."""

from typing import Any, Final

from django.db import DatabaseError
from kombu.exceptions import KombuError, OperationalError
from redis.exceptions import RedisError

from games.core.queues import queue_length, short_timeout_connection
from games.operators.queries import Backlog, overdue_turns, seconds_since_heartbeat, waiting_turns

Report = dict[str, Any]

QUEUES: Final = ("default", "ai", "analysis", "outbox", "records", "exports")
# Turns in matches with people are handled within seconds. One that has waited this long means that no worker
# handles them. Turns between AIs may wait on purpose.
MAX_DELAY_SECONDS: Final = 60.0


def readiness() -> tuple[bool, Report]:
    """Return whether the service is ready, with a report of the queue, the database and the clock."""
    report: Report = {"queue": queue_report(), **_database_and_clock()}
    reasons = [f"{name}: {part['reason']}" for name, part in report.items() if not part["ok"]]
    status: Report = {"status": "unready" if reasons else "ready"}
    if reasons:
        status["reasons"] = sorted(reasons)
    return not reasons, status | report


def _database_and_clock() -> Report:
    try:
        late, waiting, silence = overdue_turns(), waiting_turns(), seconds_since_heartbeat()
    except DatabaseError as error:
        unknown = {"ok": False, "reason": "unknown without the database"}
        return {"database": {"ok": False, "reason": type(error).__name__}, "clock": unknown}
    return {"database": {"ok": True}, "clock": _clock(late, waiting, silence)}


def _clock(late: Backlog, waiting: Backlog, silence: float | None) -> Report:
    numbers = {
        "overdue_turns": late.count,
        "oldest_seconds": late.oldest_seconds,
        "waiting_turns": waiting.count,
        "oldest_waiting_seconds": waiting.oldest_seconds,
        "silent_seconds": silence,
    }
    if silence is None or silence > MAX_DELAY_SECONDS:
        reason = (
            "the sweep has never run" if silence is None else f"the sweep has not run for {silence:.0f} s"
        )
        return {"ok": False, "reason": reason, **numbers}
    oldest = max(late.oldest_seconds, waiting.oldest_seconds)
    if oldest > MAX_DELAY_SECONDS:
        return {"ok": False, "reason": f"a turn is {oldest:.0f} s overdue", **numbers}
    return {"ok": True, **numbers}


def queue_report() -> Report:
    """Report whether the broker answers soon and how many messages wait in each queue."""
    try:
        with short_timeout_connection(None) as connection:
            channel = connection.default_channel
            waiting = {name: queue_length(channel, name) for name in QUEUES}
    except (OperationalError, KombuError, RedisError, OSError) as error:
        return {"ok": False, "reason": f"the broker does not answer ({type(error).__name__})"}
    return {"ok": True, "waiting": waiting}
