"""Events that change how long a turn lasts, and nothing on the table."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from games.models import EventType, MatchStatus, Seat, Snapshot
from games.selectors.matches import MatchRow
from games.services.clock.timing import Timing, clock_runs_from, fresh_deadline, timing_by
from games.services.event_write import EventWrite
from games.services.events import log_entry, write_entry
from games.times import rfc3339, to_the_millisecond

Form = dict[str, Any]


def write_turn_event(
    row: MatchRow,
    event: EventType,
    timing: Timing,
    *,
    by: str,
    seat: int | None = None,
    said: Mapping[str, Any] | None = None,
) -> EventWrite:
    """The write of an event after which the match waits for what `timing` says."""
    entry = log_entry(
        row, event, by=by, seat=seat, said=said, following=row.table(), deadline=timing.deadline
    )
    write = write_entry(row, entry, in_time=False)
    write.update(Snapshot, {"match": row.match.pk}, version=row.match.version + 1)
    write.changes |= {"attempts": 0, **timing.columns}
    return write


def same_timing(row: MatchRow) -> Timing:
    """The timing as it is: of a match in which an event changes nothing about the turn."""
    return Timing(row.match.deadline, row.match.remind_at, row.match.wake_at)


def write_extension(
    row: MatchRow, length: timedelta, *, by: str, said: Mapping[str, Any] | None = None
) -> EventWrite:
    """The write of a running deadline moved by so much; a vacation that ends early moves it back."""
    deadline = None if row.match.deadline is None else row.match.deadline + _told(length)
    timing = timing_by(row, row.table(), deadline)
    return write_turn_event(row, EventType.EXTENDED, timing, by=by, seat=row.match.to_act, said=said)


def _told(length: timedelta) -> timedelta:
    return timedelta(milliseconds=length // timedelta(milliseconds=1))


def write_pause(row: MatchRow, *, by: str, seat: int | None, longest: timedelta, said: Form) -> EventWrite:
    """The write of a pause, at most so long. What is left of the turn is kept, in the log too."""
    now = to_the_millisecond(row.now)
    until, left = now + longest, _left_of_the_turn(row)
    row.match.status = MatchStatus.PAUSED
    write = write_turn_event(
        row,
        EventType.PAUSED,
        Timing(),
        by=by,
        seat=seat,
        said={"until": rfc3339(until), "turn_left_ms": left, **said},
    )
    write.changes |= {
        "status": MatchStatus.PAUSED,
        "paused_at": now,
        "paused_until": until,
        "turn_left_ms": left,
    }
    write.update(Seat, {"match": row.match.pk}, asks="")
    return write


def _left_of_the_turn(row: MatchRow) -> int | None:
    """What is left of the running turn, in milliseconds; a vacation does not count for it."""
    if row.match.deadline is None:
        return None
    begins = clock_runs_from(row, row.seats[row.match.to_act or 0])
    return max(0, (row.match.deadline - to_the_millisecond(begins)) // timedelta(milliseconds=1))


def write_resumption(row: MatchRow, *, by: str, seat: int | None, said: Form) -> EventWrite:
    """The write of a match that goes on: the turn has what was left of it."""
    match, now = row.match, to_the_millisecond(row.now)
    to_act = row.seats[match.to_act or 0]
    if match.turn_left_ms is None:
        deadline = fresh_deadline(row, to_act)
    else:
        left = timedelta(milliseconds=match.turn_left_ms)
        deadline = to_the_millisecond(clock_runs_from(row, to_act)) + left
    match.status = MatchStatus.ACTIVE
    timing = timing_by(row, row.table(), deadline)
    write = write_turn_event(row, EventType.RESUMED, timing, by=by, seat=seat, said=said)
    paused = now - (match.paused_at or now)
    write.changes |= {
        "status": MatchStatus.ACTIVE,
        "paused_at": None,
        "paused_until": None,
        "paused_seconds": match.paused_seconds - (-paused // timedelta(seconds=1)),
        "turn_left_ms": None,
    }
    write.update(Seat, {"match": match.pk}, asks="")
    return write
