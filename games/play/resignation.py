"""Resign seats, and end matches early."""

from django.db import transaction

from games.core.errors import Problem
from games.gateway.table import abandoned_round_event, match_end
from games.identity.models import Player
from games.matches.commit import Event
from games.matches.documents import TableDocument
from games.matches.entries import (
    abandoned_result,
    after_event,
    build_entry,
    commit_or_conflict,
    match_ended,
    round_ended,
    table_changes,
)
from games.matches.models.log import Actor, EventType
from games.matches.models.match import PauseRequest, SeatState
from games.matches.publish import publish
from games.matches.queries import IN_PLAY, render_table
from games.matches.store import MatchRow, SeatRow, lock_and_read_match, read_match, require_seat
from games.matches.timing import TurnTiming, next_timing


def resignation_event(row: MatchRow, seat: SeatRow, *, by: Actor) -> Event:
    """Return the event that resigns a seat of a running or paused match."""
    resigned = seat._replace(
        state=SeatState.RESIGNED, standing_trick="", asks=PauseRequest.NOTHING, live=False
    )
    after = row.with_seat(resigned)
    if sum(each.state != SeatState.RESIGNED for each in after.seats) == 1:
        return early_end_event(row, EventType.RESIGNED, by=by, resigned=resigned)
    return _ai_replacement_event(row, after, resigned, by)


def early_end_event(row: MatchRow, event: EventType, *, by: Actor, resigned: SeatRow | None = None) -> Event:
    """Return an event that ends the match. The running round is revealed and not scored."""
    after = row if resigned is None else row.with_seat(resigned)
    table = row.table()
    round_end = abandoned_round_event(table, row.deals().link(table.round_number))
    result = abandoned_result(event, by, table.totals, after.seats)
    seat = None if resigned is None else resigned.number
    entry = build_entry(row, event, by=by, seat=seat, events=[round_end, match_end(result)])
    ended = after._replace(**after_event(row), **match_ended(after, result), **TurnTiming()._asdict())
    return Event(row, ended, entry, (round_ended(round_end),))


def _ai_replacement_event(row: MatchRow, after: MatchRow, seat: SeatRow, by: Actor) -> Event:
    """Return the event that resigns a seat in which an AI plays on, perhaps as the seat to act."""
    table = row.table()
    timing = next_timing(after, table, event=EventType.RESIGNED)
    entry = build_entry(
        row, EventType.RESIGNED, by=by, seat=seat.number, table=table, deadline=timing.deadline
    )
    changed = after._replace(**after_event(row), **table_changes(table), **timing._asdict())
    return Event(row, changed, entry)


def resign(*, match_id: str, player: Player) -> TableDocument:
    """Resign the player's seat."""
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        seat = require_seat(row, player)
        if row.status not in IN_PLAY:
            raise Problem("match_not_active")
        publish(commit_or_conflict(resignation_event(row, seat, by=Actor.PLAYER)))
    return render_table(read_match(match_id, player), player)
