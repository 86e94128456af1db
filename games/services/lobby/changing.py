"""One change of a seat, as one event of the log: everything before the start is written here."""

from collections.abc import Mapping
from typing import Any

from games.errors import Problem
from games.matches.commit import Event, commit_event
from games.matches.store import MatchRow, SeatRow
from games.models import Actor, EventType, SeatState
from games.services.events import after_event, log_entry
from games.services.lobby.seats import as_stored
from games.services.starting import start_event

Said = Mapping[str, Any]


def change_seat(row: MatchRow, event: EventType, seat: SeatRow, said: Said | None = None) -> MatchRow:
    """Log that a seat has become `seat`, and return the match after it.

    The names of players are not in the log, which is never changed: the table tells who sits there, for as
    long as they have an account.
    """
    after = row.with_seat(as_stored(seat, row.now))
    entry = log_entry(row, event, by=Actor.PLAYER, seat=seat.number, said={**_about(seat), **(said or {})})
    open_seats = sum(each.state == SeatState.OPEN for each in after.seats)
    return commit(Event(row, after._replace(open_seats=open_seats, **after_event(row)), entry))


def _about(seat: SeatRow) -> dict[str, Any]:
    return {"level": seat.level or None, "client_seed": seat.client_seed}


def commit(event: Event) -> MatchRow:
    """Write an event of a locked match, whose version nobody else changes, and return the match after it."""
    if not commit_event(event.before, event.after, event.entry, rounds=event.rounds, bets=event.bets):
        raise Problem("stale_version")
    return event.after


def start_when_filled(row: MatchRow, *, by_seat: int | None) -> MatchRow:
    """Deal the first round if every seat is filled, unless the maker wants to say when."""
    if row.hold or not is_filled(row):
        return row
    return start(row, by_seat=by_seat)


def is_filled(row: MatchRow) -> bool:
    """Whether every seat is filled."""
    return all(seat.is_filled for seat in row.seats)


def start(row: MatchRow, *, by_seat: int | None) -> MatchRow:
    """Deal the first round."""
    return commit(start_event(row, row.deals(), by_seat=by_seat))
