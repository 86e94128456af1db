"""Handle expired deadlines and pauses, and give seats back to their players."""

import logging
import traceback
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from games.clock.turn_events import extension_event, resumption_event
from games.core.errors import Problem, raised
from games.gateway.ai import fallback_action
from games.identity.models import Player
from games.matches.commit import Event, commit_events
from games.matches.documents import TableDocument
from games.matches.entries import action_event, after_event, build_entry, commit_or_conflict, table_changes
from games.matches.models.log import Actor, EventType
from games.matches.models.match import AfterTimeouts, Match, MatchStatus, PauseRequest, SeatState
from games.matches.publish import publish
from games.matches.queries import IN_PLAY, render_table
from games.matches.store import MatchRow, SeatRow, find_matches, lock_and_read_match, read_match, require_seat
from games.matches.timing import clock_start, next_timing
from games.play.resignation import resignation_event

EventBuilder = Callable[[MatchRow], Event]

BATCH_SIZE: Final = 200
MAX_ATTEMPTS: Final = 3

log = logging.getLogger(__name__)


def timeout_event(row: MatchRow) -> Event:
    """Return the event for an expired turn in a locked match."""
    seat = row.seats[row.to_act or 0]
    vacation_left = clock_start(row, seat) - row.now
    if vacation_left:  # the vacation started at the same moment as the turn
        return extension_event(row, vacation_left + timedelta(seconds=row.turn_seconds or 0), by=Actor.CLOCK)
    if seat.timeouts < row.timeouts_allowed:
        return _fallback_event(row, seat)
    if row.after_timeouts == AfterTimeouts.CARETAKER:
        return caretaker_event(row, seat, by=Actor.CLOCK)
    return resignation_event(row, seat, by=Actor.CLOCK)


def _fallback_event(row: MatchRow, seat: SeatRow) -> Event:
    """Return the event of a fallback move: pass, or lead the lowest single, or award the trick."""
    table = row.table()
    choice = fallback_action(table.view(seat.number), table.totals)
    outcome = table.act(seat.number, choice.action, row.deal_round)
    return action_event(row, outcome, choice.event, seat=seat.number, by=Actor.CLOCK)


def caretaker_event(row: MatchRow, seat: SeatRow, *, by: str) -> Event:
    """Return the event of a seat that an AI plays until its player takes it back."""
    after = row.with_seat(
        seat._replace(state=SeatState.CARETAKER, standing_trick="", asks=PauseRequest.NOTHING)
    )
    table = row.table()
    timing = next_timing(after, table, event=EventType.CARETAKER)
    entry = build_entry(
        row, EventType.CARETAKER, by=by, seat=seat.number, table=table, deadline=timing.deadline
    )
    changed = after._replace(**after_event(row), **table_changes(table), **timing._asdict())
    return Event(row, changed, entry)


def time_out_due_turns(*, at_most: int = BATCH_SIZE) -> int:
    """Time out a batch of expired turns, the longest overdue first; return how many there were."""
    due = Match.objects.filter(status=MatchStatus.ACTIVE, deadline__lte=Now(), attempts__lt=MAX_ATTEMPTS)
    return _process_batch(due.order_by("deadline"), timeout_event, at_most)


def end_due_pauses(*, at_most: int = BATCH_SIZE) -> int:
    """Resume a batch of matches whose pause has reached its limit; return how many there were."""
    due = Match.objects.filter(status=MatchStatus.PAUSED, paused_until__lte=Now(), attempts__lt=MAX_ATTEMPTS)
    return _process_batch(due.order_by("paused_until"), _resume, at_most)


def _resume(row: MatchRow) -> Event:
    return resumption_event(row, by=Actor.CLOCK, seat=None)


def _process_batch(due: QuerySet[Match], build_event: EventBuilder, at_most: int) -> int:
    """Commit the due event of each match that is not locked; return the number of matches."""
    with transaction.atomic():
        unlocked = due.select_for_update(skip_locked=True, no_key=True)
        rows = find_matches(list(unlocked.values_list("pk", flat=True)[:at_most]))
        events = [event for row in rows if (event := _build_event(row, build_event)) is not None]
        for event, written in zip(events, commit_events(events), strict=True):
            if written:
                publish(event.after)
    return len(rows)


def _build_event(row: MatchRow, build_event: EventBuilder) -> Event | None:
    """Build the event of a match; return None if that fails, so that it does not block other matches.

    After a few failed attempts the match is left to the operators: it stays overdue and triggers an alert.
    """
    try:
        return build_event(row)
    except Exception as error:  # noqa: BLE001 -- a failure in one match must not affect others
        _log_failure(row, error)
        return None


def _log_failure(row: MatchRow, error: Exception) -> None:
    """Log the failure without the error message, which may contain cards, and count the attempt."""
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error(
        "%s@%s: processing a deadline failed with %s\n%s",
        row.id,
        row.version,
        type(error).__name__,
        where,
        extra=raised(error),
    )
    Match.objects.filter(pk=row.id).update(attempts=F("attempts") + 1)


def reclaim_seat(*, match_id: str, player: Player) -> TableDocument:
    """Take a seat back from its caretaker; a turn not taken yet starts again with its full time."""
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        seat = require_seat(row, player)
        if row.status not in IN_PLAY:
            raise Problem("match_not_active")
        if seat.state != SeatState.CARETAKER:
            raise Problem("no_caretaker")
        publish(commit_or_conflict(_reclaim_event(row, seat)))
    return render_table(read_match(match_id, player), player)


def _reclaim_event(row: MatchRow, seat: SeatRow) -> Event:
    after = row.with_seat(seat._replace(state=SeatState.PLAYING, timeouts=0))
    table = row.table()
    timing = next_timing(after, table, event=EventType.RECLAIMED)
    entry = build_entry(
        row,
        EventType.RECLAIMED,
        by=Actor.PLAYER,
        seat=seat.number,
        table=table,
        deadline=timing.deadline,
    )
    changed = after._replace(**after_event(row), **table_changes(table), **timing._asdict())
    return Event(row, changed, entry)
