"""Who is notified of an event by webhook, mail and push: the rows of both outboxes, written with the event.

The write of an event looks for the webhooks (`Recipients` is what it asks for) and brings its notices along.
Workers send them later, from the database.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, time, timedelta
from functools import cache
from importlib.util import find_spec
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings

from games.matches.models.log import MAIL_CHANNELS, EventType, NoticeChannel, NoticeKind
from games.matches.models.match import SeatState, Visibility
from games.matches.store import MatchRow, SeatRow

Entry = Mapping[str, Any]

# A mail about a shorter turn would come too late.
LIVE_SECONDS: Final = 600
# A push message about a short turn leaves the greater part of it.
MAX_PART_WAITED_LENGTH: Final = 0.25
NO_DELAY: Final[Mapping[NoticeChannel, timedelta]] = dict.fromkeys(NoticeChannel, timedelta())
# When digests are sent, by the player's own clock.
DIGEST_AT: Final = time(8)
PUSH_PACKAGES: Final = ("pywebpush", "py_vapid")

_NO_PREFERENCES: Final = (None, "{}")
_INACTIVE_STATES: Final = frozenset({SeatState.DECLINED, SeatState.RESIGNED})
_LEAVING: Final = frozenset({EventType.DECLINED, EventType.RESIGNED})
_ACTIVE_STATES: Final = frozenset({SeatState.PLAYING, SeatState.CARETAKER})
# After these events a turn begins again, even if it was this seat's before.
_BEGIN_AGAIN: Final = frozenset({EventType.RESUMED, EventType.RECLAIMED})


class Recipients(NamedTuple):
    """Which webhooks an event is for.

    `people` are the players whose match it is, `may_see` all who may see it, None if everybody may. `types`
    are what the event is and brings about; `turn_of` is the player whose turn begins with it.
    """

    people: list[int]
    may_see: list[int] | None
    types: list[str]
    turn_of: int | None


class NoticeRow(NamedTuple):
    """A notice for one player, to be sent by mail or push at `due_at`."""

    player_id: int
    kind: NoticeKind
    way: NoticeChannel
    due_at: datetime


def recipients(before: MatchRow, after: MatchRow, entry: Entry) -> Recipients:
    """Return for whom an entry of the log is; a player who leaves by it is among them."""
    seats = before.seats if after.seats is before.seats else before.seats + after.seats
    leaving = entry["seat"] if entry["type"] in _LEAVING else None
    turn = seat_whose_turn_begins(before, after, entry)
    return Recipients(
        people=_players(
            [each for each in seats if each.state not in _INACTIVE_STATES or each.number == leaving]
        ),
        may_see=None if before.visibility != Visibility.PRIVATE else [before.maker_id, *_players(seats)],
        types=types_of(entry),
        turn_of=None if turn is None else turn.player_id,
    )


def _players(seats: Iterable[SeatRow]) -> list[int]:
    """Return the players of these seats, each once."""
    return list(dict.fromkeys([each.player_id for each in seats if each.player_id is not None]))


def types_of(entry: Entry) -> list[str]:
    """Return what an entry is and what it brought about, each once.

    >>> types_of({"type": "play", "then": [{"type": "out"}, {"type": "out"}]})
    ['play', 'out']
    """
    return list(dict.fromkeys([entry["type"], *[each["type"] for each in entry["then"]]]))


def seat_whose_turn_begins(before: MatchRow, after: MatchRow, entry: Entry) -> SeatRow | None:
    """Return the seat of a player whose turn begins with this entry.

    A player who acts again has no new turn, nor one against whom somebody bets.
    """
    to_act = entry["next"]["to_act"]
    if to_act is None or (to_act == before.to_act and entry["type"] not in _BEGIN_AGAIN):
        return None
    seat = after.seats[to_act]
    return None if seat.is_automatic or seat.player_id is None else seat


def notices_of(before: MatchRow, after: MatchRow, entry: Entry) -> list[NoticeRow]:
    """Return the notices of an entry, for the players who want them."""
    if not [seat for seat in after.seats if seat.preferences not in _NO_PREFERENCES]:
        return []
    notices: list[NoticeRow] = []
    turn = seat_whose_turn_begins(before, after, entry)
    if turn is not None:
        notices += notices_for(turn, NoticeKind.YOUR_TURN, before.now, turn_notice_delays(before))
    if entry["type"] == EventType.CARETAKER:
        notices += notices_for(after.seats[entry["seat"]], NoticeKind.CARETAKER, before.now)
    if entry["type"] == EventType.INVITED:
        notices += notices_for(after.seats[entry["seat"]], NoticeKind.INVITATION, before.now)
    if any(each["type"] == "match_end" for each in entry["then"]):
        for seat in after.seats:
            if seat.state in _ACTIVE_STATES:
                notices += notices_for(seat, NoticeKind.MATCH_END, before.now)
    return notices


def turn_notice_delays(row: MatchRow) -> dict[NoticeChannel, timedelta]:
    """Return how long a player may take to notice a turn before each way of telling them."""
    push = float(settings.HAGGIS_TURN_PUSH_SECONDS)
    if row.turn_seconds is not None:
        push = min(push, row.turn_seconds * MAX_PART_WAITED_LENGTH)
    waits = {NoticeChannel.PUSH: timedelta(seconds=push)}
    if row.turn_seconds is None or row.turn_seconds > LIVE_SECONDS:
        mail = timedelta(seconds=settings.HAGGIS_TURN_MAIL_SECONDS)
        waits |= dict.fromkeys(MAIL_CHANNELS, mail)
    return waits


def notices_for(
    seat: SeatRow, kind: NoticeKind, now: datetime, waits: Mapping[NoticeChannel, timedelta] = NO_DELAY
) -> Iterator[NoticeRow]:
    """Yield the notices of one kind for the player of a seat, in each way that they want."""
    for way in _ways_wanted(seat, kind):
        if seat.player_id is not None and way in waits:
            digest = way == NoticeChannel.DIGEST
            due_at = next_digest(now, seat.time_zone or "UTC") if digest else now + waits[way]
            yield NoticeRow(seat.player_id, kind, way, due_at)


def _ways_wanted(seat: SeatRow, kind: NoticeKind) -> Iterator[NoticeChannel]:
    preferences = json.loads(seat.preferences or "{}")
    for way in NoticeChannel:
        if kind in preferences.get(way, ()) and (
            push_is_offered() if way == NoticeChannel.PUSH else seat.mailed
        ):
            yield way


def next_digest(now: datetime, time_zone: str) -> datetime:
    """Return when the next digest goes out to somebody in this time zone.

    >>> from datetime import UTC
    >>> next_digest(datetime(2026, 7, 1, 6, 59, tzinfo=UTC), "Europe/London").isoformat()
    '2026-07-01T08:00:00+01:00'
    """
    here = now.astimezone(ZoneInfo(time_zone))
    today = datetime.combine(here.date(), DIGEST_AT, here.tzinfo)
    return (
        today if today > here else datetime.combine(here.date() + timedelta(days=1), DIGEST_AT, here.tzinfo)
    )


def push_is_offered() -> bool:
    """Whether this service sends push messages: it has a key to sign with, and the packages to encrypt."""
    return bool(settings.HAGGIS_PUSH_KEY) and push_packages_are_installed()


@cache
def push_packages_are_installed() -> bool:
    """Whether the packages of requirements-push.in are there."""
    return all(find_spec(name) is not None for name in PUSH_PACKAGES)
