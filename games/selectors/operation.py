"""How far behind the service is: what operators and their alarms want to know, from the database alone.

Every process tells the same, and every question is answered by a small index.
"""

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Max, QuerySet
from django.db.models.functions import Now

from games.models import Delivery, Heartbeat, Match, MatchStatus, Move, Notice


@dataclass(frozen=True, slots=True)
class Backlog:
    """How much should have been done by now (turns, mails ...), and how long the oldest has waited."""

    count: int = 0
    oldest_seconds: float = 0.0


NOTHING: Final = Backlog()


def overdue_turns() -> Backlog:
    """Turns of players whose time is over and on which the clock has not acted yet."""
    return _backlog(Match.objects.filter(status=MatchStatus.ACTIVE, deadline__lte=Now()), "deadline")


def waiting_turns() -> Backlog:
    """Turns that the service itself should be taking: of AI seats, caretakers and standing orders."""
    return _backlog(Match.objects.filter(status=MatchStatus.ACTIVE, wake_at__lte=Now()), "wake_at")


def clock_silence() -> float | None:
    """For how many seconds the clock has not been heard of; None if it never was."""
    beat = Heartbeat.objects.annotate(now=Now()).values_list("beat_at", "now").first()
    return None if beat is None else round((beat[1] - beat[0]).total_seconds(), 1)


def overdue_deliveries() -> Backlog:
    """Webhooks that should have been sent by now, the first time or again."""
    return _backlog(Delivery.objects.filter(due_at__lte=Now()), "due_at")


def overdue_mails() -> Backlog:
    """The same of mails and push messages."""
    return _backlog(Notice.objects.filter(due_at__lte=Now()), "due_at")


def failing_deliveries() -> int:
    """Webhooks that their receivers have not taken so far, and that are still tried."""
    return Delivery.objects.filter(due_at__isnull=False, tried__gt=0).count()


def _backlog(due: QuerySet[Any], since: str) -> Backlog:
    oldest = due.order_by(since).annotate(now=Now()).values_list(since, "now").first()
    if oldest is None:
        return NOTHING
    then, now = oldest
    return Backlog(due.count(), round((now - then).total_seconds(), 1))


def events_written() -> int:
    """How many events all logs hold, as their numbers tell; none of them is ever deleted one by one."""
    return Move.objects.aggregate(last=Max("pk"))["last"] or 0
