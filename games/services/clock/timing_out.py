"""What the clock does for a player whose turn is over: the ladder that was agreed for the match.

As often in a row as is allowed it makes a plain move in the player's place; then the seat goes to a
caretaker, from whom its player can take it back, or is given up.
"""

from datetime import timedelta

from games.gateway.ai import safe_choice
from games.matches.commit import Event
from games.matches.store import MatchRow, SeatRow
from games.models import Actor, AfterTimeouts, Asks, EventType, SeatState
from games.services.clock.timing import clock_runs_from, next_timing
from games.services.clock.turn_events import extension_event
from games.services.events import action_event, after_event, log_entry, table_changes
from games.services.giving_up import resignation_event


def timeout_event(row: MatchRow) -> Event:
    """Return what the clock does about a turn that is over, in a match that is locked."""
    seat = row.seats[row.to_act or 0]
    away = clock_runs_from(row, seat) - row.now
    if away:  # the vacation began in the very moment in which the turn did
        return extension_event(row, away + timedelta(seconds=row.turn_seconds or 0), by=Actor.CLOCK)
    if seat.timeouts < row.timeouts_allowed:
        return _move(row, seat)
    if row.after_timeouts == AfterTimeouts.CARETAKER:
        return caretaker_event(row, seat, by=Actor.CLOCK)
    return resignation_event(row, seat, by=Actor.CLOCK)


def _move(row: MatchRow, seat: SeatRow) -> Event:
    """Pass, if there is anything to pass on; else lead the lowest single, or give a bombed trick away."""
    table = row.table()
    choice = safe_choice(table.view(seat.number), table.totals)
    outcome = table.act(seat.number, choice.action, row.dealing)
    return action_event(row, outcome, choice.event, seat=seat.number, by=Actor.CLOCK)


def caretaker_event(row: MatchRow, seat: SeatRow, *, by: str) -> Event:
    """Return the event of a seat given to an AI for as long as its player does not take it back."""
    after = row.with_seat(seat._replace(state=SeatState.CARETAKER, standing_trick="", asks=Asks.NOTHING))
    table = row.table()
    timing = next_timing(after, table, event=EventType.CARETAKER)
    entry = log_entry(
        row, EventType.CARETAKER, by=by, seat=seat.number, following=table, deadline=timing.deadline
    )
    return Event(row, after._replace(**after_event(row), **table_changes(table, timing)), entry)
