"""Query and render the lists of matches: the public ones, and those of a player."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from django.db.models import Case, DateTimeField, F, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, Lower

from games.core.errors import require_found
from games.core.times import format_time
from games.gateway.documents import ResultDocument
from games.identity.models import Player
from games.matches.documents import AgreementDocument, SeatDocument
from games.matches.models.match import Match, MatchStatus, SeatState, Visibility
from games.matches.queries import render_agreement, render_seat, seconds_left
from games.matches.store import MatchRow

# States of a seat whose player takes part in the match. An invited player does not yet.
SEATED_STATES: Final = (SeatState.PLAYING, SeatState.CARETAKER, SeatState.RESIGNED)
# Sort keys: turns without a deadline come after those with one, and matches in which it is not the
# player's turn come last.
_NO_DEADLINE: Final = datetime(9000, 1, 1, tzinfo=UTC)
_NOT_MY_TURN: Final = datetime(9001, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFilter:
    """The filters of a list of matches; `None` does not filter."""

    status: str | None = None
    ruleset: str | None = None
    open_seats: bool | None = None


def players_named(names: Iterable[str]) -> dict[str, Player]:
    """Return the active players with these names, by lower-case name. Names are unique regardless of case."""
    lowered = {name.lower() for name in names}
    found = Player.objects.alias(lowered=Lower("username")).filter(lowered__in=lowered, is_active=True)
    return {player.username.lower(): player for player in found}


def player_named(name: str) -> Player:
    """Return the active player with this name, or raise `not_found`."""
    return require_found(players_named([name]).get(name.lower()))


def public_matches(match_filter: MatchFilter) -> QuerySet[Match]:
    """Return the public matches."""
    return _apply_filter(Match.objects.filter(visibility=Visibility.PUBLIC), match_filter)


def matches_of(player: Player, viewer: Player | None, match_filter: MatchFilter) -> QuerySet[Match]:
    """Return the matches that a player plays in: all if the viewer is that player, else the public ones."""
    played = Match.objects.filter(seats__player=player, seats__state__in=SEATED_STATES)
    return _visible_matches(played, match_filter, include_private=player == viewer)


def matches_made_by(maker: Player, viewer: Player | None, match_filter: MatchFilter) -> QuerySet[Match]:
    """Return the matches that a player created: all if the viewer is that player, else the public ones."""
    return _visible_matches(Match.objects.filter(maker=maker), match_filter, include_private=maker == viewer)


def _visible_matches(
    matches: QuerySet[Match], match_filter: MatchFilter, *, include_private: bool
) -> QuerySet[Match]:
    public = {} if include_private else {"visibility": Visibility.PUBLIC}
    return _apply_filter(matches.filter(**public), match_filter)


def _apply_filter(matches: QuerySet[Match], match_filter: MatchFilter) -> QuerySet[Match]:
    fields = {"status": match_filter.status, "ruleset": match_filter.ruleset}
    matches = matches.filter(**{name: value for name, value in fields.items() if value is not None})
    if match_filter.open_seats is None:
        return matches
    joinable = Q(status=MatchStatus.OPEN, open_seats__gt=0)
    return matches.filter(joinable if match_filter.open_seats else ~joinable)


def running_matches(player: Player) -> QuerySet[Match]:
    """Return the unfinished matches that a player plays in, annotated with `urgency`: smallest first."""
    played = Match.objects.filter(
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
    return played.annotate(urgency=urgency)


def invitations(player: Player) -> QuerySet[Match]:
    """Return the open matches that a player is invited to."""
    invited = Match.objects.filter(seats__player=player, seats__live=True, seats__state=SeatState.INVITED)
    return invited.filter(status=MatchStatus.OPEN)


class ListedMatchDocument(AgreementDocument):
    """A match as shown in lists."""

    status: str
    version: int
    open_seats: int
    round_number: int | None
    to_act: int | None
    created_at: str | None
    started_at: str | None
    finished_at: str | None
    expires_at: str | None
    imported_at: str | None
    anchor: str | None
    seats: list[SeatDocument]
    result: ResultDocument | None
    next_match: str | None


class MyMatchDocument(ListedMatchDocument):
    """A match as shown to one of its players."""

    my_seat: int | None
    my_turn: bool
    deadline: str | None
    seconds_left: int | None


class InvitationDocument(ListedMatchDocument):
    """A match as shown to an invited player."""

    my_seat: int | None


def render_listed_match(row: MatchRow) -> ListedMatchDocument:
    """Return a match as shown in lists. It is the same for every viewer."""
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


def render_my_match(row: MatchRow, player: Player) -> MyMatchDocument:
    """Return a match as shown to one of its players, with their seat, turn and deadline."""
    seat = row.seat_of(player)
    my_turn = seat is not None and row.status == MatchStatus.ACTIVE and row.to_act == seat.number
    return {
        **render_listed_match(row),
        "my_seat": None if seat is None else seat.number,
        "my_turn": my_turn,
        "deadline": format_time(row.deadline),
        "seconds_left": seconds_left(row.deadline, row.now),
    }


def render_invitation(row: MatchRow, player: Player) -> InvitationDocument:
    """Return a match as shown to an invited player, with the seat that is reserved."""
    seat = row.seat_held_by(player)
    return {**render_listed_match(row), "my_seat": None if seat is None else seat.number}
