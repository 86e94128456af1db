"""What the clock has to do now, in one small query: whether there is anything of each kind."""

from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any, Final

from django.db import connection
from django.db.models import Exists, F, QuerySet
from django.db.models.functions import Now

from games.models import Heartbeat, Match, MatchStatus, Outage, Player, Seat

# It is noted that the clock beats when it was not for so long, so that an idle service hardly writes.
NOTED_AFTER: Final = timedelta(seconds=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """Whether there is anything to do; without a heartbeat, that there is none."""

    beat: bool = True
    outages: bool = False
    deadlines: bool = False
    reminders: bool = False
    pauses: bool = False
    vacations: bool = False
    orders: bool = False
    turns: bool = False


def what_is_due() -> Due:
    """Look at the indexes of everything that is waited for."""
    names, statement, parameters = _statement(connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        found = cursor.fetchone()
    return Due() if found is None else Due(**dict(zip(names, map(bool, found), strict=True)))


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
        "beat": Exists(Heartbeat.objects.filter(beat_at__lte=Now() - NOTED_AFTER)),
        "outages": Exists(Outage.objects.filter(done=False)),
        "deadlines": Exists(active.filter(deadline__lte=Now())),
        "reminders": Exists(active.filter(remind_at__lte=Now())),
        "pauses": Exists(paused.filter(paused_until__lte=Now())),
        "vacations": Exists(Player.objects.filter(vacation_until__lte=Now())),
        "orders": Exists(missed_orders()),
        "turns": Exists(active.filter(wake_at__lte=Now())),
    }


def missed_orders() -> QuerySet[Seat]:
    """Seats whose turn it is, which have an order that nobody was woken for."""
    return Seat.objects.filter(
        live=True, match__status=MatchStatus.ACTIVE, match__wake_at=None, match__to_act=F("number")
    ).exclude(standing_trick="")
