"""Write reminders for turns that are about to expire."""

from typing import Final

from django.db import transaction
from django.db.models.functions import Now

from games.matches.commit import add_notices
from games.matches.models.log import NoticeKind
from games.matches.models.match import Match, MatchStatus
from games.matches.recipients import notices_for
from games.matches.store import MatchRow, find_matches

# Small, because the matches are locked while their reminders are written.
BATCH_SIZE: Final = 20


def write_due_reminders() -> int:
    """Write the reminders of a batch of turns that are about to expire; return the number of turns."""
    with transaction.atomic():
        due = Match.objects.filter(status=MatchStatus.ACTIVE, remind_at__lte=Now())
        unlocked = due.select_for_update(skip_locked=True, no_key=True).order_by("remind_at")
        rows = find_matches(list(unlocked.values_list("pk", flat=True)[:BATCH_SIZE]))
        for row in rows:
            _write_reminder(row)
        Match.objects.filter(pk__in=[row.id for row in rows]).update(remind_at=None)
    return len(rows)


def _write_reminder(row: MatchRow) -> None:
    if row.to_act is not None:
        add_notices(row, notices_for(row.seats[row.to_act], NoticeKind.REMINDER, row.now))
