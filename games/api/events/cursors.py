"""How far a player has been told of all tables, as one opaque word that a client keeps and shows again."""

import base64
import binascii
import json
import re
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, Final

from django.db import connection
from rest_framework.request import Request

from games.api.parameters import unreadable
from games.selectors.player_events import Place

_LONGEST: Final = 4000
_LARGEST: Final = 2**63 - 1
_MOMENTS: Final = {
    "postgresql": re.compile(
        r"[1-9][0-9]{0,18}:[1-9][0-9]{0,18}:(?:[0-9]{1,19}(?:,[0-9]{1,19})*)?", re.ASCII
    ),
    "sqlite": re.compile(r"[0-9]{1,18}", re.ASCII),
}


def cursor_of(place: Place) -> str:
    """Write a place.

    >>> at = datetime(2026, 2, 3, tzinfo=UTC)
    >>> cursor_of(Place("17", at))
    'WyIxNyIsMTc3MDA3NjgwMF0'
    """
    parts: list[Any] = [place.seen, int(place.at.timestamp())]
    if place.then:
        parts += [place.then, int((place.then_at or place.at).timestamp()), place.row]
    plain = json.dumps(parts, separators=(",", ":"))
    return base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")


def place_asked(request: Request) -> Place | None:
    """The place after which a client wants to go on: `Last-Event-ID`, else `?after=` or `?cursor=`."""
    header = request.META.get("HTTP_LAST_EVENT_ID")
    if header:
        return _read(header, "Last-Event-ID")
    for name in ("after", "cursor"):
        if name in request.GET:
            return _read(request.GET[name], name)
    return None


def _read(text: str, name: str) -> Place:
    """Read what `cursor_of` wrote, and nothing that the database could stumble over."""
    try:
        padded = text[:_LONGEST] + "=" * (-len(text) % 4)
        parts = json.loads(base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True))
        return _place(*parts)
    except (ValueError, TypeError, RecursionError, OverflowError, OSError, binascii.Error) as error:
        raise unreadable(name, f"{name} is what an earlier answer gave, unchanged.") from error


def _place(seen: object, at: object, then: object = "", then_at: object = 0, row: object = 0) -> Place:
    return Place(
        _moment(seen),
        _time(at),
        _moment(then) if then else "",
        _time(then_at) if then else None,
        _number(row),
    )


def _moment(value: object) -> str:
    if not isinstance(value, str) or not _MOMENTS[connection.vendor].fullmatch(value):
        raise ValueError("moment")
    numbers = [int(each) for each in re.split("[:,]", value) if each]
    if max(numbers) > _LARGEST or (len(numbers) > 1 and not _is_snapshot(numbers)):
        raise ValueError("moment")
    return value


def _is_snapshot(numbers: list[int]) -> bool:
    """Whether PostgreSQL would take it for one: its transactions in order, between its two ends."""
    first, end, *running = numbers
    in_order = all(earlier < later for earlier, later in pairwise(running))
    return first <= end and in_order and all(first <= each < end for each in running)


def _time(value: object) -> datetime:
    return datetime.fromtimestamp(_number(value), UTC)


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _LARGEST:
        raise ValueError("number")
    return value
