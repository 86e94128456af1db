"""Write reminders for turns that are about to expire."""

from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from games.matches.commit import add_notices
from games.matches.models.log import NoticeKind
from games.matches.models.match import Match, MatchStatus
from games.matches.outbox import notices_for
from games.matches.store import MatchRow, find_match, find_matches

BATCH_SIZE: Final = 200
# Small, because the matches are locked while their reminders are written.
SMALL_BATCH_SIZE: Final = 20


def remind_due_players(*, at_most: int = BATCH_SIZE) -> int:
    """Write the reminders of a batch of turns that are about to expire; return the number of turns."""
    with transaction.atomic():
        due = Match.objects.filter(status=MatchStatus.ACTIVE, remind_at__lte=Now())
        unlocked = due.select_for_update(skip_locked=True, no_key=True).order_by("remind_at")
        rows = find_matches(list(unlocked.values_list("pk", flat=True)[:at_most]))
        for row in rows:
            _remind(row)
        Match.objects.filter(pk__in=[row.id for row in rows]).update(remind_at=None)
    return len(rows)


def _remind(row: MatchRow) -> None:
    seat = row.seats[row.to_act or 0]
    add_notices(row, notices_for(seat, NoticeKind.REMINDER, row.now))


def write_reminders() -> int:
    """Write all due reminders in small batches; return the number of turns."""
    written = 0
    while batch := _write_batch():
        written += batch
    return written


def _write_batch() -> int:
    if not _due().exists():
        return 0
    with transaction.atomic():
        unlocked = _due().select_for_update(skip_locked=True, no_key=True).order_by("remind_at")
        match_ids = list(unlocked.values_list("pk", flat=True)[:SMALL_BATCH_SIZE])
        Match.objects.filter(pk__in=match_ids).update(remind_at=None)
        for match_id in match_ids:
            _write_reminder(find_match(match_id))
    return len(match_ids)


def _due() -> QuerySet[Match]:
    return Match.objects.filter(status=MatchStatus.ACTIVE, remind_at__lte=Now())


def _write_reminder(row: MatchRow | None) -> None:
    if row is None or row.to_act is None:
        return
    seat = row.seats[row.to_act]
    add_notices(row, notices_for(seat, NoticeKind.REMINDER, row.now))
