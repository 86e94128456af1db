"""The turns whose deadline is over, found in the database and acted in: once, never early, whoever dies.

A sweep holds the matches that it has found, a bounded number at a time, until what it did to all of them is
committed. Another sweep skips them meanwhile, and finds them again if nothing came of it.
"""

import logging
import traceback
from collections.abc import Callable
from typing import Final

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from games.matches.commit import Event, commit_events
from games.matches.publish import publish
from games.matches.store import MatchRow, find_matches
from games.models import Actor, Match, MatchStatus
from games.services.clock.timing_out import timeout_event
from games.services.clock.turn_events import resumption_event

AT_ONCE: Final = 200
MOST_ATTEMPTS: Final = 3

EventOf = Callable[[MatchRow], Event]

log = logging.getLogger(__name__)


def time_out_due_turns(*, at_most: int = AT_ONCE) -> int:
    """Act for the players whose deadline is over, the longest overdue first; how many there were."""
    due = Match.objects.filter(status=MatchStatus.ACTIVE, deadline__lte=Now(), attempts__lt=MOST_ATTEMPTS)
    return _act(due.order_by("deadline"), timeout_event, at_most)


def end_due_pauses(*, at_most: int = AT_ONCE) -> int:
    """Let the matches go on whose pause has lasted as long as it may; how many there were."""
    due = Match.objects.filter(status=MatchStatus.PAUSED, paused_until__lte=Now(), attempts__lt=MOST_ATTEMPTS)
    return _act(due.order_by("paused_until"), _resume, at_most)


def _resume(row: MatchRow) -> Event:
    return resumption_event(row, by=Actor.CLOCK, seat=None)


def _act(due: QuerySet[Match], event_of: EventOf, at_most: int) -> int:
    """Write what is due for each match that no other transaction has locked."""
    with transaction.atomic():
        held = due.select_for_update(skip_locked=True, no_key=True)
        rows = find_matches(list(held.values_list("pk", flat=True)[:at_most]))
        events = [event for row in rows if (event := _judged(row, event_of)) is not None]
        for event, written in zip(events, commit_events(events), strict=True):
            if written:
                publish(event.after)
    return len(rows)


def _judged(row: MatchRow, event_of: EventOf) -> Event | None:
    """Return what is to be written; None if the service fails, which must not hold up the other tables.

    After some attempts such a table is left to the operators: it stays overdue for all to see.
    """
    try:
        return event_of(row)
    except Exception as error:  # noqa: BLE001 -- whatever is wrong with one match, the others go on
        _report(row, error)
        return None


def _report(row: MatchRow, error: Exception) -> None:
    """Log where it failed, without the message, which may name cards."""
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("%s@%s: the clock failed with %s\n%s", row.id, row.version, type(error).__name__, where)
    Match.objects.filter(pk=row.id).update(attempts=F("attempts") + 1)
