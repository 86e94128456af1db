"""One match with its seats, read in one query, for somebody who may see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any, Final, NamedTuple

from django.db.models import Case, F, QuerySet, TextField, When
from django.db.models.functions import Cast, Now

from games.errors import Problem
from games.gateway.agreement import Agreement
from games.gateway.deals import Deal, Deals
from games.gateway.table import Table
from games.models import Match, Player, Seat, SeatState, SeedChain, Visibility
from games.selectors.json_rows import json_rows
from games.selectors.kept_queries import KeptListQuery, KeptQuery
from games.times import moment


class SeatRow(NamedTuple):
    """A seat as it was read with its match. `standing_trick` is its own player's to know, nobody else's."""

    number: int
    state: str
    player_id: int | None
    username: str | None
    kind: str | None
    level: str
    client_seed: str
    time_bank_left: int
    timeouts: int
    standing_trick: str
    asks: str
    vacation_until: datetime | None
    imported_name: str = ""
    # What its player wants to be told and how, as JSON; whether mail reaches them; by which clock they live.
    wishes: str | None = None
    mailed: bool | None = None
    time_zone: str | None = None

    @property
    def is_automatic(self) -> bool:
        """Whether an AI acts for it: its own, or one that stands in for a player."""
        return bool(self.level) or self.state in {SeatState.CARETAKER, SeatState.RESIGNED}

    @property
    def is_filled(self) -> bool:
        """Whether the match may start as far as this seat goes."""
        return self.state not in {SeatState.OPEN, SeatState.INVITED, SeatState.DECLINED}


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match, its seats in order, the time by the database when it was read, and its maker's name."""

    match: Match
    seats: tuple[SeatRow, ...]
    now: datetime
    maker: str

    def seat_of(self, player: Player | None) -> SeatRow | None:
        """The seat at which this player sits; being asked to is not sitting, nor is having resigned."""
        held = self.held_by(player)
        return held if held is not None and held.is_filled and held.state != SeatState.RESIGNED else None

    def held_by(self, player: Player | None) -> SeatRow | None:
        """The seat that is this player's, whether taken, offered or declined."""
        if player is None:
            return None
        return next((seat for seat in self.seats if seat.player_id == player.pk), None)

    def with_seat(self, seat: SeatRow) -> "MatchRow":
        """The match with one seat as it is now."""
        seats = tuple([seat if each.number == seat.number else each for each in self.seats])
        return MatchRow(self.match, seats, self.now, self.maker)

    @property
    def agreement(self) -> Agreement:
        """What the match is played by."""
        match = self.match
        return Agreement(
            ruleset=match.ruleset,
            ruleset_version=match.ruleset_version,
            options=tuple(match.options.items()),
            players=match.players,
            target_score=match.target_score,
            rounds_limit=match.rounds_limit,
        )

    @property
    def names(self) -> tuple[object, ...]:
        """What everybody at the table is called and is, which may change without an entry in the log."""
        return self.maker, *((seat.username, seat.kind, seat.vacation_until) for seat in self.seats)

    @property
    def seeds(self) -> tuple[str, ...]:
        """The client seed of each seat."""
        return tuple(seat.client_seed for seat in self.seats)

    def table(self) -> Table:
        """The table as the snapshot has it. Secret: views are made from it."""
        return Table.load(self.agreement, self.match.snapshot.state.reveal())

    def deals(self) -> Deals:
        """The match's deals: reads the chain, which only the start and the end of a round need."""
        chain = SeedChain.objects.get(match_id=self.match.pk)
        return Deals(self.match.pk, chain.last_link.reveal(), self.seeds)

    def dealing(self, number: int) -> Deal:
        """The deal of a round: what the engine asks for when it needs one, and not before."""
        return self.deals().dealing()(number)


# In the order of `SeatRow`.
_SEAT_FIELDS: Mapping[str, str | Case] = {
    "number": "number",
    "state": "state",
    "player_id": "player_id",
    "username": "player__username",
    "kind": "player__kind",
    "level": "level",
    "client_seed": "client_seed",
    "time_bank_left": "time_bank_left",
    "timeouts": "timeouts",
    "standing_trick": "standing_trick",
    "asks": "asks",
    "vacation_until": "player__vacation_until",
    "imported_name": "imported_name",
    "wishes": Case(
        When(player__is_active=True, then=Cast("player__notifications", TextField())),
        default=None,
        output_field=TextField(),
    ),
    "mailed": "player__email_confirmed",
    "time_zone": "player__time_zone",
}

_NUMBER: Final = itemgetter(SeatRow._fields.index("number"))
_VACATION: Final = SeatRow._fields.index("vacation_until")


def with_seats(matches: QuerySet[Match]) -> QuerySet[Any]:
    """Read the seats of each match with it, the name of its maker, and the database's time."""
    return matches.annotate(
        seat_rows=json_rows(Seat.objects.all(), "match", *_SEAT_FIELDS.values()),
        maker_name=F("maker__username"),
        read_at=Now(),
    )


def as_row(match: Any) -> MatchRow:  # noqa: ANN401 -- a match with what `with_seats` adds to it
    """A match that was read `with_seats`."""
    seats = sorted(match.seat_rows or (), key=_NUMBER)
    return MatchRow(match, tuple(map(_seat, seats)), match.read_at, match.maker_name)


def _seat(columns: list[Any]) -> SeatRow:
    columns[_VACATION] = moment(columns[_VACATION])
    return SeatRow._make(columns)


KEPT_MATCH: Final = KeptQuery[Match](
    lambda match_id: with_seats(Match.objects.select_related("snapshot").filter(pk=match_id))
)


KEPT_MATCHES: Final = KeptListQuery[Match](
    lambda match_ids: with_seats(Match.objects.select_related("snapshot").filter(pk__in=match_ids))
)


def find_match(match_id: str) -> MatchRow | None:
    """A match whoever asks, in one query: for what the service does by itself."""
    match = KEPT_MATCH.first(match_id)
    return None if match is None else as_row(match)


def find_matches(match_ids: Sequence[str]) -> list[MatchRow]:
    """Several matches whoever asks, in one query and in no particular order."""
    return list(map(as_row, KEPT_MATCHES.all(match_ids)))


def read_match(match_id: str, player: Player | None) -> MatchRow:
    """A match that this player may see, in one query; 404 for any other, there or not."""
    return shown_match(find_match(match_id), player)


def shown_match(row: MatchRow | None, player: Player | None) -> MatchRow:
    """A match that was read, if this player may see it."""
    if row is None or not may_see(row, player):
        raise Problem("not_found")
    return row


def may_see(row: MatchRow, player: Player | None) -> bool:
    """Whether this player, or without one anybody, may see the match."""
    if row.match.visibility != Visibility.PRIVATE or row.held_by(player) is not None:
        return True
    return player is not None and player.pk == row.match.maker_id


def my_seat(row: MatchRow, player: Player | None) -> SeatRow:
    """The seat of the player who acts; refused for who does not sit there."""
    seat = row.seat_of(player)
    if seat is None:
        raise Problem("not_seated")
    return seat
