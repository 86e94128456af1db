"""Join, decline, leave and cancel."""

from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from games.core.errors import Problem, invalid_field
from games.gateway.agreement import validate_client_seed
from games.identity.models import Player
from games.lobby.services.seats import (
    change_seat,
    declined_seat,
    open_seat,
    refuse_too_many_seats,
    refuse_unless_maker,
    refuse_unless_open,
    refuse_unless_ratable,
    require_own_seat,
    seat_taken_by,
    start_when_filled,
)
from games.matches.commit import Event
from games.matches.entries import after_event, build_entry, commit_or_conflict
from games.matches.models.log import Actor, EventType
from games.matches.models.match import Match, MatchStatus, Seat, SeatState, Visibility
from games.matches.publish import publish
from games.matches.queries import IN_PLAY, render_table
from games.matches.store import MatchRow, SeatRow, find_match, lock_and_read_match, read_match, require_seat
from games.play.resignation import resign

Form = dict[str, Any]


def join_match(*, match_id: str, player: Player, seat: int | None = None, client_seed: str = "") -> Form:
    """Sit down at this seat, or at any that is open; at one's own where a seat is kept for the player."""
    seed = validate_client_seed(client_seed)
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        refuse_unless_open(row)
        take_seat(row, player, choose_seat(row, player, seat), seed)
    return render_table(read_match(match_id, player), player)


def accept_invitation(*, match_id: str, player: Player, client_seed: str = "") -> Form:
    """Sit down at the seat that one is invited to."""
    seed = validate_client_seed(client_seed)
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        take_seat(row, player, _invited_seat(row, player), seed)
    return render_table(read_match(match_id, player), player)


def decline_invitation(*, match_id: str, player: Player, reason: str = "") -> Form:
    """Turn an invitation down. The reason is for everybody who may see the match."""
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        seat = declined_seat(_invited_seat(row, player))
        publish(change_seat(row, EventType.DECLINED, seat, {"reason": reason or None}))
    return render_table(read_match(match_id, player), player)


def take_seat(row: MatchRow, player: Player, seat: SeatRow, seed: str) -> None:
    """Take a seat that one may take; the last one starts the match."""
    refuse_unless_ratable(player, rated=row.rated)
    refuse_too_many_seats(player)
    row = change_seat(row, EventType.JOINED, seat_taken_by(seat, player, seed))
    publish(start_when_filled(row, by_seat=seat.number))


def choose_seat(row: MatchRow, player: Player, number: int | None) -> SeatRow:
    """The seat that is kept for the player, or the open one that is asked for, or any."""
    held = row.seat_held_by(player)
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
        raise invalid_field("/seat", "too_large", f"The seats are numbered 0 to {len(row.seats) - 1}.")
    seat = row.seats[number]
    if not any(each.state == SeatState.OPEN for each in row.seats):
        raise Problem("match_full")
    if seat.state != SeatState.OPEN:
        raise Problem("seat_taken")
    return seat


def _invited_seat(row: MatchRow, player: Player) -> SeatRow:
    seat = require_own_seat(row, player)
    refuse_unless_open(row)
    if seat.state == SeatState.PLAYING:
        raise Problem("already_joined", seat=seat.number)
    if seat.state != SeatState.INVITED:
        raise Problem("not_invited")
    return seat


def leave_match(*, match_id: str, player: Player) -> Form:
    """Stand up before the start. A private match has no open seats: there the maker fills it otherwise."""
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        seat = require_seat(row, player)
        refuse_unless_open(row)
        publish(change_seat(row, EventType.LEFT, _left(row, seat)))
    return render_table(read_match(match_id, player), player)


def _left(row: MatchRow, seat: SeatRow) -> SeatRow:
    return declined_seat(seat) if row.visibility == Visibility.PRIVATE else open_seat(seat)


EXPIRED_AT_ONCE: Final = 200


def cancel_match(*, match_id: str, player: Player) -> Form:
    """Call a match off before its start."""
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        refuse_unless_maker(row, player)
        refuse_unless_open(row)
        held = row.seat_of(player)
        publish(write_cancellation(row, by=Actor.PLAYER, seat=None if held is None else held.number))
    return render_table(read_match(match_id, player), player)


def write_cancellation(row: MatchRow, *, by: Actor, seat: int | None) -> MatchRow:
    """Write that a locked match is called off."""
    seats = tuple(each._replace(live=False) for each in row.seats)
    after = row._replace(
        **after_event(row), status=MatchStatus.CANCELLED, finished_at=row.now, expires_at=None, seats=seats
    )
    return commit_or_conflict(Event(row, after, build_entry(row, EventType.CANCELLED, by=by, seat=seat)))


def expire_open_matches(*, now: datetime, at_once: int = EXPIRED_AT_ONCE) -> int:
    """Call off the matches that nobody has filled in time, each for itself; how many there were.

    Two sweeps at once do not wait for each other: a match that somebody holds is left to who holds it.
    """
    due = Match.objects.filter(status=MatchStatus.OPEN, expires_at__lte=now).order_by("expires_at")
    return sum(_expire(match_id, now) for match_id in list(due.values_list("pk", flat=True)[:at_once]))


def _expire(match_id: str, now: datetime) -> bool:
    with transaction.atomic():
        free = Match.objects.select_for_update(skip_locked=True, no_key=True)
        due = list(free.filter(pk=match_id, status=MatchStatus.OPEN, expires_at__lte=now).values("pk"))
        row = find_match(match_id) if due else None
        if row is None:
            return False
        publish(write_cancellation(row, by=Actor.CLOCK, seat=None))
    return True


def leave_all_matches(*, player: Player) -> None:
    """Call off what the player made and nobody began, decline, stand up, and resign the rest."""
    made = Match.objects.filter(maker=player, status=MatchStatus.OPEN)
    for match_id in list(made.values_list("pk", flat=True)):
        cancel_match(match_id=match_id, player=player)
    taken = Seat.objects.filter(player=player, live=True, state__in=(SeatState.PLAYING, SeatState.CARETAKER))
    for match_id in _of(taken, MatchStatus.OPEN):
        leave_match(match_id=match_id, player=player)
    offered = Seat.objects.filter(player=player, live=True, state=SeatState.INVITED)
    for match_id in _of(offered, MatchStatus.OPEN):
        decline_invitation(match_id=match_id, player=player)
    for match_id in _of(taken, *IN_PLAY):
        resign(match_id=match_id, player=player)


def _of(seats: "QuerySet[Seat]", *statuses: str) -> list[str]:
    """The matches of these seats that stand so."""
    return list(seats.filter(match__status__in=statuses).values_list("match_id", flat=True))
