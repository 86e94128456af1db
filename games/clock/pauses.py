"""Pause and resume matches by consent of all players.

A request is visible to all; when the last player requests the same, the match is paused or resumed. The total
length of the pauses of a match is limited, after which it resumes automatically.
"""

from datetime import timedelta

from django.conf import settings
from django.db import transaction

from games.clock.turn_events import current_timing, pause_event, resumption_event, turn_event
from games.core.errors import Problem
from games.core.languages import message
from games.gateway.documents import EntryFields
from games.identity.models import Player
from games.matches.commit import Event
from games.matches.documents import TableDocument
from games.matches.entries import commit_or_conflict
from games.matches.models.log import Actor, EventType
from games.matches.models.match import MatchStatus, PauseRequest
from games.matches.publish import publish
from games.matches.queries import render_table
from games.matches.store import (
    MatchRow,
    SeatRow,
    lock_and_read_match,
    read_match,
    require_no_caretaker,
    require_seat,
)


def request_pause(*, match_id: str, player: Player) -> TableDocument:
    """Request a pause; the match is paused when all players have requested it."""
    return _request(match_id, player, PauseRequest.PAUSE)


def request_resume(*, match_id: str, player: Player) -> TableDocument:
    """Request to resume; the match resumes when all players have requested it."""
    return _request(match_id, player, PauseRequest.RESUME)


def withdraw_pause(*, match_id: str, player: Player) -> TableDocument:
    """Withdraw a pause request; do nothing if there is none."""
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        seat = require_seat(row, player)
        require_no_caretaker(seat)
        if seat.asks == PauseRequest.PAUSE:
            publish(
                commit_or_conflict(_request_event(row, seat, EventType.PAUSE_ASKED, PauseRequest.NOTHING))
            )
    return render_table(read_match(match_id, player), player)


def _request(match_id: str, player: Player, request: PauseRequest) -> TableDocument:
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        seat = require_seat(row, player)
        require_no_caretaker(seat)
        _require_allowed(row, request)
        if all(each.asks == request for each in _human_seats(row) if each.number != seat.number):
            publish(commit_or_conflict(_agreed_event(row, seat, request)))
        elif seat.asks != request:
            event = EventType.PAUSE_ASKED if request == PauseRequest.PAUSE else EventType.RESUME_ASKED
            publish(commit_or_conflict(_request_event(row, seat, event, request)))
    return render_table(read_match(match_id, player), player)


def _require_allowed(row: MatchRow, request: PauseRequest) -> None:
    if request == PauseRequest.RESUME:
        if row.status != MatchStatus.PAUSED:
            raise Problem("match_not_paused")
        return
    if row.status != MatchStatus.ACTIVE:
        raise Problem("match_not_active")
    if not row.pauses:
        raise Problem("pauses_off")
    if longest_pause(row) <= timedelta():
        raise Problem("limit_reached", message("This match has used up its maximum pause."))


def longest_pause(row: MatchRow) -> timedelta:
    """Return for how long a match can still be paused."""
    return timedelta(seconds=settings.HAGGIS_PAUSE_SECONDS - row.paused_seconds)


def _human_seats(row: MatchRow) -> list[SeatRow]:
    """Return the seats whose players have to agree: those not played by an AI."""
    return [seat for seat in row.seats if not seat.is_automatic]


def _agreed_event(row: MatchRow, seat: SeatRow, request: PauseRequest) -> Event:
    if request == PauseRequest.RESUME:
        return resumption_event(row, by=Actor.PLAYER, seat=seat.number)
    return pause_event(row, by=Actor.PLAYER, seat=seat.number, longest=longest_pause(row))


def _request_event(row: MatchRow, seat: SeatRow, event: EventType, asks: PauseRequest) -> Event:
    """Return the event of a request or its withdrawal; its log entry lists all current requests."""
    after = row.with_seat(seat._replace(asks=asks))
    details: EntryFields = {"asked_by": [each.number for each in after.seats if each.asks]}
    timing = current_timing(row)
    return turn_event(
        row, event, timing, by=Actor.PLAYER, seat=seat.number, fields=details, seats=after.seats
    )
