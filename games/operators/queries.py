"""Queries for backlogs and statistics of the admin."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from time import monotonic
from typing import Any, Final, Generic, TypeVar

from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import Coalesce, Now, TruncDay, TruncHour
from django.utils import timezone

from games.ai.models import Analysis
from games.clock.models import Heartbeat
from games.identity.models import Player
from games.matches.models.log import Move
from games.matches.models.match import Match, MatchStatus, TurnPriority
from games.notifications.models import Delivery, Notice, Webhook
from games.records.models import RecordVerification

Value = TypeVar("Value")


class CachedCount(Generic[Value]):
    """A function whose result is cached for a number of seconds.

    >>> numbers = iter(range(9))
    >>> count = CachedCount(lambda: next(numbers), seconds=60)
    >>> count(), count()
    (0, 0)
    >>> count.clear()
    >>> count()
    1
    """

    def __init__(self, count: Callable[[], Value], *, seconds: float) -> None:
        self._count = count
        self._seconds = seconds
        self._lock = Lock()
        self._cached: tuple[float, Value] | None = None

    def __call__(self) -> Value:
        """Return the cached result or compute it; concurrent callers wait for the same computation."""
        with self._lock:
            if self._cached is None or monotonic() - self._cached[0] >= self._seconds:
                self._cached = monotonic(), self._count()
            return self._cached[1]

    def clear(self) -> None:
        """Clear the cache."""
        self._cached = None


def cached_for(seconds: float) -> Callable[[Callable[[], Value]], CachedCount[Value]]:
    """Return a decorator that caches the result of a function without arguments."""
    return lambda count: CachedCount(count, seconds=seconds)


HOURS: Final = 24
DAYS: Final = 14
# The ids of events written at the same time may be out of order by at most this many.
_ID_OVERLAP: Final = 1_000
# Counts that read whole tables are cached for this long.
CACHE_SECONDS: Final = 60.0


@cached_for(CACHE_SECONDS)
def matches_by_status() -> dict[str, int]:
    """Return the number of matches of every status, cached because it reads the whole table."""
    counted = Match.objects.order_by().values_list("status").annotate(Count("pk"))
    return {**dict.fromkeys(MatchStatus.values, 0), **dict(counted)}


@dataclass(frozen=True, slots=True)
class WebhookHealth:
    """Number of failing endpoints, of stopped endpoints and of pending deliveries."""

    endpoints: int
    stopped: int
    pending: int


def webhook_health() -> WebhookHealth:
    """Count failing and stopped endpoints and pending deliveries."""
    failing = Webhook.objects.filter(active=True, failing_since__isnull=False)
    return WebhookHealth(
        endpoints=failing.count(),
        stopped=Webhook.objects.exclude(stopped_because="").count(),
        pending=Delivery.objects.filter(due_at__isnull=False).count(),
    )


def moves_by_hour() -> Mapping[datetime, int]:
    """Return the number of log entries for each of the last hours, without reading older entries."""
    first = timezone.now().replace(minute=0, second=0, microsecond=0) - timedelta(hours=HOURS - 1)
    recent = Move.objects.filter(pk__gte=_first_id_since(first), at__gte=first)
    counted = recent.order_by().annotate(hour=TruncHour("at"))
    counts = dict(counted.values_list("hour").annotate(Count("pk")))
    return _with_zeros(counts, first, timedelta(hours=1), HOURS)


def _first_id_since(moment: datetime) -> int:
    """Return an id shortly before the first log entry since this time, by binary search.

    There is no index on the time, but ids increase with it. The search takes about twenty reads of one row,
    for a log of any length. Imported entries are skipped, because their ids are newer than their times.
    """
    low, high = 0, Move.objects.aggregate(last=Max("pk"))["last"] or 0
    while high - low > _ID_OVERLAP:
        middle = (low + high) // 2
        later = Move.objects.filter(pk__gt=middle, match__imported_at=None).order_by("pk")
        at = later.values_list("at", flat=True).first()
        if at is None or at >= moment:
            high = middle
        else:
            low = middle + 1
    return low - _ID_OVERLAP


@cached_for(CACHE_SECONDS)
def sign_ups_by_day() -> Mapping[datetime, int]:
    """Return the number of accounts, including guests, created on each of the last days; cached."""
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    first = midnight - timedelta(days=DAYS - 1)
    counted = Player.objects.filter(date_joined__gte=first).order_by().annotate(day=TruncDay("date_joined"))
    counts = dict(counted.values_list("day").annotate(Count("pk")))
    return _with_zeros(counts, first, timedelta(days=1), DAYS)


def _with_zeros(
    counts: Mapping[datetime, int], first: datetime, step: timedelta, steps: int
) -> Mapping[datetime, int]:
    """Return the counts of all periods in order, including empty periods."""
    return {each: counts.get(each, 0) for each in (first + step * number for number in range(steps))}


@dataclass(frozen=True, slots=True)
class Backlog:
    """The number of overdue items, and the seconds for which the oldest has been overdue."""

    count: int = 0
    oldest_seconds: float = 0.0


EMPTY_BACKLOG: Final = Backlog()


def overdue_turns() -> Backlog:
    """Return the expired turns of players that the sweep has not processed yet."""
    return _backlog(Match.objects.filter(status=MatchStatus.ACTIVE, deadline__lte=Now()), "deadline")


def waiting_turns() -> Backlog:
    """Return the automatic turns in matches with people that should have been taken.

    They are those of AI seats, caretakers and standing orders. A turn waits until it has been taken, whether
    or not a worker has claimed it.
    """
    return _waiting_turns(~Q(turn_priority=TurnPriority.ONLY_AIS))


def waiting_turns_between_ais() -> Backlog:
    """Return the turns that should have been taken in matches between AIs only.

    Workers take them after all others, so they may wait for long while people play.
    """
    return _waiting_turns(Q(turn_priority=TurnPriority.ONLY_AIS))


def _waiting_turns(condition: Q) -> Backlog:
    waiting = Match.objects.filter(condition, status=MatchStatus.ACTIVE, wake_at__isnull=False)
    # Turns stored by the previous release have only a wake time.
    due = waiting.annotate(due_at=Coalesce("turn_due_at", "wake_at")).filter(due_at__lte=Now())
    return _backlog(due, "due_at")


def seconds_since_heartbeat() -> float | None:
    """Return the seconds since the last heartbeat of the sweep; None if there was none."""
    beat = Heartbeat.objects.annotate(now=Now()).values_list("beat_at", "now").first()
    return None if beat is None else round((beat[1] - beat[0]).total_seconds(), 1)


def overdue_deliveries() -> Backlog:
    """Return the webhook deliveries that are due, including retries."""
    return _backlog(Delivery.objects.filter(due_at__lte=Now()), "due_at")


def overdue_mails() -> Backlog:
    """Return the mails and push messages that are due."""
    return _backlog(Notice.objects.filter(due_at__lte=Now()), "due_at")


def waiting_analyses() -> Backlog:
    """Return the requested analyses of which no decision has been analysed yet."""
    return _backlog(Analysis.objects.filter(wake_at__isnull=False, done=0), "begun_at")


def unfinished_verifications() -> Backlog:
    """Return the verifications of records that have neither a verdict nor failed."""
    return _backlog(RecordVerification.objects.filter(wake_at__isnull=False), "created_at")


def failing_deliveries() -> int:
    """Return the number of webhook deliveries that have failed and will be retried."""
    return Delivery.objects.filter(due_at__isnull=False, tried__gt=0).count()


def failing_mails() -> int:
    """Return the number of mails and push messages that have failed and will be retried."""
    return Notice.objects.filter(tried__gt=0).count()


def _backlog(due: QuerySet[Any], since: str) -> Backlog:
    oldest = due.order_by(since).annotate(now=Now()).values_list(since, "now").first()
    if oldest is None:
        return EMPTY_BACKLOG
    since_time, now = oldest
    return Backlog(due.count(), round((now - since_time).total_seconds(), 1))


def events_written() -> int:
    """Return the number of log entries, estimated by the highest id."""
    return Move.objects.aggregate(last=Max("pk"))["last"] or 0
