"""Act on expired deadlines: fallback moves, caretakers, forfeits, and reclaiming a seat."""

import logging
import traceback
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from games.clock.turn_events import extension_event, resumption_event
from games.core.errors import Problem
from games.gateway.ai import fallback_action
from games.identity.models import Player
from games.matches.commit import Event, commit_events
from games.matches.entries import action_event, after_event, build_entry, commit_or_conflict, table_changes
from games.matches.models.log import Actor, EventType
from games.matches.models.match import AfterTimeouts, Match, MatchStatus, PauseRequest, SeatState
from games.matches.publish import publish
from games.matches.queries import IN_PLAY, render_table
from games.matches.store import MatchRow, SeatRow, find_matches, lock_and_read_match, read_match, require_seat
from games.matches.timing import clock_start, next_timing
from games.play.resignation import resignation_event


def timeout_event(row: MatchRow) -> Event:
    """Return what the clock does about a turn that is over, in a match that is locked."""
    seat = row.seats[row.to_act or 0]
    away = clock_start(row, seat) - row.now
    if away:  # the vacation began in the very moment in which the turn did
        return extension_event(row, away + timedelta(seconds=row.turn_seconds or 0), by=Actor.CLOCK)
    if seat.timeouts < row.timeouts_allowed:
        return _move(row, seat)
    if row.after_timeouts == AfterTimeouts.CARETAKER:
        return caretaker_event(row, seat, by=Actor.CLOCK)
    return resignation_event(row, seat, by=Actor.CLOCK)


def _move(row: MatchRow, seat: SeatRow) -> Event:
    """Pass, if there is anything to pass on; else lead the lowest single, or give a bombed trick away."""
    table = row.table()
    choice = fallback_action(table.view(seat.number), table.totals)
    outcome = table.act(seat.number, choice.action, row.deal_round)
    return action_event(row, outcome, choice.event, seat=seat.number, by=Actor.CLOCK)


def caretaker_event(row: MatchRow, seat: SeatRow, *, by: str) -> Event:
    """Return the event of a seat given to an AI for as long as its player does not take it back."""
    after = row.with_seat(
        seat._replace(state=SeatState.CARETAKER, standing_trick="", asks=PauseRequest.NOTHING)
    )
    table = row.table()
    timing = next_timing(after, table, event=EventType.CARETAKER)
    entry = build_entry(
        row, EventType.CARETAKER, by=by, seat=seat.number, table=table, deadline=timing.deadline
    )
    return Event(row, after._replace(**after_event(row), **table_changes(table, timing)), entry)


AT_ONCE: Final = 200
MAX_ATTEMPTS: Final = 3

EventOf = Callable[[MatchRow], Event]

log = logging.getLogger(__name__)


def time_out_due_turns(*, at_most: int = AT_ONCE) -> int:
    """Act for the players whose deadline is over, the longest overdue first; how many there were."""
    due = Match.objects.filter(status=MatchStatus.ACTIVE, deadline__lte=Now(), attempts__lt=MAX_ATTEMPTS)
    return _act(due.order_by("deadline"), timeout_event, at_most)


def end_due_pauses(*, at_most: int = AT_ONCE) -> int:
    """Let the matches go on whose pause has lasted as long as it may; how many there were."""
    due = Match.objects.filter(status=MatchStatus.PAUSED, paused_until__lte=Now(), attempts__lt=MAX_ATTEMPTS)
    return _act(due.order_by("paused_until"), _resume, at_most)


def _resume(row: MatchRow) -> Event:
    return resumption_event(row, by=Actor.CLOCK, seat=None)


def _act(due: QuerySet[Match], event_of: EventOf, at_most: int) -> int:
    """Write what is due for each match that no other transaction has locked."""
    with transaction.atomic():
        held = due.select_for_update(skip_locked=True, no_key=True)
        rows = find_matches(list(held.values_list("pk", flat=True)[:at_most]))
        events = [event for row in rows if (event := _prepare_write(row, event_of)) is not None]
        for event, written in zip(events, commit_events(events), strict=True):
            if written:
                publish(event.after)
    return len(rows)


def _prepare_write(row: MatchRow, event_of: EventOf) -> Event | None:
    """Return what is to be written; None if the service fails, which must not hold up the other tables.

    After some attempts such a table is left to the operators: it stays overdue for all to see.
    """
    try:
        return event_of(row)
    except Exception as error:  # noqa: BLE001 -- whatever is wrong with one match, the others go on
        _log_failure(row, error)
        return None


def _log_failure(row: MatchRow, error: Exception) -> None:
    """Log where it failed, without the message, which may name cards."""
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("%s@%s: the clock failed with %s\n%s", row.id, row.version, type(error).__name__, where)
    Match.objects.filter(pk=row.id).update(attempts=F("attempts") + 1)


Form = dict[str, Any]


def reclaim_seat(*, match_id: str, player: Player) -> Form:
    """Play on for oneself. A turn that the caretaker has not taken yet begins anew."""
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        seat = require_seat(row, player)
        if row.status not in IN_PLAY:
            raise Problem("match_not_active")
        if seat.state != SeatState.CARETAKER:
            raise Problem("no_caretaker")
        publish(commit_or_conflict(_event(row, seat)))
    return render_table(read_match(match_id, player), player)


def _event(row: MatchRow, seat: SeatRow) -> Event:
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
    return Event(row, after._replace(**after_event(row), **table_changes(table, timing)), entry)
