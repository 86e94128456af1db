"""Taking one's seat back from the caretaker."""

from typing import Any

from django.db import transaction

from games.errors import Problem
from games.models import Actor, EventType, Player, Seat, SeatState
from games.selectors.matches import MatchRow, SeatRow, my_seat, read_match
from games.selectors.table_form import PLAYED, table_form
from games.services.announce import announce
from games.services.clock.timing import next_timing
from games.services.event_write import EventWrite
from games.services.events import keep_table, log_entry, write_entry
from games.services.lobby.changing import commit
from games.services.lobby.holding import hold_match

Form = dict[str, Any]


def reclaim_seat(*, match_id: str, player: Player) -> Form:
    """Play on for oneself. A turn that the caretaker has not taken yet begins anew."""
    with transaction.atomic():
        row = hold_match(match_id=match_id, player=player)
        seat = my_seat(row, player)
        if row.match.status not in PLAYED:
            raise Problem("match_not_active")
        if seat.state != SeatState.CARETAKER:
            raise Problem("no_caretaker")
        commit(row, _write(row, seat))
        announce(row)
    return table_form(read_match(match_id, player), player)


def _write(row: MatchRow, seat: SeatRow) -> EventWrite:
    after = row.with_seat(seat._replace(state=SeatState.PLAYING, timeouts=0))
    table = row.table()
    timing = next_timing(after, table, event=EventType.RECLAIMED)
    entry = log_entry(
        row,
        EventType.RECLAIMED,
        by=Actor.PLAYER,
        seat=seat.number,
        following=table,
        deadline=timing.deadline,
    )
    write = write_entry(row, entry, in_time=False, after=after.seats)
    keep_table(write, row, table, timing)
    number = {"match": row.match.pk, "number": seat.number}
    write.update(Seat, number, state=SeatState.PLAYING, timeouts=0)
    return write
