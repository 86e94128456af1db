"""The start of a match: its last seat is filled, or its maker says so, and the first round is dealt."""

from dataclasses import replace

from games.gateway.deals import Deals
from games.gateway.happenings import deal_event
from games.gateway.table import Table
from games.models import Actor, EventType, MatchStatus, Seat
from games.selectors.matches import MatchRow
from games.services.clock.timing import next_timing
from games.services.event_write import EventWrite
from games.services.events import Form, begin_round, keep_table, log_entry, write_entry


def write_start(row: MatchRow, deals: Deals, *, by_seat: int | None) -> tuple[EventWrite, Form, Table]:
    """The write of the start of a match whose seats are filled."""
    table = Table.start(row.agreement, deals)
    dealt = deal_event(table.round_number, table.dealer, table.leader)
    row.match.round_number = table.round_number
    filled = _banks_filled(row)
    timing = next_timing(filled, table, event=EventType.STARTED)
    entry = log_entry(
        row,
        EventType.STARTED,
        by=Actor.PLAYER,
        seat=by_seat,
        then=[dealt],
        following=table,
        deadline=timing.deadline,
    )
    write = write_entry(row, entry, in_time=False)
    keep_table(write, row, table, timing)
    begin_round(write, row, table)
    if row.match.turn_seconds is not None and row.match.time_bank_seconds:
        write.update(Seat, {"match": row.match.pk}, time_bank_left=row.match.time_bank_seconds)
    write.changes |= {"status": MatchStatus.ACTIVE, "started_at": row.now, "expires_at": None}
    return write, entry, table


def _banks_filled(row: MatchRow) -> MatchRow:
    """The match with every time bank full."""
    bank = 0 if row.match.turn_seconds is None else row.match.time_bank_seconds
    return replace(row, seats=tuple(seat._replace(time_bank_left=bank) for seat in row.seats))
