"""Join, decline, leave and cancel matches."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.core.errors import Problem, invalid_field
from games.gateway.agreement import validate_client_seed
from games.identity.models import Player
from games.lobby.services.seats import (
    change_seat,
    check_seat_limit,
    declined_seat,
    is_between_ais,
    open_seat,
    require_held_seat,
    require_maker,
    require_open,
    require_ratable,
    seat_taken_by,
    start_when_filled,
)
from games.matches.commit import Event
from games.matches.documents import TableDocument
from games.matches.entries import after_event, build_entry, commit_or_conflict
from games.matches.models.log import Actor, EventType
from games.matches.models.match import Match, MatchStatus, Seat, SeatState, Visibility
from games.matches.publish import publish
from games.matches.queries import IN_PLAY, render_table
from games.matches.store import MatchRow, SeatRow, find_match, lock_and_read_match, read_match, require_seat
from games.matches.timing import TurnTiming
from games.play.resignation import resign

EXPIRED_AT_ONCE: Final = 200


def join_match(
    *, match_id: str, player: Player, seat: int | None = None, client_seed: str = ""
) -> TableDocument:
    """Take the seat reserved for the player, else the given one, else the first open one."""
    seed = validate_client_seed(client_seed)
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        require_open(row)
        take_seat(row, player, choose_seat(row, player, seat), seed)
    return render_table(read_match(match_id, player), player)


def accept_invitation(*, match_id: str, player: Player, client_seed: str = "") -> TableDocument:
    """Take the seat that the player is invited to."""
    seed = validate_client_seed(client_seed)
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        take_seat(row, player, _require_invited_seat(row, player), seed)
    return render_table(read_match(match_id, player), player)


def decline_invitation(*, match_id: str, player: Player, reason: str = "") -> TableDocument:
    """Decline an invitation. Everybody who can see the match can read the reason."""
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        seat = declined_seat(_require_invited_seat(row, player))
        publish(change_seat(row, EventType.DECLINED, seat, {"reason": reason or None}))
    return render_table(read_match(match_id, player), player)


def take_seat(row: MatchRow, player: Player, seat: SeatRow, seed: str) -> None:
    """Take a seat that has been checked to be free. Filling the last seat starts the match."""
    require_ratable(player, rated=row.rated)
    check_seat_limit(player)
    row = change_seat(row, EventType.JOINED, seat_taken_by(seat, player, seed))
    publish(start_when_filled(row, by_seat=seat.number))


def choose_seat(row: MatchRow, player: Player, number: int | None) -> SeatRow:
    """Return the seat reserved for the player, else the open seat of this number, else the first open one."""
    own_seat = row.seat_held_by(player)
    if own_seat is not None:
        if own_seat.is_filled or number not in {None, own_seat.number}:
            raise Problem("already_joined", f"You already have seat {own_seat.number}.", seat=own_seat.number)
        return own_seat
    if number is None:
        open_seats = [seat for seat in row.seats if seat.state == SeatState.OPEN]
        if not open_seats:
            raise Problem("match_full")
        return open_seats[0]
    return _require_open_seat(row, number)


def _require_open_seat(row: MatchRow, number: int) -> SeatRow:
    if number >= len(row.seats):
        raise invalid_field("/seat", "too_large", f"Seats are numbered from 0 to {len(row.seats) - 1}.")
    seat = row.seats[number]
    if not any(each.state == SeatState.OPEN for each in row.seats):
        raise Problem("match_full")
    if seat.state != SeatState.OPEN:
        raise Problem("seat_taken")
    return seat


def _require_invited_seat(row: MatchRow, player: Player) -> SeatRow:
    seat = require_held_seat(row, player)
    require_open(row)
    if seat.state == SeatState.PLAYING:
        raise Problem("already_joined", seat=seat.number)
    if seat.state != SeatState.INVITED:
        raise Problem("not_invited")
    return seat


def leave_match(*, match_id: str, player: Player) -> TableDocument:
    """Give the seat back before the start.

    A private match cannot have open seats, so there the seat counts as declined until its maker refills it.
    """
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        seat = require_seat(row, player)
        require_open(row)
        publish(change_seat(row, EventType.LEFT, _vacate(row, seat)))
    return render_table(read_match(match_id, player), player)


def _vacate(row: MatchRow, seat: SeatRow) -> SeatRow:
    return declined_seat(seat) if row.visibility == Visibility.PRIVATE else open_seat(seat)


def cancel_match(*, match_id: str, player: Player) -> TableDocument:
    """Cancel a match at the request of its maker: before its start, or while only AIs play in it."""
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        require_maker(row, player)
        if row.status not in IN_PLAY or not is_between_ais(row):
            require_open(row)
        seat = row.seat_of(player)
        publish(write_cancellation(row, by=Actor.PLAYER, seat=None if seat is None else seat.number))
    return render_table(read_match(match_id, player), player)


def write_cancellation(row: MatchRow, *, by: Actor, seat: int | None) -> MatchRow:
    """Commit the cancellation of a locked match. The cards of a running round are never revealed."""
    seats = tuple(each._replace(live=False) for each in row.seats)
    after = row._replace(
        **after_event(row),
        **TurnTiming()._asdict(),
        to_act=None,
        expects="",
        paused_at=None,
        paused_until=None,
        status=MatchStatus.CANCELLED,
        finished_at=row.now,
        expires_at=None,
        seats=seats,
    )
    return commit_or_conflict(Event(row, after, build_entry(row, EventType.CANCELLED, by=by, seat=seat)))


def expire_open_matches(*, now: datetime, at_once: int = EXPIRED_AT_ONCE) -> int:
    """Cancel open matches that have expired, each in its own transaction, and return how many.

    Concurrent sweeps do not wait for each other: they skip matches that another transaction has locked.
    """
    due = Match.objects.filter(status=MatchStatus.OPEN, expires_at__lte=now).order_by("expires_at")
    return sum(_expire(match_id, now) for match_id in list(due.values_list("pk", flat=True)[:at_once]))


def _expire(match_id: str, now: datetime) -> bool:
    with transaction.atomic():
        unlocked = Match.objects.select_for_update(skip_locked=True, no_key=True)
        due = list(unlocked.filter(pk=match_id, status=MatchStatus.OPEN, expires_at__lte=now).values("pk"))
        row = find_match(match_id) if due else None
        if row is None:
            return False
        publish(write_cancellation(row, by=Actor.CLOCK, seat=None))
    return True


def leave_all_matches(*, player: Player) -> None:
    """Cancel the player's open matches and those between AIs; leave, decline or resign the others."""
    people = Seat.objects.filter(match=OuterRef("pk"), level="")
    is_between_ais = ~Exists(people) & Q(status__in=IN_PLAY)
    created = Match.objects.filter(
        Q(status=MatchStatus.OPEN) | is_between_ais, maker=player, finished_at=None
    )
    for match_id in list(created.values_list("pk", flat=True)):
        cancel_match(match_id=match_id, player=player)
    taken_seats = Seat.objects.filter(
        player=player, live=True, state__in=(SeatState.PLAYING, SeatState.CARETAKER)
    )
    for match_id in _match_ids(taken_seats, MatchStatus.OPEN):
        leave_match(match_id=match_id, player=player)
    offered_seats = Seat.objects.filter(player=player, live=True, state=SeatState.INVITED)
    for match_id in _match_ids(offered_seats, MatchStatus.OPEN):
        decline_invitation(match_id=match_id, player=player)
    for match_id in _match_ids(taken_seats, *IN_PLAY):
        resign(match_id=match_id, player=player)


def _match_ids(seats: "QuerySet[Seat]", *statuses: str) -> list[str]:
    """Return the ids of the matches of these seats that have one of these statuses."""
    return list(seats.filter(match__status__in=statuses).values_list("match_id", flat=True))
