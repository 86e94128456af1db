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

from games.models import Actor, Match, MatchStatus
from games.selectors.matches import MatchRow, find_matches
from games.services.announce import announce
from games.services.clock.timing_out import write_timeout
from games.services.clock.turn_events import write_resumption
from games.services.event_write import EventWrite, commit_all
from games.services.events import moved_on

AT_ONCE: Final = 200
MOST_ATTEMPTS: Final = 3

Write = Callable[[MatchRow], EventWrite]

log = logging.getLogger(__name__)


def time_out_due_turns(*, at_most: int = AT_ONCE) -> int:
    """Act for the players whose deadline is over, the longest overdue first; how many there were."""
    due = Match.objects.filter(status=MatchStatus.ACTIVE, deadline__lte=Now(), attempts__lt=MOST_ATTEMPTS)
    return _act(due.order_by("deadline"), write_timeout, at_most)


def end_due_pauses(*, at_most: int = AT_ONCE) -> int:
    """Let the matches go on whose pause has lasted as long as it may; how many there were."""
    due = Match.objects.filter(status=MatchStatus.PAUSED, paused_until__lte=Now(), attempts__lt=MOST_ATTEMPTS)
    return _act(due.order_by("paused_until"), _resume, at_most)


def _resume(row: MatchRow) -> EventWrite:
    return write_resumption(row, by=Actor.CLOCK, seat=None, said={"asked_by": []})


def _act(due: QuerySet[Match], write: Write, at_most: int) -> int:
    """Do to each match that is due, and that nobody else holds, what `write` says."""
    with transaction.atomic():
        held = due.select_for_update(skip_locked=True, no_key=True)
        rows = find_matches(list(held.values_list("pk", flat=True)[:at_most]))
        judged = [(row, made) for row in rows if (made := _judged(row, write)) is not None]
        moved = commit_all([made for _, made in judged])
        for (row, made), has_moved in zip(judged, moved, strict=True):
            if has_moved:
                moved_on(row.match, made)
                announce(row)
    return len(rows)


def _judged(row: MatchRow, write: Write) -> EventWrite | None:
    """What is to be written; None where the service itself fails, which must not hold up the other tables.

    After some attempts such a table is left to the operators: it stays overdue for all to see.
    """
    try:
        return write(row)
    except Exception as error:  # noqa: BLE001 -- whatever is wrong with one match, the others go on
        _report(row, error)
        return None


def _report(row: MatchRow, error: Exception) -> None:
    """Log where it failed, without the message, which may name cards."""
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error(
        "%s@%s: the clock failed with %s\n%s", row.match.pk, row.match.version, type(error).__name__, where
    )
    Match.objects.filter(pk=row.match.pk).update(attempts=F("attempts") + 1)
