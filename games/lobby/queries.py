"""Query and render the lists of matches: the public ones, and those of a player."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import combinations
from typing import Final, TypedDict, cast

from django.db.models import Case, DateTimeField, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, Lower

from games.core.errors import require_found
from games.core.times import format_time
from games.identity.models import Player
from games.matches.documents import AgreementDocument, SeatDocument, TableDocument, TableResultDocument
from games.matches.models.match import Match, MatchStatus, Seat, SeatState, Visibility
from games.matches.queries import (
    IN_PLAY,
    render_agreement,
    render_result,
    render_seat,
    render_table,
    seconds_left,
)
from games.matches.store import MatchRow
from games.play.queries import VersionedLegalMoves, moves_at

# States of a seat whose player takes part in the match. An invited player does not yet.
SEATED_STATES: Final = (SeatState.PLAYING, SeatState.CARETAKER, SeatState.RESIGNED)
# Sort keys: turns without a deadline come after those with one, and matches in which it is not the
# player's turn come last.
_NO_DEADLINE: Final = datetime(9000, 1, 1, tzinfo=UTC)
_NOT_MY_TURN: Final = datetime(9001, 1, 1, tzinfo=UTC)

# Filters are applied to this many latest matches of a player. The limit also makes PostgreSQL begin with the
# seats of the player: among a million matches it read all of them otherwise, for 12 s.
FILTERED_MATCHES: Final = 5_000
MAX_SEATS: Final = 3
_SETS_OF_SEATS: Final = [
    seats for size in range(1, MAX_SEATS + 1) for seats in combinations(range(MAX_SEATS), size)
]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFilter:
    """The filters of a list of matches; `None` does not filter."""

    status: str | None = None
    ruleset: str | None = None
    open_seats: bool | None = None


class PlayerResult(StrEnum):
    """How a finished match ended for a player. Matches that were annulled are neither won nor lost."""

    WON = "won"
    LOST = "lost"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryFilter:
    """Further filters of the matches of a player; `None` does not filter.

    `search` is a part of the name of another player at the table, or the id of the match.
    """

    players: int | None = None
    against: Player | None = None
    result: PlayerResult | None = None
    search: str | None = None


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


def matches_of(
    player: Player,
    viewer: Player | None,
    match_filter: MatchFilter,
    history_filter: HistoryFilter = HistoryFilter(),
) -> QuerySet[Match]:
    """Return the matches that a player plays in: all if the viewer sits in them, else the public ones.

    The viewer sits in all of them as the player, or as the opponent that the filter selects.
    """
    result = _result_condition(history_filter.result)
    played = Match.objects.filter(result, seats__player=player, seats__state__in=SEATED_STATES)
    include_private = viewer is not None and viewer in (player, history_filter.against)
    visible = _visible_matches(played, match_filter, include_private=include_private)
    return _apply_history_filter(visible, player, history_filter)


def _result_condition(result: PlayerResult | None) -> Q:
    """Return the condition on the result, to be combined with that on the player in one `filter` call."""
    if result is None:
        return Q()
    if result == PlayerResult.ABANDONED:
        left = Q(seats__state__in=(SeatState.RESIGNED, SeatState.CARETAKER))
        return left & Q(status=MatchStatus.FINISHED) & ~Q(result__reason="annulled")
    condition = Q()
    for seat in range(MAX_SEATS):
        won = result == PlayerResult.WON
        winners = [list(each) for each in _SETS_OF_SEATS if (seat in each) == won]
        condition |= Q(seats__number=seat, result__winners__in=winners)
    return condition


def _apply_history_filter(
    matches: QuerySet[Match], player: Player, history_filter: HistoryFilter
) -> QuerySet[Match]:
    if history_filter == HistoryFilter():
        return matches
    latest = Seat.objects.filter(player=player).order_by("-match_id").values("match_id")
    matches = matches.filter(pk__in=latest[:FILTERED_MATCHES])
    seats = Seat.objects.filter(match=OuterRef("pk"), state__in=SEATED_STATES)
    if history_filter.players is not None:
        matches = matches.filter(players=history_filter.players)
    if history_filter.against is not None:
        matches = matches.filter(Exists(seats.filter(player=history_filter.against)))
    if history_filter.search is not None:
        text = history_filter.search
        named = Q(player__username__icontains=text) | Q(player__display_name__icontains=text)
        others = seats.exclude(player=player).filter(named | Q(imported_name__icontains=text))
        matches = matches.filter(Q(pk=text) | Q(Exists(others)))
    return matches


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


@dataclass(frozen=True, slots=True, kw_only=True)
class MyMatchFilter:
    """The filters of a player's unfinished matches; `None` does not filter."""

    my_turn: bool | None = None
    ids: tuple[str, ...] | None = None


def running_matches(player: Player, match_filter: MyMatchFilter = MyMatchFilter()) -> QuerySet[Match]:
    """Return the unfinished matches that a player plays in, annotated with `urgency`: smallest first."""
    played = Match.objects.filter(
        seats__player=player, seats__live=True, seats__state__in=(SeatState.PLAYING, SeatState.CARETAKER)
    )
    if match_filter.ids is not None:
        played = played.filter(pk__in=match_filter.ids)
    urgency = Case(
        When(
            status=MatchStatus.ACTIVE,
            to_act=F("seats__number"),
            then=Coalesce("deadline", Value(_NO_DEADLINE), output_field=DateTimeField()),
        ),
        default=Value(_NOT_MY_TURN),
        output_field=DateTimeField(),
    )
    played = played.annotate(urgency=urgency)
    if match_filter.my_turn is not None:
        mine = Q(urgency__lt=_NOT_MY_TURN)
        played = played.filter(mine if match_filter.my_turn else ~mine)
    return played


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
    result: TableResultDocument | None
    next_match: str | None


class _IncludedParts(TypedDict, total=False):
    table: TableDocument
    legal_moves: VersionedLegalMoves | None


class MyMatchDocument(ListedMatchDocument, _IncludedParts):
    """A match as shown to one of its players, with the parts that the request includes."""

    my_seat: int | None
    my_turn: bool
    deadline: str | None
    seconds_left: int | None


class Include(StrEnum):
    """What a list of one's own matches can include for each of them."""

    TABLE = "table"
    LEGAL_MOVES = "legal_moves"


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
        "result": render_result(row),
        "next_match": row.next_match_id,
    }


def render_my_match(row: MatchRow, player: Player, include: Collection[str] = ()) -> MyMatchDocument:
    """Return a match as shown to one of its players, with their seat, turn and deadline."""
    seat = row.seat_of(player)
    my_turn = seat is not None and row.status == MatchStatus.ACTIVE and row.to_act == seat.number
    table = row.table() if include and row.status in IN_PLAY else None
    parts: _IncludedParts = {}
    if Include.TABLE in include:
        parts["table"] = render_table(row, player, table)
    if Include.LEGAL_MOVES in include:
        parts["legal_moves"] = None
        if my_turn and seat is not None and table is not None:
            parts["legal_moves"] = moves_at(row, table, seat.number)
    shown = {
        **render_listed_match(row),
        "my_seat": None if seat is None else seat.number,
        "my_turn": my_turn,
        "deadline": format_time(row.deadline),
        "seconds_left": seconds_left(row.deadline, row.now),
        **parts,
    }
    return cast("MyMatchDocument", shown)


def list_inputs(match_ids: Collection[str], player: Player) -> list[tuple[object, ...]]:
    """Return what a list of these matches depends on besides their versions, for its ETag.

    These are the names and vacations of the players, and the player's own standing orders. It takes one query
    and reads neither hands nor rounds.
    """
    own_order = Case(When(player=player, then=F("standing_trick")), default=Value(""))
    seats = Seat.objects.filter(match__in=match_ids).order_by("match_id", "number")
    return list(
        seats.values_list(
            "match__version",
            "match__maker__username",
            "player__username",
            "player__kind",
            "player__vacation_until",
            own_order,
        )
    )


def render_invitation(row: MatchRow, player: Player) -> InvitationDocument:
    """Return a match as shown to an invited player, with the seat that is reserved."""
    seat = row.seat_held_by(player)
    return {**render_listed_match(row), "my_seat": None if seat is None else seat.number}
