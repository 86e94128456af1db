"""Queries for due work, clock presets and vacations."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final, NamedTuple, TypedDict

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

# The heartbeat is written at most this often, so that an idle service hardly writes.
HEARTBEAT_INTERVAL: Final = timedelta(seconds=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class DueWork:
    """Which kinds of work are due. Before the first heartbeat only `beat` is."""

    beat: bool = True
    outages: bool = False
    deadlines: bool = False
    reminders: bool = False
    pauses: bool = False
    vacations: bool = False
    orders: bool = False
    turns: bool = False


def find_due_work() -> DueWork:
    """Return which kinds of work are due, in a single query on partial indexes."""
    names, statement, parameters = _compiled_query(connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        values = cursor.fetchone()
    return DueWork() if values is None else DueWork(**dict(zip(names, map(bool, values), strict=True)))


@cache
def _compiled_query(_vendor: str) -> tuple[list[str], str, tuple[Any, ...]]:
    """Compile the query once per process, because it runs every second."""
    conditions = _conditions()
    query = Heartbeat.objects.values(**conditions).query
    statement, parameters = query.get_compiler(connection=connection).as_sql()
    return list(conditions), statement, tuple(parameters)


def _conditions() -> dict[str, Exists]:
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


class ClockPreset(NamedTuple):
    """A commonly used clock."""

    key: str
    title: str
    kind: str
    turn_seconds: int
    time_bank_seconds: int


CLOCK_PRESETS: Final = (
    ClockPreset("one-day", "A day for each turn", "correspondence", DAY, 0),
    ClockPreset("three-days", "Three days for each turn", "correspondence", 3 * DAY, 0),
    ClockPreset("seven-days", "A week for each turn", "correspondence", 7 * DAY, 0),
    ClockPreset("half-minute", "30 seconds for each turn, and two minutes on top", "live", 30, 2 * MINUTE),
    ClockPreset("two-minutes", "Two minutes for each turn, and five on top", "live", 2 * MINUTE, 5 * MINUTE),
)


def list_clock_presets() -> list[dict[str, str | int]]:
    """Return all clock presets."""
    return [preset._asdict() for preset in CLOCK_PRESETS]


def count_vacation_days(since: datetime, until: datetime) -> int:
    """Count the days of a vacation; a started day counts as a full day.

    >>> since = datetime(2026, 7, 1)
    >>> [count_vacation_days(since, datetime(2026, 7, day, hour)) for day, hour in ((1, 0), (2, 0), (2, 1))]
    [1, 1, 2]
    """
    return max(1, -((since - until) // timedelta(days=1)))


class VacationDocument(TypedDict):
    """The vacation of a player as shown to themselves."""

    since: str | None
    until: str | None
    days_left: int


def render_vacation(player: Player) -> VacationDocument:
    """Return the vacation of a player as shown to themselves."""
    now = timezone.now()
    is_away = player.vacation_until is not None and player.vacation_until > now
    days_used = player.vacation_days if player.vacation_year == now.year else 0
    return {
        "since": format_time(player.vacation_since) if is_away else None,
        "until": format_time(player.vacation_until) if is_away else None,
        "days_left": max(0, settings.HAGGIS_VACATION_DAYS - days_used),
    }
