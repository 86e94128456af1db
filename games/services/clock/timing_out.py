"""What the clock does for a player whose turn is over: the ladder that was agreed for the match.

As often in a row as is allowed it makes a plain move in the player's place; then the seat goes to a
caretaker, from whom its player can take it back, or is given up.
"""

from datetime import timedelta

from games.gateway.ai import safe_choice
from games.models import Actor, AfterTimeouts, Asks, EventType, Seat, SeatState
from games.selectors.matches import MatchRow, SeatRow
from games.services.clock.timing import clock_runs_from, next_timing
from games.services.clock.turn_events import write_extension
from games.services.event_write import EventWrite
from games.services.events import keep_table, log_entry, write_entry, write_outcome
from games.services.giving_up import write_giving_up


def write_timeout(row: MatchRow) -> EventWrite:
    """The write of what the clock does about a turn that is over. The match is held meanwhile."""
    seat = row.seats[row.match.to_act or 0]
    away = clock_runs_from(row, seat) - row.now
    if away:  # the vacation began in the very moment in which the turn did
        return write_extension(row, away + timedelta(seconds=row.match.turn_seconds or 0), by=Actor.CLOCK)
    if seat.timeouts < row.match.timeouts_allowed:
        return _move(row, seat)
    if row.match.after_timeouts == AfterTimeouts.CARETAKER:
        return write_caretaker(row, seat, by=Actor.CLOCK)
    return write_giving_up(row, seat, by=Actor.CLOCK)


def _move(row: MatchRow, seat: SeatRow) -> EventWrite:
    """Pass, if there is anything to pass on; else lead the lowest single, or give a bombed trick away."""
    table = row.table()
    choice = safe_choice(table.view(seat.number), table.totals)
    outcome = table.act(seat.number, choice.action, row.dealing)
    write, _, _ = write_outcome(row, outcome, choice.event, seat=seat.number, by=Actor.CLOCK, in_time=False)
    return write


def write_caretaker(row: MatchRow, seat: SeatRow, *, by: Actor) -> EventWrite:
    """The write of a seat given to an AI for as long as its player does not take it back."""
    after = row.with_seat(seat._replace(state=SeatState.CARETAKER, standing_trick="", asks=Asks.NOTHING))
    table = row.table()
    timing = next_timing(after, table, event=EventType.CARETAKER)
    entry = log_entry(
        row, EventType.CARETAKER, by=by, seat=seat.number, following=table, deadline=timing.deadline
    )
    write = write_entry(row, entry, in_time=False, after=after.seats)
    keep_table(write, row, table, timing)
    number = {"match": row.match.pk, "number": seat.number}
    write.update(Seat, number, state=SeatState.CARETAKER, standing_trick="", asks=Asks.NOTHING)
    return write
