"""Join, decline, leave and cancel matches."""

import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from games.core.errors import Problem, invalid_field, raised
from games.core.languages import message
from games.gateway.agreement import validate_client_seed
from games.identity.models import Closing, Player
from games.identity.services import lock_player
from games.lobby.services.seats import (
    change_seat,
    check_seat_limit,
    declined_seat,
    is_between_ais,
    open_seat,
    require_held_seat,
    require_maker,
    require_open,
    require_unblocked,
    seat_taken_by,
    start_when_filled,
)
from games.matches.commit import Event
from games.matches.documents import TableDocument
from games.matches.entries import after_event, build_entry, commit_or_conflict
from games.matches.models.log import Actor, EventType, Move, SeedChain, Snapshot
from games.matches.models.match import Match, MatchStatus, Seat, SeatState, Visibility
from games.matches.publish import publish
from games.matches.queries import IN_PLAY, render_table
from games.matches.store import (
    MatchRow,
    SeatRow,
    find_match,
    lock_and_read_match,
    lock_match,
    read_match,
    require_seat,
)
from games.matches.timing import TurnTiming
from games.play.resignation import resignation_event
from games.ratings.eligibility import require_ratable_player

EXPIRED_AT_ONCE: Final = 200
CLOSED_AT_ONCE: Final = 50
# How long a match that was cancelled before its start can still be looked at. The database refuses less than
# 29 days.
RETENTION: Final = timedelta(days=30)
DELETED_AT_ONCE: Final = 500

log = logging.getLogger(__name__)


def join_match(
    *, match_id: str, player: Player, seat: int | None = None, client_seed: str = ""
) -> TableDocument:
    """Take the seat reserved for the player, else the given one, else the first open one."""
    seed = validate_client_seed(client_seed)
    with transaction.atomic():
        player = lock_player(player)
        row = lock_and_read_match(match_id=match_id, player=player)
        require_open(row)
        take_seat(row, player, choose_seat(row, player, seat), seed)
    return render_table(read_match(match_id, player), player)


def accept_invitation(*, match_id: str, player: Player, client_seed: str = "") -> TableDocument:
    """Take the seat that the player is invited to."""
    seed = validate_client_seed(client_seed)
    with transaction.atomic():
        player = lock_player(player)
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
    """Take a seat that has been checked to be free, for a locked player. The last seat starts the match."""
    require_unblocked(row, player)
    require_ratable_player(row, player)
    check_seat_limit(player)
    row = change_seat(row, EventType.JOINED, seat_taken_by(seat, player, seed))
    publish(start_when_filled(row, by_seat=seat.number))


def choose_seat(row: MatchRow, player: Player, number: int | None) -> SeatRow:
    """Return the seat reserved for the player, else the open seat of this number, else the first open one."""
    own_seat = row.seat_held_by(player)
    if own_seat is not None:
        if own_seat.is_filled or number not in {None, own_seat.number}:
            raise Problem(
                "already_joined",
                message("You already have seat {number}.", number=own_seat.number),
                seat=own_seat.number,
            )
        return own_seat
    if number is None:
        open_seats = [seat for seat in row.seats if seat.state == SeatState.OPEN]
        if not open_seats:
            raise Problem("match_full")
        return open_seats[0]
    return _require_open_seat(row, number)


def _require_open_seat(row: MatchRow, number: int) -> SeatRow:
    if number >= len(row.seats):
        raise invalid_field(
            "/seat", "too_large", message("Seats are numbered from 0 to {last}.", last=len(row.seats) - 1)
        )
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
    after = commit_or_conflict(Event(row, after, build_entry(row, EventType.CANCELLED, by=by, seat=seat)))
    if row.started_at is None:  # no card was dealt, so nothing will ever be verified with the chain
        SeedChain.objects.filter(match=row.id).delete()
        Snapshot.objects.filter(match=row.id).delete()
    return after


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


def cancel_idle_matches(*, now: datetime, at_once: int = EXPIRED_AT_ONCE) -> int:
    """Cancel matches of one person against AIs in which the person has not acted for long; return how many.

    Like `expire_open_matches` it skips matches that another transaction has locked.
    """
    idle = idle_matches(before=now - timedelta(days=settings.HAGGIS_IDLE_MATCH_DAYS)).order_by("started_at")
    return sum(_cancel_idle(match_id, now) for match_id in list(idle.values_list("pk", flat=True)[:at_once]))


def idle_matches(*, before: datetime) -> QuerySet[Match]:
    """Return the running matches of one person against AIs in which no person has acted since a time.

    A match that a pause ended since then is not idle, and neither is one with a pause or a deadline that is
    still to end.
    """
    people = Seat.objects.filter(match=OuterRef("pk"), level="").exclude(state=SeatState.RESIGNED)
    active = Q(by=Actor.PLAYER) | Q(type=EventType.RESUMED)
    acted = Move.objects.filter(active, match=OuterRef("pk"), at__gt=before)
    running = Match.objects.filter(status__in=IN_PLAY, started_at__lte=before)
    waiting = Q(paused_until__gt=Now()) | Q(deadline__gt=Now())
    return running.exclude(waiting).filter(Exists(people), ~Exists(people[1:]), ~Exists(acted))


def _cancel_idle(match_id: str, now: datetime) -> bool:
    before = now - timedelta(days=settings.HAGGIS_IDLE_MATCH_DAYS)
    with transaction.atomic():
        locked = list(
            Match.objects.select_for_update(skip_locked=True, no_key=True).filter(pk=match_id).values("pk")
        )
        row = find_match(match_id) if locked and idle_matches(before=before).filter(pk=match_id) else None
        if row is None:
            return False
        publish(write_cancellation(row, by=Actor.CLOCK, seat=None))
    return True


def leave_all_matches(*, players: Sequence[Player]) -> bool:
    """Leave all unfinished matches of closed accounts (`close_account`), each in its own transaction.

    Open matches that they created, and those between AIs, are cancelled; seats in open matches of others are
    given back or declined, and running matches are resigned. No seat is given to these players any more, so
    none is missed. A match that fails does not stop the others, and only its own players stay in `closing`,
    which is reset for those who have left all their matches. Return whether nothing failed.
    """
    player_ids = frozenset(player.pk for player in players)
    unfinished = (MatchStatus.OPEN, *IN_PLAY)
    people = Seat.objects.filter(match=OuterRef("pk"), level="")
    cancellable = Q(status=MatchStatus.OPEN) | ~Exists(people) & Q(status__in=IN_PLAY)
    created = Match.objects.filter(cancellable, maker__in=player_ids, finished_at=None)
    seats = Seat.objects.filter(player__in=player_ids, live=True, match__status__in=unfinished)
    players_by_match: defaultdict[str, set[int | None]] = defaultdict(set)
    for match_id, player_id in (*created.values_list("pk", "maker"), *seats.values_list("match", "player")):
        players_by_match[match_id].add(player_id)
    failed = [match_id for match_id in sorted(players_by_match) if not _try_to_leave(match_id, player_ids)]
    remaining = {player_id for match_id in failed for player_id in players_by_match[match_id]}
    reset = [_try_to_reset_closing(player_id) for player_id in sorted(player_ids - remaining)]
    return not failed and all(reset)


def _try_to_reset_closing(player_id: int) -> bool:
    """Note that a closed account has left all its matches; return whether the database agrees."""
    try:
        with transaction.atomic():
            Player.objects.filter(pk=player_id).update(closing=Closing.NONE)
    except DatabaseError as error:  # it has a seat that was not found: the next sweep leaves it
        log.error(  # noqa: TRY400 -- as below
            "closing account %s failed with %s", player_id, type(error).__name__, extra=raised(error)
        )
        return False
    return True


def _try_to_leave(match_id: str, player_ids: frozenset[int]) -> bool:
    """Leave one match; return whether it worked. A failure is logged without its message."""
    try:
        _leave_as_closed(match_id, player_ids)
    except Exception as error:  # noqa: BLE001 -- a stored match that cannot be read must not block the others
        log.error(  # noqa: TRY400 -- the message of the error may contain cards
            "leaving match %s failed with %s", match_id, type(error).__name__, extra=raised(error)
        )
        return False
    return True


def _leave_as_closed(match_id: str, player_ids: frozenset[int]) -> None:
    """Leave one match as its status requires, which is decided under the lock on the match."""
    with transaction.atomic():
        lock_match(match_id)
        row = find_match(match_id)
        if row is None:
            return
        leave_locked_match(row, player_ids)


def leave_locked_match(row: MatchRow, player_ids: frozenset[int]) -> None:
    """Leave a locked match: cancel it if these players may, else give up each of their seats."""
    is_cancellable = row.status == MatchStatus.OPEN or (row.status in IN_PLAY and is_between_ais(row))
    if is_cancellable and row.maker_id in player_ids:
        publish(write_cancellation(row, by=Actor.PLAYER, seat=None))
        return
    for number in [seat.number for seat in row.seats if seat.player_id in player_ids and seat.live]:
        row = _leave_seat(row, row.seats[number])


def _leave_seat(row: MatchRow, seat: SeatRow) -> MatchRow:
    """Give one seat back, decline it, or resign it; return the match after that."""
    if row.status == MatchStatus.OPEN and seat.state == SeatState.INVITED:
        row = change_seat(row, EventType.DECLINED, declined_seat(seat), {"reason": None})
    elif row.status == MatchStatus.OPEN:
        row = change_seat(row, EventType.LEFT, _vacate(row, seat))
    elif row.status in IN_PLAY and seat.state != SeatState.RESIGNED:
        row = commit_or_conflict(resignation_event(row, seat, by=Actor.PLAYER))
    else:
        return row
    publish(row)
    return row


def delete_never_started_matches(*, now: datetime, at_most: int = DELETED_AT_ONCE) -> int:
    """Delete matches that were cancelled long ago before they started, and return their number.

    PostgreSQL does it in a function, since the role of the service cannot delete log entries. Matches with
    entries of the audit log stay.
    """
    before = now - RETENTION
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT games_delete_never_started_matches(%s, %s)", [before, at_most])
            return int(cursor.fetchone()[0])
    cancelled = Match.objects.filter(status=MatchStatus.CANCELLED, finished_at__lt=before)
    never_started = cancelled.filter(started_at=None, operator_actions=None).order_by("finished_at")
    match_ids = list(never_started.values_list("pk", flat=True)[:at_most])
    with transaction.atomic():
        Match.objects.filter(next_match__in=match_ids).update(next_match=None)
        Match.objects.filter(pk__in=match_ids).delete()
    return len(match_ids)


def complete_bans(*, at_most: int = CLOSED_AT_ONCE) -> int:
    """Leave the matches of banned players whose ban was interrupted; return the number of players.

    The order is random, so that players whose matches fail again and again do not fill every batch.
    """
    players = list(Player.objects.filter(closing=Closing.BAN).order_by("?")[:at_most])
    leave_all_matches(players=players)
    return len(players)
