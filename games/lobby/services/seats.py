"""Change seats before the start, check limits, and start a match."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from games.core.errors import Problem, invalid_field
from games.gateway.agreement import Deals, validate_client_seed
from games.gateway.table import Table, deal_event
from games.identity.models import Player, PlayerKind
from games.identity.services import lock_player
from games.matches.commit import Event
from games.matches.entries import (
    after_event,
    build_entry,
    commit_or_conflict,
    round_begun,
    round_changes,
    table_changes,
)
from games.matches.models.log import Actor, EventType
from games.matches.models.match import Match, MatchStatus, Seat, SeatState
from games.matches.publish import publish
from games.matches.queries import render_table
from games.matches.store import MatchRow, SeatRow, lock_and_read_match, read_match
from games.matches.timing import next_timing


def seat_taken_by(seat: SeatRow, player: Player, client_seed: str) -> SeatRow:
    """The seat with this player on it, whose share in the deals is fixed from now on."""
    return _seat_with_player(seat, player)._replace(state=SeatState.PLAYING, client_seed=client_seed)


def seat_offered_to(seat: SeatRow, player: Player) -> SeatRow:
    """The seat kept for somebody who is asked to play."""
    return _seat_with_player(seat, player)._replace(state=SeatState.INVITED, client_seed="")


def seat_for_ai(seat: SeatRow, level: str) -> SeatRow:
    """The seat with an AI on it. An AI has no share in the deals."""
    return open_seat(seat)._replace(state=SeatState.PLAYING, level=level)


def open_seat(seat: SeatRow) -> SeatRow:
    """The seat for whoever comes."""
    nobody = seat._replace(
        player_id=None, username=None, kind=None, preferences=None, has_confirmed_email=None
    )
    return nobody._replace(time_zone=None, state=SeatState.OPEN, level="", client_seed="")


def declined_seat(seat: SeatRow) -> SeatRow:
    """The seat that its player does not want; it waits for the maker to fill it otherwise."""
    return seat._replace(state=SeatState.DECLINED, client_seed="")


def _seat_with_player(seat: SeatRow, player: Player) -> SeatRow:
    return seat._replace(
        player_id=player.pk,
        username=player.username,
        kind=player.kind,
        level="",
        preferences=json.dumps(player.notifications),
        has_confirmed_email=player.email_confirmed,
        time_zone=player.time_zone,
    )


def as_stored(seat: SeatRow, now: datetime) -> SeatRow:
    """Return a seat that changes now. It is live while its player has anything left to do about the match."""
    return seat._replace(
        live=seat.state not in {SeatState.DECLINED, SeatState.RESIGNED},
        joined_at=now if seat.state == SeatState.PLAYING else None,
    )


def refuse_unless_open(row: MatchRow) -> None:
    """Seats change before the start only."""
    if row.status != MatchStatus.OPEN:
        raise Problem("match_not_open")


def refuse_unless_maker(row: MatchRow, player: Player) -> None:
    """Only who made the match may decide about it, with a seat there or without one."""
    if row.maker_id != player.pk:
        raise Problem("not_seated" if row.seat_of(player) is None else "not_the_maker")


def require_own_seat(row: MatchRow, player: Player) -> SeatRow:
    """The seat that is this player's, taken or offered; refused for who has nothing to do with the table."""
    held = row.seat_held_by(player)
    if held is None:
        raise Problem("not_seated")
    return held


def refuse_too_many_made(player: Player) -> None:
    """Hold the number of matches that somebody has made, and that wait or run, within its limits."""
    lock_player(player)
    going_on = Match.objects.filter(maker=player, finished_at=None)
    waiting = going_on.filter(status=MatchStatus.OPEN)
    _refuse(waiting.count(), settings.HAGGIS_MOST_OPEN_MATCHES, "matches of yours that wait for players")
    _refuse(going_on.count(), settings.HAGGIS_MOST_MATCHES, "matches that you have made")


def refuse_too_many_seats(player: Player) -> None:
    """Hold the number of tables at which somebody sits within its limit."""
    lock_player(player)
    sits = Q(state__in=(SeatState.PLAYING, SeatState.CARETAKER))
    _refuse(
        Seat.objects.filter(sits, player=player, live=True).count(),
        settings.HAGGIS_MOST_MATCHES,
        "matches that you play in",
    )


def _refuse(number: int, most: int, what: str) -> None:
    if number >= most:
        raise Problem(
            "limit_reached", f"There are {number} {what} already; {most} is the most.", largest=most
        )


def refuse_unless_ratable(player: Player, *, rated: bool) -> None:
    """Rated matches are between registered people."""
    if rated and player.kind != PlayerKind.HUMAN:
        raise Problem("not_allowed", "Rated matches are for registered people.")


Said = Mapping[str, Any]


def change_seat(row: MatchRow, event: EventType, seat: SeatRow, said: Said | None = None) -> MatchRow:
    """Log that a seat has become `seat`, and return the match after it.

    The names of players are not in the log, which is never changed: the table tells who sits there, for as
    long as they have an account.
    """
    after = row.with_seat(as_stored(seat, row.now))
    entry = build_entry(
        row, event, by=Actor.PLAYER, seat=seat.number, fields={**_about(seat), **(said or {})}
    )
    open_seats = sum(each.state == SeatState.OPEN for each in after.seats)
    return commit_or_conflict(Event(row, after._replace(open_seats=open_seats, **after_event(row)), entry))


def _about(seat: SeatRow) -> dict[str, Any]:
    return {"level": seat.level or None, "client_seed": seat.client_seed}


def start_when_filled(row: MatchRow, *, by_seat: int | None) -> MatchRow:
    """Deal the first round if every seat is filled, unless the maker wants to say when."""
    if row.hold or not is_filled(row):
        return row
    return start(row, by_seat=by_seat)


def is_filled(row: MatchRow) -> bool:
    """Whether every seat is filled."""
    return all(seat.is_filled for seat in row.seats)


def start(row: MatchRow, *, by_seat: int | None) -> MatchRow:
    """Deal the first round."""
    return commit_or_conflict(start_event(row, row.deals(), by_seat=by_seat))


def start_event(row: MatchRow, deals: Deals, *, by_seat: int | None) -> Event:
    """Return the event that starts a match whose seats are filled."""
    table = Table.start(row.agreement, deals)
    filled = _with_full_banks(row)
    timing = next_timing(filled, table, event=EventType.STARTED)
    entry = build_entry(
        row._replace(round_number=table.round_number),
        EventType.STARTED,
        by=Actor.PLAYER,
        seat=by_seat,
        events=[deal_event(table.round_number, table.dealer, table.leader)],
        table=table,
        deadline=timing.deadline,
    )
    changes = after_event(row) | table_changes(table, timing) | round_changes(row, table)
    after = filled._replace(**changes, status=MatchStatus.ACTIVE, started_at=row.now, expires_at=None)
    return Event(row, after, entry, (round_begun(table),))


def _with_full_banks(row: MatchRow) -> MatchRow:
    bank = 0 if row.turn_seconds is None else row.time_bank_seconds
    return row._replace(seats=tuple(seat._replace(time_bank_left=bank) for seat in row.seats))


Form = dict[str, Any]


def start_match(*, match_id: str, player: Player, client_seed: str | None = None) -> Form:
    """Begin a match whose seats are all filled."""
    seed = None if client_seed is None else validate_client_seed(client_seed)
    with transaction.atomic():
        row = lock_and_read_match(match_id=match_id, player=player)
        refuse_unless_maker(row, player)
        refuse_unless_open(row)
        if not is_filled(row):
            raise Problem("seats_not_filled")
        if seed is not None:
            row = _give_seed(row, player, seed)
        held = row.seat_of(player)
        publish(start(row, by_seat=None if held is None else held.number))
    return render_table(read_match(match_id, player), player)


def _give_seed(row: MatchRow, player: Player, seed: str) -> MatchRow:
    """Fix the maker's seed, once, and for all to see before the first deal."""
    seat = row.seat_of(player)
    if seat is None:
        raise invalid_field(
            "/client_seed", "not_seated", "A seed belongs to a seat, and you do not have any."
        )
    if seat.client_seed == seed:
        return row
    if seat.client_seed:
        raise invalid_field("/client_seed", "given_before", "Your seed was fixed when you gave it first.")
    return change_seat(row, EventType.SEAT_CHANGED, seat_taken_by(seat, player, seed))
