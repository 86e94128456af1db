"""Find due work, usual clocks and vacations."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.db.models import Exists
from django.db.models.functions import Now
from django.utils import timezone

from games.clock.models import Heartbeat, Outage
from games.core.times import format_time
from games.identity.models import Player
from games.matches.models.match import Match, MatchStatus
from games.play.queries import missed_orders

Form = dict[str, Any]

# It is noted that the clock beats when it was not for so long, so that an idle service hardly writes.
HEARTBEAT_INTERVAL: Final = timedelta(seconds=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class DueWork:
    """Whether there is anything to do; without a heartbeat, that there is none."""

    beat: bool = True
    outages: bool = False
    deadlines: bool = False
    reminders: bool = False
    pauses: bool = False
    vacations: bool = False
    orders: bool = False
    turns: bool = False


def find_due_work() -> DueWork:
    """Look at the indexes of everything that is waited for."""
    names, statement, parameters = _statement(connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        found = cursor.fetchone()
    return DueWork() if found is None else DueWork(**dict(zip(names, map(bool, found), strict=True)))


@cache
def _statement(_vendor: str) -> tuple[list[str], str, tuple[Any, ...]]:
    """The query as SQL, put together once: it is asked every second."""
    parts = _parts()
    query = Heartbeat.objects.values(**parts).query
    statement, parameters = query.get_compiler(connection=connection).as_sql()
    return list(parts), statement, tuple(parameters)


def _parts() -> dict[str, Exists]:
    active = Match.objects.filter(status=MatchStatus.ACTIVE)
    paused = Match.objects.filter(status=MatchStatus.PAUSED)
    return {
        "beat": Exists(Heartbeat.objects.filter(beat_at__lte=Now() - HEARTBEAT_INTERVAL)),
        "outages": Exists(Outage.objects.filter(done=False)),
        "deadlines": Exists(active.filter(deadline__lte=Now())),
        "reminders": Exists(active.filter(remind_at__lte=Now())),
        "pauses": Exists(paused.filter(paused_until__lte=Now())),
        "vacations": Exists(Player.objects.filter(vacation_until__lte=Now())),
        "orders": Exists(missed_orders()),
        "turns": Exists(active.filter(wake_at__lte=Now())),
    }


MINUTE: Final = 60
DAY: Final = 24 * 3600


def _clock(key: str, title: str, kind: str, turn_seconds: int, time_bank_seconds: int) -> Form:
    return {
        "key": key,
        "title": title,
        "kind": kind,
        "turn_seconds": turn_seconds,
        "time_bank_seconds": time_bank_seconds,
    }


CLOCK_PRESETS: Final = (
    _clock("one-day", "A day for each turn", "correspondence", DAY, 0),
    _clock("three-days", "Three days for each turn", "correspondence", 3 * DAY, 0),
    _clock("seven-days", "A week for each turn", "correspondence", 7 * DAY, 0),
    _clock("half-minute", "30 seconds for each turn, and two minutes on top", "live", 30, 2 * MINUTE),
    _clock("two-minutes", "Two minutes for each turn, and five on top", "live", 2 * MINUTE, 5 * MINUTE),
)


def list_clock_presets() -> list[Form]:
    """All of them."""
    return [dict(clock) for clock in CLOCK_PRESETS]


def days_of(since: datetime, until: datetime) -> int:
    """The days of a vacation; one that has begun counts.

    >>> since = datetime(2026, 7, 1)
    >>> [days_of(since, datetime(2026, 7, day, hour)) for day, hour in ((1, 0), (2, 0), (2, 1))]
    [1, 1, 2]
    """
    return max(1, -((since - until) // timedelta(days=1)))


def render_vacation(player: Player) -> Form:
    """A player's vacation as they themselves see it."""
    now = timezone.now()
    away = player.vacation_until is not None and player.vacation_until > now
    spent = player.vacation_days if player.vacation_year == now.year else 0
    return {
        "since": format_time(player.vacation_since) if away else None,
        "until": format_time(player.vacation_until) if away else None,
        "days_left": max(0, settings.HAGGIS_VACATION_DAYS - spent),
    }
