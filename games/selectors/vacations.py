"""Whether a player is away, and how long they may still be."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from games.models import Player
from games.times import rfc3339

Form = dict[str, Any]


def days_of(since: datetime, until: datetime) -> int:
    """The days of a vacation; one that has begun counts.

    >>> since = datetime(2026, 7, 1)
    >>> [days_of(since, datetime(2026, 7, day, hour)) for day, hour in ((1, 0), (2, 0), (2, 1))]
    [1, 1, 2]
    """
    return max(1, -((since - until) // timedelta(days=1)))


def vacation_form(player: Player) -> Form:
    """A player's vacation as they themselves see it."""
    now = timezone.now()
    away = player.vacation_until is not None and player.vacation_until > now
    spent = player.vacation_days if player.vacation_year == now.year else 0
    return {
        "since": rfc3339(player.vacation_since) if away else None,
        "until": rfc3339(player.vacation_until) if away else None,
        "days_left": max(0, settings.HAGGIS_VACATION_DAYS - spent),
    }
