"""What a player wants to be told, how and when: by mail at once or once a day, by push, or not at all."""

import json
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from games.models import NoticeKind, NoticeWay
from games.selectors.matches import SeatRow
from games.services.push.offering import is_offered

# By the player's own clock.
DIGEST_AT: Final = time(8)
_NO_WISHES: Final = (None, "{}")


def ways_wanted(seat: SeatRow, kind: NoticeKind) -> Iterator[NoticeWay]:
    """How the player on this seat wants to be told of something of this kind, if at all."""
    if not has_wishes(seat):
        return
    wishes = json.loads(seat.wishes or "{}")
    for way in NoticeWay:
        if kind in wishes.get(way, ()) and (is_offered() if way == NoticeWay.PUSH else seat.mailed):
            yield way


def has_wishes(seat: SeatRow) -> bool:
    """Whether the player on this seat has ever said what to be told of."""
    return seat.wishes not in _NO_WISHES


def next_digest(now: datetime, time_zone: str) -> datetime:
    """The next time that a day's notices go out to somebody who lives by this clock.

    >>> from datetime import UTC
    >>> next_digest(datetime(2026, 7, 1, 6, 59, tzinfo=UTC), "Europe/London").isoformat()
    '2026-07-01T08:00:00+01:00'
    """
    here = now.astimezone(ZoneInfo(time_zone))
    today = datetime.combine(here.date(), DIGEST_AT, here.tzinfo)
    return (
        today if today > here else datetime.combine(here.date() + timedelta(days=1), DIGEST_AT, here.tzinfo)
    )
