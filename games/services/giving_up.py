"""A seat given up for good, by its player or by the clock.

Where only one player is left, that one wins and the round is cut short; else an AI keeps the seat.
"""

from typing import Any

from games.gateway.cut_short import round_cut_short
from games.gateway.happenings import match_end
from games.models import Actor, Asks, EventType, Seat, SeatState, Snapshot
from games.selectors.matches import MatchRow, SeatRow
from games.services.clock.timing import next_timing
from games.services.event_write import EventWrite
from games.services.events import end_match, end_round, keep_table, log_entry, write_entry
from games.services.resigned_seats import broken_off

Form = dict[str, Any]


def write_giving_up(row: MatchRow, seat: SeatRow, *, by: Actor) -> EventWrite:
    """The write of a seat given up in a match that is being played, or paused."""
    after = row.with_seat(seat._replace(state=SeatState.RESIGNED, standing_trick="", asks=Asks.NOTHING))
    if sum(each.state != SeatState.RESIGNED for each in after.seats) == 1:
        return _last_one_wins(after, seat, by)
    return _an_ai_keeps(after, seat, by)


def _last_one_wins(row: MatchRow, seat: SeatRow, by: Actor) -> EventWrite:
    return write_breaking_off(row, EventType.RESIGNED, by=by, seat=seat.number)


def write_breaking_off(
    row: MatchRow, event: EventType, *, by: Actor, seat: int | None = None, said: Form | None = None
) -> EventWrite:
    """The write of an event that ends the match: the running round is laid open, unscored."""
    table = row.table()
    ended = round_cut_short(table, row.deals().link(table.round_number))
    result = broken_off(event, by, table.totals, row.seats)
    entry = log_entry(row, event, by=by, seat=seat, said=said, then=[ended, match_end(result)])
    write = write_entry(row, entry, in_time=False)
    write.update(Snapshot, {"match": row.match.pk}, version=row.match.version + 1)
    end_round(write, row, ended)
    end_match(write, row, result)
    return write


def _an_ai_keeps(row: MatchRow, seat: SeatRow, by: Actor) -> EventWrite:
    """Let the match go on; the AI may be the one to act."""
    table = row.table()
    timing = next_timing(row, table, event=EventType.RESIGNED)
    entry = log_entry(
        row, EventType.RESIGNED, by=by, seat=seat.number, following=table, deadline=timing.deadline
    )
    write = write_entry(row, entry, in_time=False)
    keep_table(write, row, table, timing)
    number = {"match": row.match.pk, "number": seat.number}
    write.update(Seat, number, state=SeatState.RESIGNED, standing_trick="", asks=Asks.NOTHING, live=False)
    return write
