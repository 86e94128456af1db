"""Determine the webhook deliveries and notices that are written together with an event.

The statement that writes the event selects the webhooks by `Recipients` and inserts the notices. Workers send
both later from the database.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, time, timedelta
from functools import cache
from importlib.util import find_spec
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings

from games.gateway.documents import LogEntry
from games.matches.models.log import MAIL_CHANNELS, YOUR_TURN, EventType, NoticeChannel, NoticeKind
from games.matches.models.match import SeatState, Visibility
from games.matches.store import MatchRow, SeatRow

# With shorter turns than this, a mail would arrive too late.
LIVE_SECONDS: Final = 600
# The delay of a push message is at most this part of the turn.
MAX_PUSH_DELAY_RATIO: Final = 0.25
NO_DELAY: Final[Mapping[NoticeChannel, timedelta]] = dict.fromkeys(NoticeChannel, timedelta())
# When digests are sent, in the time zone of the player.
DIGEST_AT: Final = time(8)
PUSH_PACKAGES: Final = ("pywebpush", "py_vapid")

_NO_PREFERENCES: Final = (None, "{}")
_INACTIVE_STATES: Final = frozenset({SeatState.DECLINED, SeatState.RESIGNED})
# Entries of which the player of their seat is notified.
_SEAT_NOTICES: Final[Mapping[str, NoticeKind]] = {
    EventType.CARETAKER: NoticeKind.CARETAKER,
    EventType.INVITED: NoticeKind.INVITATION,
}
_LEAVING_EVENTS: Final = frozenset({EventType.DECLINED, EventType.RESIGNED})
_ACTIVE_STATES: Final = frozenset({SeatState.PLAYING, SeatState.CARETAKER})
# Events after which a turn begins again, even if the same seat is to act.
_TURN_RESTARTING_EVENTS: Final = frozenset({EventType.RESUMED, EventType.RECLAIMED})


class Recipients(NamedTuple):
    """The webhooks that an event is delivered to.

    `player_ids` are the players of the match, and `seat_numbers` their seats; `visible_to` those who may see
    it, or `None` for everybody. `types` are the types of the event and of the events it caused, and
    `your_turn` if a turn begins; `turn_of` is the player whose turn begins.
    """

    player_ids: list[int]
    seat_numbers: list[int]
    visible_to: list[int] | None
    types: list[str]
    turn_of: int | None


class NoticeRow(NamedTuple):
    """A notice for one player, due by mail or push at `due_at`."""

    player_id: int
    kind: NoticeKind
    way: NoticeChannel
    due_at: datetime


def recipients(before: MatchRow, after: MatchRow, entry: LogEntry) -> Recipients:
    """Return the recipients of a log entry, including a player who leaves the match with it."""
    seats = before.seats if after.seats is before.seats else before.seats + after.seats
    leaving = entry["seat"] if entry["type"] in _LEAVING_EVENTS else None
    turn = seat_whose_turn_begins(before, after, entry)
    numbers = {
        each.player_id: each.number
        for each in seats
        if each.player_id is not None and (each.state not in _INACTIVE_STATES or each.number == leaving)
    }
    return Recipients(
        player_ids=list(numbers),
        seat_numbers=list(numbers.values()),
        visible_to=None if before.visibility != Visibility.PRIVATE else [before.maker_id, *_players(seats)],
        types=types_of(entry) if turn is None else [*types_of(entry), YOUR_TURN],
        turn_of=None if turn is None else turn.player_id,
    )


def _players(seats: Iterable[SeatRow]) -> list[int]:
    """Return the ids of the players of these seats without duplicates."""
    return list(dict.fromkeys([each.player_id for each in seats if each.player_id is not None]))


def types_of(entry: LogEntry) -> list[str]:
    """Return the types of an entry and of the events it caused, without duplicates.

    >>> types_of({"type": "play", "then": [{"type": "out"}, {"type": "out"}]})
    ['play', 'out']
    """
    return list(dict.fromkeys([entry["type"], *[each["type"] for each in entry["then"]]]))


def seat_whose_turn_begins(before: MatchRow, after: MatchRow, entry: LogEntry) -> SeatRow | None:
    """Return the seat of the player whose turn begins with this entry, or `None`.

    No turn begins if the same seat stays to act, for instance after a bet of another seat or between an award
    and the lead. But it does if the seat has ended a round and leads the next one.
    """
    to_act = entry["next"]["to_act"]
    if to_act is None or (to_act == before.to_act and not _restarts_turn(entry)):
        return None
    seat = after.seats[to_act]
    return None if seat.is_automatic or seat.player_id is None else seat


def _restarts_turn(entry: LogEntry) -> bool:
    """Return whether the seat to act has a new turn after this entry, even if it acted before."""
    if entry["type"] in _TURN_RESTARTING_EVENTS:
        return True
    return any(each["type"] == "deal" for each in entry["then"])


def notices_of(before: MatchRow, after: MatchRow, entry: LogEntry) -> list[NoticeRow]:
    """Return the notices of an entry according to the preferences of the players."""
    if not [seat for seat in after.seats if seat.preferences not in _NO_PREFERENCES]:
        return []
    notices: list[NoticeRow] = []
    turn = seat_whose_turn_begins(before, after, entry)
    if turn is not None:
        notices += notices_for(turn, NoticeKind.YOUR_TURN, before.now, turn_notice_delays(before))
    seat_notice = _SEAT_NOTICES.get(entry["type"])
    if seat_notice is not None and entry["seat"] is not None:
        notices += notices_for(after.seats[entry["seat"]], seat_notice, before.now)
    if any(each["type"] == "match_end" for each in entry["then"]):
        for seat in after.seats:
            if seat.state in _ACTIVE_STATES:
                notices += notices_for(seat, NoticeKind.MATCH_END, before.now)
    return notices


def turn_notice_delays(row: MatchRow) -> dict[NoticeChannel, timedelta]:
    """Return the delay of a turn notice for each channel; a player who acts earlier receives none."""
    push = float(settings.HAGGIS_TURN_PUSH_SECONDS)
    if row.turn_seconds is not None:
        push = min(push, row.turn_seconds * MAX_PUSH_DELAY_RATIO)
    delays = {NoticeChannel.PUSH: timedelta(seconds=push)}
    if row.turn_seconds is None or row.turn_seconds > LIVE_SECONDS:
        mail = timedelta(seconds=settings.HAGGIS_TURN_MAIL_SECONDS)
        delays |= dict.fromkeys(MAIL_CHANNELS, mail)
    return delays


def notices_for(
    seat: SeatRow, kind: NoticeKind, now: datetime, delays: Mapping[NoticeChannel, timedelta] = NO_DELAY
) -> Iterator[NoticeRow]:
    """Yield the notices of one kind for the player of a seat, for each enabled channel."""
    for way in _wanted_channels(seat, kind):
        if seat.player_id is not None and way in delays:
            digest = way == NoticeChannel.DIGEST
            due_at = next_digest(now, seat.time_zone or "UTC") if digest else now + delays[way]
            yield NoticeRow(seat.player_id, kind, way, due_at)


def _wanted_channels(seat: SeatRow, kind: NoticeKind) -> Iterator[NoticeChannel]:
    preferences = json.loads(seat.preferences or "{}")
    for way in NoticeChannel:
        if kind in preferences.get(way, ()) and (
            push_is_offered() if way == NoticeChannel.PUSH else seat.has_confirmed_email
        ):
            yield way


def next_digest(now: datetime, time_zone: str) -> datetime:
    """Return when the next digest is sent to a player in this time zone.

    >>> from datetime import UTC
    >>> next_digest(datetime(2026, 7, 1, 6, 59, tzinfo=UTC), "Europe/London").isoformat()
    '2026-07-01T08:00:00+01:00'
    """
    local = now.astimezone(ZoneInfo(time_zone))
    today = datetime.combine(local.date(), DIGEST_AT, local.tzinfo)
    return (
        today
        if today > local
        else datetime.combine(local.date() + timedelta(days=1), DIGEST_AT, local.tzinfo)
    )


def push_is_offered() -> bool:
    """Return whether push messages can be sent: a signing key is set and the packages are installed."""
    return bool(settings.HAGGIS_PUSH_KEY) and push_packages_are_installed()


@cache
def push_packages_are_installed() -> bool:
    """Return whether the packages of requirements-push.in are installed."""
    return all(find_spec(name) is not None for name in PUSH_PACKAGES)
