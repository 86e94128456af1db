"""What operators look at: counts that stay quick however many matches are stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import Lower, TruncDay, TruncHour
from django.utils import timezone

from games.models import Delivery, Match, MatchStatus, Move, Player, Seat, Webhook
from games.models.match_id import PREFIX
from games.selectors.kept_counts import kept_for

HOURS: Final = 24
DAYS: Final = 14
_ACROSS: Final = 1_000
# How long a count of everything is good for.
SECONDS_KEPT: Final = 60.0


@kept_for(SECONDS_KEPT)
def matches_by_status() -> dict[str, int]:
    """How many matches stand so, every status named: of a minute ago at most, since it looks at all."""
    counted = Match.objects.order_by().values_list("status").annotate(Count("pk"))
    return {**dict.fromkeys(MatchStatus.values, 0), **dict(counted)}


@dataclass(frozen=True, slots=True)
class Failing:
    """How deliveries go: endpoints that fail just now, those that were stopped, and what waits to be sent."""

    endpoints: int
    stopped: int
    pending: int


def failing_endpoints() -> Failing:
    """Count them; what waits is on an index of its own."""
    failing = Webhook.objects.filter(active=True, failing_since__isnull=False)
    return Failing(
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


@kept_for(SECONDS_KEPT)
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


def matches_found(matches: "QuerySet[Match]", wanted: str) -> "QuerySet[Match]":
    """The matches whose id begins so, or in which a player of this name has a seat."""
    term = wanted.strip()
    if not term:
        return matches
    if term.startswith(PREFIX):
        return matches.filter(pk__gte=term, pk__lt=term + "\x7f")
    players = Player.objects.alias(lowered=Lower("username")).filter(lowered=term.lower())
    return matches.filter(pk__in=Seat.objects.filter(player__in=players).values("match_id"))


def players_found(players: "QuerySet[Player]", wanted: str) -> "QuerySet[Player]":
    """The players whose name begins so, or whose address it is."""
    term = wanted.strip().lower()
    if not term:
        return players
    if "@" in term:
        return players.alias(address=Lower("email")).filter(address=term)
    return players.alias(lowered=Lower("username")).filter(lowered__gte=term, lowered__lt=term + "\x7f")


def webhooks_found(webhooks: "QuerySet[Webhook]", wanted: str) -> "QuerySet[Webhook]":
    """The endpoint of this id, or those of the player of this name."""
    term = wanted.strip().lower()
    if not term:
        return webhooks
    players = Player.objects.alias(lowered=Lower("username")).filter(lowered=term)
    return webhooks.filter(Q(public_id=term) | Q(player__in=players))
