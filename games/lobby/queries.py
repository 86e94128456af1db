"""Matches in lists: those that anybody may find, and one's own."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import Case, DateTimeField, F, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, Lower

from games.core.errors import Problem
from games.core.times import format_time
from games.identity.models import Player
from games.matches.models.match import Match, MatchStatus, SeatState, Visibility
from games.matches.queries import render_agreement, render_seat, seconds_left
from games.matches.store import MatchRow

Form = dict[str, Any]

# States of a seat whose player is one of the match's players; being asked to play is not yet playing.
SEATED_STATES: Final = (SeatState.PLAYING, SeatState.CARETAKER, SeatState.RESIGNED)
# A turn without a deadline comes after every turn with one, and whoever only waits after that.
_NO_DEADLINE: Final = datetime(9000, 1, 1, tzinfo=UTC)
_NOT_MY_TURN: Final = datetime(9001, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFilter:
    """What a list is asked for; None asks for nothing in particular."""

    status: str | None = None
    ruleset: str | None = None
    open_seats: bool | None = None


def players_named(names: Iterable[str]) -> dict[str, Player]:
    """The players of these names, by name in small letters; no two names differ in case alone."""
    wanted = {name.lower() for name in names}
    found = Player.objects.alias(lowered=Lower("username")).filter(lowered__in=wanted, is_active=True)
    return {player.username.lower(): player for player in found}


def player_named(name: str) -> Player:
    """The player of this name, or 404."""
    player = players_named([name]).get(name.lower())
    if player is None:
        raise Problem("not_found")
    return player


def public_matches(wish: MatchFilter) -> QuerySet[Match]:
    """The matches that anybody may find."""
    return _apply_filter(Match.objects.filter(visibility=Visibility.PUBLIC), wish)


def matches_of(player: Player, viewer: Player | None, wish: MatchFilter) -> QuerySet[Match]:
    """The matches that a player plays in: the public ones, and to the player alone all of them."""
    played = Match.objects.filter(seats__player=player, seats__state__in=SEATED_STATES)
    return _shown(played, wish, all_of_them=player == viewer)


def matches_made_by(maker: Player, viewer: Player | None, wish: MatchFilter) -> QuerySet[Match]:
    """The matches that somebody has made: the public ones, and to the maker alone all of them."""
    return _shown(Match.objects.filter(maker=maker), wish, all_of_them=maker == viewer)


def _shown(matches: QuerySet[Match], wish: MatchFilter, *, all_of_them: bool) -> QuerySet[Match]:
    public = {} if all_of_them else {"visibility": Visibility.PUBLIC}
    return _apply_filter(matches.filter(**public), wish)


def _apply_filter(matches: QuerySet[Match], wish: MatchFilter) -> QuerySet[Match]:
    asked = {"status": wish.status, "ruleset": wish.ruleset}
    matches = matches.filter(**{name: value for name, value in asked.items() if value is not None})
    if wish.open_seats is None:
        return matches
    joinable = Q(status=MatchStatus.OPEN, open_seats__gt=0)
    return matches.filter(joinable if wish.open_seats else ~joinable)


def running_matches(player: Player) -> QuerySet[Match]:
    """The matches that a player sits in and that are not over; the smaller `urgency`, the more urgent."""
    mine = Match.objects.filter(
        seats__player=player, seats__live=True, seats__state__in=(SeatState.PLAYING, SeatState.CARETAKER)
    )
    urgency = Case(
        When(
            status=MatchStatus.ACTIVE,
            to_act=F("seats__number"),
            then=Coalesce("deadline", Value(_NO_DEADLINE), output_field=DateTimeField()),
        ),
        default=Value(_NOT_MY_TURN),
        output_field=DateTimeField(),
    )
    return mine.annotate(urgency=urgency)


def invitations(player: Player) -> QuerySet[Match]:
    """The open matches that a player is asked to play in."""
    asked = Match.objects.filter(seats__player=player, seats__live=True, seats__state=SeatState.INVITED)
    return asked.filter(status=MatchStatus.OPEN)


def render_listed_match(row: MatchRow) -> Form:
    """A match as it stands in a list. It is the same for everybody who may see it."""
    return {
        **render_agreement(row),
        "status": row.status,
        "version": row.version,
        "open_seats": row.open_seats,
        "round_number": row.round_number,
        "to_act": row.to_act,
        "created_at": format_time(row.created_at),
        "started_at": format_time(row.started_at),
        "finished_at": format_time(row.finished_at),
        "expires_at": format_time(row.expires_at),
        "imported_at": format_time(row.imported_at),
        "anchor": row.anchor or None,
        "seats": [render_seat(row.totals, seat) for seat in row.seats],
        "result": row.result,
        "next_match": row.next_match_id,
    }


def render_my_match(row: MatchRow, player: Player) -> Form:
    """A match of one's own, with what is urgent about it."""
    seat = row.seat_of(player)
    mine = seat is not None and row.status == MatchStatus.ACTIVE and row.to_act == seat.number
    return {
        **render_listed_match(row),
        "my_seat": None if seat is None else seat.number,
        "my_turn": mine,
        "deadline": format_time(row.deadline),
        "seconds_left": seconds_left(row.deadline, row.now),
    }


def render_invitation(row: MatchRow, player: Player) -> Form:
    """A match that somebody is asked to play in, and at which seat."""
    seat = row.seat_held_by(player)
    return {**render_listed_match(row), "my_seat": None if seat is None else seat.number}
