"""One change of a seat, as one event of the log: everything before the start is written here."""

from collections.abc import Mapping
from typing import Any

from games.errors import Problem
from games.models import Actor, EventType, Seat, SeatState
from games.selectors.matches import MatchRow, SeatRow
from games.services.event_write import EventWrite
from games.services.events import log_entry, moved_on, write_entry
from games.services.lobby.seats import columns
from games.services.starting import write_start

Said = Mapping[str, Any]


def change_seat(row: MatchRow, event: EventType, seat: SeatRow, said: Said | None = None) -> MatchRow:
    """Log that a seat has become `seat`, and give the match after it.

    The names of players are not in the log, which is never changed: the table tells who sits there, for as
    long as they have an account.
    """
    after = row.with_seat(seat)
    entry = log_entry(row, event, by=Actor.PLAYER, seat=seat.number, said={**_about(seat), **(said or {})})
    write = write_entry(row, entry, in_time=False, after=after.seats)
    write.update(Seat, {"match": row.match.pk, "number": seat.number}, **columns(seat, row.now))
    write.changes["open_seats"] = sum(each.state == SeatState.OPEN for each in after.seats)
    commit(row, write)
    return after


def _about(seat: SeatRow) -> dict[str, Any]:
    return {"level": seat.level or None, "client_seed": seat.client_seed}


def commit(row: MatchRow, write: EventWrite) -> None:
    """Write an event of a match that is held, so that nobody can have been first."""
    if not write.commit():
        raise Problem("stale_version")
    moved_on(row.match, write)


def start_when_filled(row: MatchRow, *, by_seat: int | None) -> MatchRow:
    """Deal the first round if every seat is filled, unless the maker wants to say when."""
    if row.match.hold or not is_filled(row):
        return row
    return start(row, by_seat=by_seat)


def is_filled(row: MatchRow) -> bool:
    """Whether every seat is filled."""
    return all(seat.is_filled for seat in row.seats)


def start(row: MatchRow, *, by_seat: int | None) -> MatchRow:
    """Deal the first round."""
    write, _, _ = write_start(row, row.deals(), by_seat=by_seat)
    commit(row, write)
    return row
