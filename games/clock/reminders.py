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

AT_ONCE: Final = 200


def remind_due_players(*, at_most: int = AT_ONCE) -> int:
    """Leave a notice for each player whose turn is running out; for how many turns it was looked."""
    with transaction.atomic():
        due = Match.objects.filter(status=MatchStatus.ACTIVE, remind_at__lte=Now())
        held = due.select_for_update(skip_locked=True, no_key=True).order_by("remind_at")
        rows = find_matches(list(held.values_list("pk", flat=True)[:at_most]))
        for row in rows:
            _remind(row)
        Match.objects.filter(pk__in=[row.id for row in rows]).update(remind_at=None)
    return len(rows)


def _remind(row: MatchRow) -> None:
    seat = row.seats[row.to_act or 0]
    add_notices(row, notices_for(seat, NoticeKind.REMINDER, row.now))


# So many matches are held at a time: their players wait while these are written.
REMINDERS_AT_ONCE: Final = 20


def write_reminders() -> int:
    """Put what is due into the outbox, for who wants it; how many matches it was."""
    written = 0
    while batch := _write_some():
        written += batch
    return written


def _write_some() -> int:
    if not _due().exists():
        return 0
    with transaction.atomic():
        held = _due().select_for_update(skip_locked=True, no_key=True).order_by("remind_at")
        ids = list(held.values_list("pk", flat=True)[:REMINDERS_AT_ONCE])
        Match.objects.filter(pk__in=ids).update(remind_at=None)
        for match_id in ids:
            _write_reminder(find_match(match_id))
    return len(ids)


def _due() -> QuerySet[Match]:
    return Match.objects.filter(status=MatchStatus.ACTIVE, remind_at__lte=Now())


def _write_reminder(row: MatchRow | None) -> None:
    if row is None or row.to_act is None:
        return
    seat = row.seats[row.to_act]
    add_notices(row, notices_for(seat, NoticeKind.REMINDER, row.now))
