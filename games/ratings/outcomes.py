"""Read from a finished match what its rating depends on: places, points and rounds."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Self

from games.gateway.documents import LogEntry
from games.matches.models.log import EventType, Move
from games.matches.models.match import Visibility
from games.matches.store import MatchRow
from games.ratings.models import RatedMatch, RatingSkip
from games.ratings.pools import RATED_KINDS, Pool


class SeatOutcome(NamedTuple):
    """The player of a seat, the place, 1 for the best, and the points over the counted rounds."""

    player: int
    place: int
    points: int


class Outcome(NamedTuple):
    """What counts of a match, in the order of its seats. `rounds` were played to their end by all players."""

    match_id: str
    pool: Pool
    at: datetime
    seats: tuple[SeatOutcome, ...]
    rounds: int

    @classmethod
    def of(cls, stored: RatedMatch) -> Self:
        """Return the outcome as it is stored."""
        pool = Pool(stored.kind, stored.ruleset, stored.players)
        seats: list[dict[str, Any]] = stored.seats
        return cls(
            stored.match_id, pool, stored.at, tuple(SeatOutcome(**each) for each in seats), stored.rounds
        )

    def dump_seats(self) -> list[dict[str, Any]]:
        """Return the seats as JSON."""
        return [seat._asdict() for seat in self.seats]


def read_outcome(row: MatchRow) -> Outcome | RatingSkip:
    """Return the outcome of a finished match from its log, or why it cannot be rated."""
    pool = _pool_of(row)
    if pool is None or row.result is None or row.finished_at is None:
        return RatingSkip.NOT_POSSIBLE
    if row.result["reason"] == "annulled":
        return RatingSkip.ANNULLED
    entries = Move.objects.filter(match_id=row.id).order_by("version").values_list("entry", flat=True)
    left, points, rounds = _replay(entries, row.players)
    places = rank_seats(row.result["scores"], left)
    seats = tuple(
        SeatOutcome(seat.player_id, place, total)
        for seat, place, total in zip(row.seats, places, points, strict=True)
        if seat.player_id is not None
    )
    return Outcome(row.id, pool, row.finished_at, seats, rounds)


def _pool_of(row: MatchRow) -> Pool | None:
    """Return the pool of a match, or `None` if its settings or its players do not allow a rating."""
    kinds = {seat.kind for seat in row.seats}
    is_fair = row.visibility == Visibility.PUBLIC and row.turn_seconds is not None and not row.hints
    if not row.rated or not is_fair or row.imported_at is not None or len(kinds) != 1:
        return None
    kind = kinds.pop()
    return Pool(kind, row.ruleset, row.players) if kind in RATED_KINDS else None


def _replay(entries: Iterable[LogEntry], players: int) -> tuple[list[int], list[int], int]:
    """Return the seats that were left, in this order, the points of all seats, and the rounds."""
    left: list[int] = []
    points, rounds = [0] * players, 0
    for entry in entries:
        seat = entry["seat"]
        if seat is not None and entry["type"] in {EventType.RESIGNED, EventType.CARETAKER}:
            left = [*(each for each in left if each != seat), seat]
        elif seat is not None and entry["type"] == EventType.RECLAIMED:
            left.remove(seat)
        for event in entry["then"]:
            if event["type"] == "round_end" and event["scores"] is not None and not left:
                rounds += 1
                for line in event["scores"]:
                    points[line["seat"]] += line["total"]
    return left, points, rounds


def rank_seats(scores: Sequence[int], left: Sequence[int]) -> list[int]:
    """Return the place of each seat: by score; seats that were left come last, the first one left lowest.

    >>> rank_seats([100, 250, 180], left=[])
    [3, 1, 2]
    >>> rank_seats([100, 250, 100], left=[1])
    [1, 3, 1]
    >>> rank_seats([100, 250, 180], left=[1, 2])
    [1, 3, 2]
    """
    keys = [
        (left.index(seat) - len(left), 0) if seat in left else (0, score) for seat, score in enumerate(scores)
    ]
    return [1 + sum(other > own for other in keys) for own in keys]
