"""Reminders: whoever wants to be told that a turn runs out is told once a turn, while there is time left."""

from typing import Final

from django.db import transaction
from django.db.models.functions import Now

from games.matches.commit import add_notices
from games.matches.outbox import notices_for
from games.matches.store import MatchRow, find_matches
from games.models import Match, MatchStatus, NoticeKind

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
