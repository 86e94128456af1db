"""Build events that change the timing of a turn but not the table."""

from datetime import timedelta
from typing import Any

from games.core.times import format_time, truncate_to_milliseconds
from games.gateway.documents import EntryFields
from games.matches.commit import Event
from games.matches.entries import after_event, build_entry
from games.matches.models.log import EventType
from games.matches.models.match import MatchStatus, PauseRequest
from games.matches.store import MatchRow, SeatRow
from games.matches.timing import TurnTiming, clock_start, new_deadline, timing_for_deadline


def turn_event(
    row: MatchRow,
    event: EventType,
    timing: TurnTiming,
    *,
    by: str,
    seat: int | None = None,
    fields: EntryFields | None = None,
    **changes: Any,  # noqa: ANN401 -- columns of the match
) -> Event:
    """Return an event that sets the timing of the turn and applies other changes to the match."""
    status = changes.get("status", row.status)
    entry = build_entry(
        row._replace(status=status),
        event,
        by=by,
        seat=seat,
        fields=fields,
        table=row.table(),
        deadline=timing.deadline,
    )
    after = row._replace(**after_event(row), attempts=0, **timing._asdict(), **changes)
    return Event(row, after, entry)


def current_timing(row: MatchRow) -> TurnTiming:
    """Return the current timing, for events that do not change it.

    A worker that has claimed the turn of an AI can no longer take it, because the event makes a new version:
    the turn can be claimed again at once.
    """
    is_claimed = row.attempts > 0 and row.wake_at is not None
    wake_at = row.now if is_claimed else row.wake_at
    return TurnTiming(row.deadline, row.remind_at, wake_at, row.turn_due_at, row.turn_priority)


def extension_event(row: MatchRow, length: timedelta, *, by: str, fields: EntryFields | None = None) -> Event:
    """Return an event that moves the deadline by `length`, which is negative if a vacation ends early."""
    deadline = None if row.deadline is None else row.deadline + _whole_milliseconds(length)
    timing = timing_for_deadline(row, row.table(), deadline)
    return turn_event(row, EventType.EXTENDED, timing, by=by, seat=row.to_act, fields=fields)


def _whole_milliseconds(length: timedelta) -> timedelta:
    return timedelta(milliseconds=length // timedelta(milliseconds=1))


def pause_event(row: MatchRow, *, by: str, seat: int | None, longest: timedelta) -> Event:
    """Return the event of a pause of at most `longest`; it stores the remaining time of the turn."""
    now = truncate_to_milliseconds(row.now)
    until, turn_left_ms = now + longest, _remaining_turn_ms(row)
    return turn_event(
        row,
        EventType.PAUSED,
        TurnTiming(),
        by=by,
        seat=seat,
        fields={"until": format_time(until), "turn_left_ms": turn_left_ms, "asked_by": []},
        status=MatchStatus.PAUSED,
        paused_at=now,
        paused_until=until,
        turn_left_ms=turn_left_ms,
        seats=_without_pause_requests(row),
    )


def _without_pause_requests(row: MatchRow) -> tuple[SeatRow, ...]:
    return tuple(seat._replace(asks=PauseRequest.NOTHING) for seat in row.seats)


def _remaining_turn_ms(row: MatchRow) -> int | None:
    """Return the milliseconds left of the current turn, not counting a vacation; None without a deadline."""
    if row.deadline is None:
        return None
    start = clock_start(row, row.seats[row.to_act or 0])
    return max(0, (row.deadline - truncate_to_milliseconds(start)) // timedelta(milliseconds=1))


def resumption_event(row: MatchRow, *, by: str, seat: int | None) -> Event:
    """Return the event of a match that resumes; the turn continues with its remaining time."""
    now, to_act = truncate_to_milliseconds(row.now), row.seats[row.to_act or 0]
    if row.turn_left_ms is None:
        deadline = new_deadline(row, to_act)
    else:
        left = timedelta(milliseconds=row.turn_left_ms)
        deadline = truncate_to_milliseconds(clock_start(row, to_act)) + left
    paused = now - (row.paused_at or now)
    return turn_event(
        row,
        EventType.RESUMED,
        timing_for_deadline(row, row.table(), deadline),
        by=by,
        seat=seat,
        fields={"asked_by": []},
        status=MatchStatus.ACTIVE,
        paused_at=None,
        paused_until=None,
        paused_seconds=row.paused_seconds - (-paused // timedelta(seconds=1)),
        turn_left_ms=None,
        seats=_without_pause_requests(row),
    )
