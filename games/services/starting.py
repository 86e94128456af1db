"""The start of a match: its last seat is filled, or its maker says so, and the first round is dealt."""

from games.gateway.deals import Deals
from games.gateway.happenings import deal_event
from games.gateway.table import Table
from games.models import Actor, MatchStatus
from games.selectors.matches import MatchRow
from games.services.event_write import EventWrite
from games.services.events import Form, begin_round, keep_table, log_entry, write_entry


def write_start(row: MatchRow, deals: Deals, *, by_seat: int | None) -> tuple[EventWrite, Form, Table]:
    """The write of the start of a match whose seats are filled."""
    table = Table.start(row.agreement, deals)
    dealt = deal_event(table.round_number, table.dealer, table.leader)
    row.match.round_number = table.round_number
    entry = log_entry(row, "started", by=Actor.PLAYER, seat=by_seat, then=[dealt], following=table)
    write = write_entry(row, entry, in_time=False)
    keep_table(write, row, table)
    begin_round(write, row, table)
    write.changes |= {"status": MatchStatus.ACTIVE, "started_at": row.now, "expires_at": None}
    return write, entry, table
