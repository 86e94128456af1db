"""What happened at all of a player's tables, as one list that can be gone on with and skips nothing.

Entries come in the order in which they were written; those of one match in the order of its log. How far
somebody has been told is a `Place`. It stays small however many tables there are, and it does not matter how
long ago it was.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils import timezone

from games.models import Move, Seat
from games.selectors.moments import by_then, is_ahead, since, this_moment

Form = dict[str, Any]

# So many entries are given again to somebody who was away; after more it is shorter to look at the tables.
MOST_MISSED: Final = 1000
# A match that is over is looked at for so long after its end: longer than any transaction can last.
LOOKED_AT_AFTER_ITS_END: Final = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Place:
    """All that was committed by `seen` has been told, and of what was committed by `then` the rows to `row`.

    `then` is only there while a batch is being told. `at` and `then_at` are the times of the two moments.
    """

    seen: str
    at: datetime
    then: str = ""
    then_at: datetime | None = None
    row: int = 0

    def done(self) -> "Place":
        """The place when the whole batch has been told."""
        return Place(self.then, self.then_at or self.at) if self.then else self


@dataclass(frozen=True, slots=True)
class Told:
    """One entry, the place after it, and what it is to the player."""

    place: Place
    match_id: str
    seat: int
    entry: Form

    @property
    def form(self) -> Form:
        """The entry with its match, as the player is given it."""
        turn = self.entry["next"]["to_act"] == self.seat
        return {"match": self.match_id, "my_seat": self.seat, "my_turn": turn, "entry": self.entry}


@dataclass(frozen=True, slots=True)
class Batch:
    """Some entries, the place after them, and whether there are more just now.

    `anew` says that too much was missed to tell it all: what is at the tables has to be looked at, and this
    goes on from now.
    """

    place: Place
    told: list[Told] = field(default_factory=list)
    more: bool = False
    anew: bool = False


def here_and_now() -> Place:
    """The place of somebody who has just looked at all of their tables."""
    return Place(this_moment(), timezone.now())


def events_after(player_id: int, place: Place, *, limit: int) -> Batch:
    """What was committed at a player's tables after that place.

    The moment is taken first, and the tables are looked for after it: whatever had been committed by then is
    found, and whatever comes while this reads is left for the next time.
    """
    now = here_and_now()
    if is_ahead(place.then or place.seen, now.seen):
        return Batch(now, anew=True)
    seats = _seats_with_news(player_id, place)
    begun = place if place.then else replace(place, then=now.seen, then_at=now.at)
    rows = _rows(seats, begun)
    found = list(rows.values_list("pk", flat=True)[: MOST_MISSED + 1]) if seats else []
    if len(found) > MOST_MISSED:
        return Batch(now, anew=True)
    told = _told(begun, found[:limit], seats)
    if len(found) > limit:
        return Batch(told[-1].place, told, more=True)
    if told:
        told[-1] = replace(told[-1], place=begun.done())
    # After a batch of an earlier moment there may be more since.
    return Batch(begun.done(), told, more=bool(place.then))


def _seats_with_news(player_id: int, place: Place) -> dict[str, int]:
    """The player's seat at each match whose last entry has not been told."""
    over_since = place.at - LOOKED_AT_AFTER_ITS_END
    with_news = Seat.objects.filter(
        Q(live=True) | Q(match__finished_at__gte=over_since),
        since(place.seen, "match__moves__"),
        player=player_id,
        match__moves__version=F("match__version"),
    )
    return dict(with_news.values_list("match_id", "number"))


def _rows(seats: Mapping[str, int], place: Place) -> QuerySet[Move]:
    """The rows of the batch still to be told: in order, but not by going through all rows that there are."""
    rows = Move.objects.filter(since(place.seen), by_then(place.then), match__in=seats, pk__gt=place.row)
    return rows.order_by(F("pk") + 0)


def _told(begun: Place, found: list[int], seats: Mapping[str, int]) -> list[Told]:
    """These rows of the batch, each with the place after it."""
    rows = Move.objects.filter(pk__in=found).order_by("pk").values_list("pk", "match_id", "entry")
    return [
        Told(replace(begun, row=number), match_id, seats[match_id], entry) for number, match_id, entry in rows
    ]


def marks(players: Collection[int]) -> dict[int, tuple[int, int]]:
    """What is another for a player whenever something happened at a table: one query for all of them."""
    counted = (
        Seat.objects.filter(player__in=players, live=True)
        .values("player")
        .annotate(tables=Count("pk"), versions=Sum("match__version"))
    )
    return {each["player"]: (each["tables"], each["versions"]) for each in counted}
