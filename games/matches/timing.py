"""Compute deadlines, reminder times and wake-up times."""

import random
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings

from games.core.times import truncate_to_milliseconds
from games.gateway.table import Table
from games.matches.models.log import EventType
from games.matches.models.match import MatchStatus, TurnPriority
from games.matches.store import MatchRow, SeatRow

# A standing order is executed after a random delay, so that it looks like a pass by the player, and early
# enough before the deadline for a late sweep.
STANDING_ORDER_SECONDS: Final = (2.0, 10.0)
STANDING_ORDER_MARGIN: Final = timedelta(seconds=3)
_RANDOM: Final = random.SystemRandom()


class ServiceTurn(NamedTuple):
    """The columns of a match for a turn that the service takes.

    A worker may take it from `wake_at` on, and must not answer before `turn_due_at`.
    """

    wake_at: datetime | None = None
    turn_due_at: datetime | None = None
    turn_priority: int = TurnPriority.WITH_PEOPLE


class TurnTiming(NamedTuple):
    """The columns of a match for its deadline, its reminder and a turn that the service takes."""

    deadline: datetime | None = None
    remind_at: datetime | None = None
    wake_at: datetime | None = None
    turn_due_at: datetime | None = None
    turn_priority: int = TurnPriority.WITH_PEOPLE


def next_timing(row: MatchRow, table: Table, *, event: str) -> TurnTiming:
    """Return the timing after an event. `row` has the seats after the event.

    Only an event that ends a turn begins a new one; otherwise deadline and reminder stay. A paused match has
    no timing.
    """
    to_act = table.to_act
    if to_act is None or row.status == MatchStatus.PAUSED:
        return TurnTiming()
    seat = row.seats[to_act]
    if event in _TURN_STARTING_EVENTS or row.deadline is None or to_act != row.to_act:
        return timing_for_deadline(row, table, new_deadline(row, seat))
    unchanged = timing_for_deadline(row, table, row.deadline)
    return unchanged._replace(remind_at=row.remind_at if unchanged.deadline is not None else None)


_TURN_STARTING_EVENTS: Final = frozenset({EventType.STARTED, EventType.PLAY, EventType.PASS, EventType.AWARD})


def timing_for_deadline(row: MatchRow, table: Table, deadline: datetime | None) -> TurnTiming:
    """Return the timing of a turn with this deadline, which AI seats do not have."""
    seat = row.seats[table.to_act or 0]
    if seat.is_automatic:
        deadline = None
    return TurnTiming(deadline, _remind_at(row, seat, deadline), *service_turn(row, table, deadline))


def new_deadline(row: MatchRow, seat: SeatRow) -> datetime | None:
    """Return the deadline of a turn that begins now or after the vacation of the player."""
    seconds = row.turn_seconds
    if seconds is None or seat.is_automatic:
        return None
    starts_at = clock_start(row, seat)
    return truncate_to_milliseconds(starts_at) + timedelta(seconds=seconds + seat.time_bank_left)


def clock_start(row: MatchRow, seat: SeatRow) -> datetime:
    """Return when the clock of a turn starts: now, or at the end of a vacation if the match allows them."""
    if seat.vacation_until is None or not row.vacations:
        return row.now
    return max(row.now, seat.vacation_until)


def _remind_at(row: MatchRow, seat: SeatRow, deadline: datetime | None) -> datetime | None:
    """Return when to remind the player: when a set part of the turn is left, not counting the time bank."""
    seconds = row.turn_seconds
    if deadline is None or seconds is None or seconds < settings.HAGGIS_SHORTEST_TURN_REMINDED:
        return None
    left = timedelta(seconds=seat.time_bank_left + seconds * settings.HAGGIS_REMINDED_WHEN_LEFT)
    return max(row.now, deadline - left)


def service_turn(row: MatchRow, table: Table, deadline: datetime | None) -> ServiceTurn:
    """Return when the service has to act for the seat to act; all times are `None` if its player acts."""
    to_act = table.to_act
    if to_act is None:
        return ServiceTurn()
    seat = row.seats[to_act]
    if seat.is_automatic:
        return _ai_turn(row)
    if seat.standing_trick and seat.standing_trick == table.trick_key(seat.number) and table.can_pass:
        due_at = _standing_order_time(row.now, deadline)
        return ServiceTurn(due_at, due_at, TurnPriority.STANDING_ORDER)
    return ServiceTurn()


def _ai_turn(row: MatchRow) -> ServiceTurn:
    """Return the timing of an AI turn: workers think at once, and people are answered after a fixed wait."""
    if not has_human_seat(row.seats):
        return ServiceTurn(row.now, row.now, TurnPriority.ONLY_AIS)
    due_at = row.now + timedelta(seconds=settings.HAGGIS_AI_WAIT_SECONDS)
    return ServiceTurn(row.now, due_at, TurnPriority.WITH_PEOPLE)


def _standing_order_time(now: datetime, deadline: datetime | None) -> datetime:
    shortest, longest = STANDING_ORDER_SECONDS
    if deadline is not None:
        longest = min(longest, (deadline - STANDING_ORDER_MARGIN - now).total_seconds())
    if longest <= shortest:
        return now + timedelta(seconds=max(0.0, longest))
    return now + timedelta(seconds=_RANDOM.uniform(shortest, longest))


def has_human_seat(seats: tuple[SeatRow, ...]) -> bool:
    """Return whether a human is in the match, who could learn something from the response time of an AI."""
    return any(not seat.is_automatic for seat in seats)
