"""The start of a match: its last seat is filled, or its maker says so, and the first round is dealt."""

from games.gateway.deals import Deals
from games.gateway.happenings import deal_event
from games.gateway.table import Table
from games.matches.commit import Event
from games.matches.store import MatchRow
from games.models import Actor, EventType, MatchStatus
from games.services.clock.timing import next_timing
from games.services.events import after_event, log_entry, round_begun, round_changes, table_changes


def start_event(row: MatchRow, deals: Deals, *, by_seat: int | None) -> Event:
    """Return the event that starts a match whose seats are filled."""
    table = Table.start(row.agreement, deals)
    filled = _with_full_banks(row)
    timing = next_timing(filled, table, event=EventType.STARTED)
    entry = log_entry(
        row._replace(round_number=table.round_number),
        EventType.STARTED,
        by=Actor.PLAYER,
        seat=by_seat,
        then=[deal_event(table.round_number, table.dealer, table.leader)],
        following=table,
        deadline=timing.deadline,
    )
    changes = after_event(row) | table_changes(table, timing) | round_changes(row, table)
    after = filled._replace(**changes, status=MatchStatus.ACTIVE, started_at=row.now, expires_at=None)
    return Event(row, after, entry, (round_begun(table),))


def _with_full_banks(row: MatchRow) -> MatchRow:
    bank = 0 if row.turn_seconds is None else row.time_bank_seconds
    return row._replace(seats=tuple(seat._replace(time_bank_left=bank) for seat in row.seats))
