"""Sitting down: at an open seat, or at one that was kept."""

from typing import Any

from django.db import transaction

from games.errors import Problem, invalid
from games.gateway.deals import checked_seed
from games.matches.publish import publish
from games.matches.store import MatchRow, SeatRow, read_match
from games.models import EventType, Player, SeatState
from games.selectors.table_form import table_form
from games.services.lobby.admission import refuse_too_many_seats, refuse_unless_ratable
from games.services.lobby.changing import change_seat, start_when_filled
from games.services.lobby.holding import held_seat, hold_match, refuse_unless_open
from games.services.lobby.seats import taken, turned_down

Form = dict[str, Any]


def join_match(*, match_id: str, player: Player, seat: int | None = None, client_seed: str = "") -> Form:
    """Sit down at this seat, or at any that is open; at one's own where a seat is kept for the player."""
    seed = checked_seed(client_seed)
    with transaction.atomic():
        row = hold_match(match_id=match_id, player=player)
        refuse_unless_open(row)
        sit_down(row, player, seat_to_take(row, player, seat), seed)
    return table_form(read_match(match_id, player), player)


def accept_invitation(*, match_id: str, player: Player, client_seed: str = "") -> Form:
    """Sit down at the seat that one is invited to."""
    seed = checked_seed(client_seed)
    with transaction.atomic():
        row = hold_match(match_id=match_id, player=player)
        sit_down(row, player, _invited_seat(row, player), seed)
    return table_form(read_match(match_id, player), player)


def decline_invitation(*, match_id: str, player: Player, reason: str = "") -> Form:
    """Turn an invitation down. The reason is for everybody who may see the match."""
    with transaction.atomic():
        row = hold_match(match_id=match_id, player=player)
        seat = turned_down(_invited_seat(row, player))
        publish(change_seat(row, EventType.DECLINED, seat, {"reason": reason or None}))
    return table_form(read_match(match_id, player), player)


def sit_down(row: MatchRow, player: Player, seat: SeatRow, seed: str) -> None:
    """Take a seat that one may take; the last one starts the match."""
    refuse_unless_ratable(player, rated=row.rated)
    refuse_too_many_seats(player)
    row = change_seat(row, EventType.JOINED, taken(seat, player, seed))
    publish(start_when_filled(row, by_seat=seat.number))


def seat_to_take(row: MatchRow, player: Player, number: int | None) -> SeatRow:
    """The seat that is kept for the player, or the open one that is asked for, or any."""
    held = row.held_by(player)
    if held is not None:
        if held.is_filled or number not in {None, held.number}:
            raise Problem("already_joined", f"Seat {held.number} is yours.", seat=held.number)
        return held
    if number is None:
        free = [seat for seat in row.seats if seat.state == SeatState.OPEN]
        if not free:
            raise Problem("match_full")
        return free[0]
    return _open_seat(row, number)


def _open_seat(row: MatchRow, number: int) -> SeatRow:
    if number >= len(row.seats):
        raise invalid("/seat", "too_large", f"The seats are numbered 0 to {len(row.seats) - 1}.")
    seat = row.seats[number]
    if not any(each.state == SeatState.OPEN for each in row.seats):
        raise Problem("match_full")
    if seat.state != SeatState.OPEN:
        raise Problem("seat_taken")
    return seat


def _invited_seat(row: MatchRow, player: Player) -> SeatRow:
    seat = held_seat(row, player)
    refuse_unless_open(row)
    if seat.state == SeatState.PLAYING:
        raise Problem("already_joined", seat=seat.number)
    if seat.state != SeatState.INVITED:
        raise Problem("not_invited")
    return seat
