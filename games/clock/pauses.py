"""Pauses: a match stands still when all who play in it want it to, and goes on when all want that.

Who asks first asks the others, for all to see; when the last one asks too, it is done. A match can be paused
for so long in all, and then goes on by itself.
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from games.clock.turn_events import current_timing, pause_event, resumption_event, turn_event
from games.core.errors import Problem
from games.identity.models import Player
from games.matches.commit import Event
from games.matches.entries import commit_or_conflict
from games.matches.models.log import Actor, EventType
from games.matches.models.match import MatchStatus, PauseRequest, SeatState
from games.matches.publish import publish
from games.matches.queries import render_table
from games.matches.store import MatchRow, SeatRow, lock_and_read_match, read_match, require_seat

Form = dict[str, Any]


def request_pause(*, match_id: str, player: Player) -> Form:
    """Want a pause; the match is paused when everybody does."""
    return _request(match_id, player, PauseRequest.PAUSE)


def request_resume(*, match_id: str, player: Player) -> Form:
    """Want to play on; the match goes on when everybody does."""
    return _request(match_id, player, PauseRequest.RESUME)


def withdraw_pause(*, match_id: str, player: Player) -> Form:
    """Want no pause any more. Without having asked it changes nothing."""
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        seat = _require_own_seat(row, player)
        if seat.asks == PauseRequest.PAUSE:
            publish(commit_or_conflict(_ask_event(row, seat, EventType.PAUSE_ASKED, PauseRequest.NOTHING)))
    return render_table(read_match(match_id, player), player)


def _request(match_id: str, player: Player, what: PauseRequest) -> Form:
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        seat = _require_own_seat(row, player)
        _refuse_at_the_wrong_time(row, what)
        if all(each.asks == what for each in _human_seats(row) if each.number != seat.number):
            publish(commit_or_conflict(_write_agreed(row, seat, what)))
        elif seat.asks != what:
            event = EventType.PAUSE_ASKED if what == PauseRequest.PAUSE else EventType.RESUME_ASKED
            publish(commit_or_conflict(_ask_event(row, seat, event, what)))
    return render_table(read_match(match_id, player), player)


def _require_own_seat(row: MatchRow, player: Player) -> SeatRow:
    seat = require_seat(row, player)
    if seat.state == SeatState.CARETAKER:
        raise Problem("caretaker_playing")
    return seat


def _refuse_at_the_wrong_time(row: MatchRow, what: PauseRequest) -> None:
    if what == PauseRequest.RESUME:
        if row.status != MatchStatus.PAUSED:
            raise Problem("match_not_paused")
        return
    if row.status != MatchStatus.ACTIVE:
        raise Problem("match_not_active")
    if not row.pauses:
        raise Problem("pauses_off")
    if longest_pause(row) <= timedelta():
        raise Problem("limit_reached", "This match has been paused for as long as a match can be.")


def longest_pause(row: MatchRow) -> timedelta:
    """How long a match can still be paused."""
    return timedelta(seconds=settings.HAGGIS_PAUSE_SECONDS - row.paused_seconds)


def _human_seats(row: MatchRow) -> list[SeatRow]:
    """Those who have to agree: all who play for themselves."""
    return [seat for seat in row.seats if not seat.is_automatic]


def _write_agreed(row: MatchRow, seat: SeatRow, what: PauseRequest) -> Event:
    if what == PauseRequest.RESUME:
        return resumption_event(row, by=Actor.PLAYER, seat=seat.number)
    return pause_event(row, by=Actor.PLAYER, seat=seat.number, longest=longest_pause(row))


def _ask_event(row: MatchRow, seat: SeatRow, event: EventType, asks: PauseRequest) -> Event:
    """Return the event of a player who asks, or asks no more; the entry names all who ask now."""
    after = row.with_seat(seat._replace(asks=asks))
    said = {"asked_by": [each.number for each in after.seats if each.asks]}
    timing = current_timing(row)
    return turn_event(row, event, timing, by=Actor.PLAYER, seat=seat.number, said=said, seats=after.seats)
