"""Reminders: of whose time for a turn is running out, once a turn."""

from typing import Final

from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from games.models import Match, MatchStatus, NoticeKind
from games.selectors.matches import MatchRow, find_match
from games.services.notices.outbox import told

# So many matches are held at a time: their players wait while these are written.
AT_ONCE: Final = 20


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
        ids = list(held.values_list("pk", flat=True)[:AT_ONCE])
        Match.objects.filter(pk__in=ids).update(remind_at=None)
        for match_id in ids:
            _remind(find_match(match_id))
    return len(ids)


def _due() -> QuerySet[Match]:
    return Match.objects.filter(status=MatchStatus.ACTIVE, remind_at__lte=Now())


def _remind(row: MatchRow | None) -> None:
    if row is None or row.match.to_act is None:
        return
    seat = row.seats[row.match.to_act]
    with connection.cursor() as cursor:
        for notice in told(row, seat, NoticeKind.REMINDER, row.match.version):
            part, values = notice.written()
            cursor.execute(part.text("TRUE"), values)
