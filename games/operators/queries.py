"""Backlogs, statistics and searches for operators."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from time import monotonic
from typing import Any, Final, Generic, TypeVar

from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import Lower, Now, TruncDay, TruncHour
from django.utils import timezone

from games.clock.models import Heartbeat
from games.identity.models import Player
from games.matches.models.log import Move
from games.matches.models.match import PREFIX, Match, MatchStatus, Seat
from games.notifications.models import Delivery, Notice, Webhook

Counted = TypeVar("Counted")


class CachedCount(Generic[Counted]):
    """A count that is made anew only when the last one is older than so many seconds.

    >>> numbers = iter(range(9))
    >>> count = KeptCount(lambda: next(numbers), seconds=60)
    >>> count(), count()
    (0, 0)
    >>> count.forget()
    >>> count()
    1
    """

    def __init__(self, count: Callable[[], Counted], *, seconds: float) -> None:
        self._count = count
        self._seconds = seconds
        self._counting = Lock()
        self._kept: tuple[float, Counted] | None = None

    def __call__(self) -> Counted:
        """Give the count; whoever asks while it is made waits for it."""
        with self._counting:
            if self._kept is None or monotonic() - self._kept[0] >= self._seconds:
                self._kept = monotonic(), self._count()
            return self._kept[1]

    def forget(self) -> None:
        """Count anew the next time."""
        self._kept = None


def cached_for(seconds: float) -> Callable[[Callable[[], Counted]], CachedCount[Counted]]:
    """Make a function of what it counts into a count that is kept."""
    return lambda count: CachedCount(count, seconds=seconds)


HOURS: Final = 24
DAYS: Final = 14
_ACROSS: Final = 1_000
# How long a count of everything is good for.
CACHE_SECONDS: Final = 60.0


@cached_for(CACHE_SECONDS)
def matches_by_status() -> dict[str, int]:
    """How many matches stand so, every status named: of a minute ago at most, since it looks at all."""
    counted = Match.objects.order_by().values_list("status").annotate(Count("pk"))
    return {**dict.fromkeys(MatchStatus.values, 0), **dict(counted)}


@dataclass(frozen=True, slots=True)
class WebhookHealth:
    """How deliveries go: endpoints that fail just now, those that were stopped, and what waits to be sent."""

    endpoints: int
    stopped: int
    pending: int


def webhook_health() -> WebhookHealth:
    """Count them; what waits is on an index of its own."""
    failing = Webhook.objects.filter(active=True, failing_since__isnull=False)
    return WebhookHealth(
        endpoints=failing.count(),
        stopped=Webhook.objects.exclude(stopped_because="").count(),
        pending=Delivery.objects.filter(due_at__isnull=False).count(),
    )


def moves_by_hour() -> Mapping[datetime, int]:
    """Events of the log in each of the last hours; those before them are not looked at."""
    first = timezone.now().replace(minute=0, second=0, microsecond=0) - timedelta(hours=HOURS - 1)
    recent = Move.objects.filter(pk__gte=_first_since(first), at__gte=first)
    counted = recent.order_by().annotate(hour=TruncHour("at"))
    found = dict(counted.values_list("hour").annotate(Count("pk")))
    return _filled(found, first, timedelta(hours=1), HOURS)


def _first_since(moment: datetime) -> int:
    """About where in the log the events since then begin: they are numbered as they come.

    Halving takes some twenty reads of one row each, however long the log is. Events of one moment may be
    numbered across each other, so it begins a little before. Imported ones are numbered late and passed over.
    """
    low, high = 0, Move.objects.aggregate(last=Max("pk"))["last"] or 0
    while high - low > _ACROSS:
        middle = (low + high) // 2
        later = Move.objects.filter(pk__gt=middle, match__imported_at=None).order_by("pk")
        at = later.values_list("at", flat=True).first()
        if at is None or at >= moment:
            high = middle
        else:
            low = middle + 1
    return low - _ACROSS


@cached_for(CACHE_SECONDS)
def sign_ups_by_day() -> Mapping[datetime, int]:
    """Accounts made on each of the last days, guests among them: of a minute ago at most, likewise."""
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    first = midnight - timedelta(days=DAYS - 1)
    counted = Player.objects.filter(date_joined__gte=first).order_by().annotate(day=TruncDay("date_joined"))
    found = dict(counted.values_list("day").annotate(Count("pk")))
    return _filled(found, first, timedelta(days=1), DAYS)


def _filled(
    found: Mapping[datetime, int], first: datetime, step: timedelta, steps: int
) -> Mapping[datetime, int]:
    """The counts with those that are none, in order."""
    return {each: found.get(each, 0) for each in (first + step * number for number in range(steps))}


def search_matches(matches: "QuerySet[Match]", wanted: str) -> "QuerySet[Match]":
    """The matches whose id begins so, or in which a player of this name has a seat."""
    term = wanted.strip()
    if not term:
        return matches
    if term.startswith(PREFIX):
        return matches.filter(pk__gte=term, pk__lt=term + "\x7f")
    players = Player.objects.alias(lowered=Lower("username")).filter(lowered=term.lower())
    return matches.filter(pk__in=Seat.objects.filter(player__in=players).values("match_id"))


def search_players(players: "QuerySet[Player]", wanted: str) -> "QuerySet[Player]":
    """The players whose name begins so, or whose address it is."""
    term = wanted.strip().lower()
    if not term:
        return players
    if "@" in term:
        return players.alias(address=Lower("email")).filter(address=term)
    return players.alias(lowered=Lower("username")).filter(lowered__gte=term, lowered__lt=term + "\x7f")


def search_webhooks(webhooks: "QuerySet[Webhook]", wanted: str) -> "QuerySet[Webhook]":
    """The endpoint of this id, or those of the player of this name."""
    term = wanted.strip().lower()
    if not term:
        return webhooks
    players = Player.objects.alias(lowered=Lower("username")).filter(lowered=term)
    return webhooks.filter(Q(public_id=term) | Q(player__in=players))


@dataclass(frozen=True, slots=True)
class Backlog:
    """How much should have been done by now (turns, mails ...), and how long the oldest has waited."""

    count: int = 0
    oldest_seconds: float = 0.0


EMPTY_BACKLOG: Final = Backlog()


def overdue_turns() -> Backlog:
    """Turns of players whose time is over and on which the clock has not acted yet."""
    return _backlog(Match.objects.filter(status=MatchStatus.ACTIVE, deadline__lte=Now()), "deadline")


def waiting_turns() -> Backlog:
    """Turns that the service itself should be taking: of AI seats, caretakers and standing orders."""
    return _backlog(Match.objects.filter(status=MatchStatus.ACTIVE, wake_at__lte=Now()), "wake_at")


def seconds_since_heartbeat() -> float | None:
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
        return EMPTY_BACKLOG
    then, now = oldest
    return Backlog(due.count(), round((now - then).total_seconds(), 1))


def events_written() -> int:
    """How many events all logs hold, as their numbers tell; none of them is ever deleted one by one."""
    return Move.objects.aggregate(last=Max("pk"))["last"] or 0
