"""Compute deadlines, reminder times and wake-up times."""

import random
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings

from games.core.times import truncate_to_milliseconds
from games.gateway.table import Table
from games.matches.models.log import EventType
from games.matches.models.match import MatchStatus
from games.matches.store import MatchRow, SeatRow

# A standing order is carried out after a random while, so that it cannot be told from a player's own pass,
# and so long before the deadline that a sweep which comes late is still in time.
STANDING_ORDER_SECONDS: Final = (2.0, 10.0)
BEFORE_THE_DEADLINE: Final = timedelta(seconds=3)
_RANDOM: Final = random.SystemRandom()


class TurnTiming(NamedTuple):
    """The columns of a match that say what it waits for."""

    deadline: datetime | None = None
    remind_at: datetime | None = None
    wake_at: datetime | None = None


def next_timing(row: MatchRow, table: Table, *, event: str) -> TurnTiming:
    """The timing after an event, for whoever is to act then. `row` has the seats as the event leaves them.

    Only what ends a turn begins a new one; after anything else the deadline stays, and whoever was reminded
    of it is not reminded again. A paused match waits for nothing.
    """
    to_act = table.to_act
    if to_act is None or row.status == MatchStatus.PAUSED:
        return TurnTiming()
    seat = row.seats[to_act]
    if event in _TURN_STARTING_EVENTS or row.deadline is None or to_act != row.to_act:
        return timing_for_deadline(row, table, new_deadline(row, seat))
    same = timing_for_deadline(row, table, row.deadline)
    return same._replace(remind_at=row.remind_at if same.deadline is not None else None)


_TURN_STARTING_EVENTS: Final = frozenset({EventType.STARTED, EventType.PLAY, EventType.PASS, EventType.AWARD})


def timing_for_deadline(row: MatchRow, table: Table, deadline: datetime | None) -> TurnTiming:
    """The timing of a turn that is over at this moment; no deadline holds for an AI seat."""
    seat = row.seats[table.to_act or 0]
    if seat.is_automatic:
        deadline = None
    return TurnTiming(deadline, _remind_at(row, seat, deadline), wake_time(row, table, deadline))


def new_deadline(row: MatchRow, seat: SeatRow) -> datetime | None:
    """When a turn is over that begins now, or when the vacation of its player has ended."""
    seconds = row.turn_seconds
    if seconds is None or seat.is_automatic:
        return None
    begins = clock_start(row, seat)
    return truncate_to_milliseconds(begins) + timedelta(seconds=seconds + seat.time_bank_left)


def clock_start(row: MatchRow, seat: SeatRow) -> datetime:
    """Now, or when a vacation ends that counts at this table."""
    if seat.vacation_until is None or not row.vacations:
        return row.now
    return max(row.now, seat.vacation_until)


def _remind_at(row: MatchRow, seat: SeatRow, deadline: datetime | None) -> datetime | None:
    """When a set part of the turn, its time bank apart, is left. Nobody is reminded of a quick turn."""
    seconds = row.turn_seconds
    if deadline is None or seconds is None or seconds < settings.HAGGIS_SHORTEST_TURN_REMINDED:
        return None
    left = timedelta(seconds=seat.time_bank_left + seconds * settings.HAGGIS_REMINDED_WHEN_LEFT)
    return max(row.now, deadline - left)


def wake_time(row: MatchRow, table: Table, deadline: datetime | None) -> datetime | None:
    """When the service has to act for the seat whose turn it is, None when that is the player's affair."""
    to_act = table.to_act
    if to_act is None:
        return None
    seat = row.seats[to_act]
    if seat.is_automatic:
        return row.now + timedelta(
            seconds=settings.HAGGIS_AI_WAIT_SECONDS if has_human_seat(row.seats) else 0
        )
    if not seat.standing_trick:
        return None
    if seat.standing_trick == table.trick_key(seat.number) and table.can_pass:
        return _standing_order_time(row.now, deadline)
    return None


def _standing_order_time(now: datetime, deadline: datetime | None) -> datetime:
    shortest, longest = STANDING_ORDER_SECONDS
    if deadline is not None:
        longest = min(longest, (deadline - BEFORE_THE_DEADLINE - now).total_seconds())
    if longest <= shortest:
        return now + timedelta(seconds=max(0.0, longest))
    return now + timedelta(seconds=_RANDOM.uniform(shortest, longest))


def has_human_seat(seats: tuple[SeatRow, ...]) -> bool:
    """Whether anybody sits there for whom an AI's thinking time could tell something."""
    return any(not seat.is_automatic for seat in seats)
