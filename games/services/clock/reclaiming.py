"""Taking one's seat back from the caretaker."""

from typing import Any

from django.db import transaction

from games.errors import Problem
from games.matches.commit import Event
from games.matches.publish import publish
from games.matches.store import MatchRow, SeatRow, my_seat, read_match
from games.models import Actor, EventType, Player, SeatState
from games.selectors.table_form import PLAYED, table_form
from games.services.clock.timing import next_timing
from games.services.events import after_event, log_entry, table_changes
from games.services.lobby.changing import commit
from games.services.lobby.holding import hold_match

Form = dict[str, Any]


def reclaim_seat(*, match_id: str, player: Player) -> Form:
    """Play on for oneself. A turn that the caretaker has not taken yet begins anew."""
    with transaction.atomic():
        row = hold_match(match_id=match_id, player=player)
        seat = my_seat(row, player)
        if row.status not in PLAYED:
            raise Problem("match_not_active")
        if seat.state != SeatState.CARETAKER:
            raise Problem("no_caretaker")
        publish(commit(_event(row, seat)))
    return table_form(read_match(match_id, player), player)


def _event(row: MatchRow, seat: SeatRow) -> Event:
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
    return Event(row, after._replace(**after_event(row), **table_changes(table, timing)), entry)
