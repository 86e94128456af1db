"""Read events of a match or of all of a player's matches without skipping any."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection
from django.db.models import BooleanField, Count, F, Func, Q, QuerySet, Sum, Value
from django.db.models.expressions import Expression
from django.utils import timezone

from games.identity.models import ApiToken
from games.matches.models.log import Move
from games.matches.models.match import Match, Seat, Visibility

Form = dict[str, Any]

# So many entries are given again to somebody who was away; after more it is shorter to look at the tables.
MAX_REPLAYED_EVENTS: Final = 1000
# A match that is over is looked at for so long after its end: longer than any transaction can last.
LOOKED_AT_AFTER_ITS_END: Final = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Cursor:
    """All that was committed by `seen` has been told, and of what was committed by `then` the rows to `row`.

    `then` is only there while a batch is being told. `at` and `then_at` are the times of the two moments.
    """

    seen: str
    at: datetime
    then: str = ""
    then_at: datetime | None = None
    row: int = 0

    def done(self) -> "Cursor":
        """The place when the whole batch has been told."""
        return Cursor(self.then, self.then_at or self.at) if self.then else self


@dataclass(frozen=True, slots=True)
class PlayerEvent:
    """One entry, the place after it, and what it is to the player."""

    place: Cursor
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

    place: Cursor
    told: list[PlayerEvent] = field(default_factory=list)
    more: bool = False
    anew: bool = False


def current_cursor() -> Cursor:
    """The place of somebody who has just looked at all of their tables."""
    return Cursor(current_snapshot(), timezone.now())


def events_after(player_id: int, place: Cursor, *, limit: int) -> Batch:
    """What was committed at a player's tables after that place.

    The moment is taken first, and the tables are looked for after it: whatever had been committed by then is
    found, and whatever comes while this reads is left for the next time.
    """
    now = current_cursor()
    if is_newer_than(place.then or place.seen, now.seen):
        return Batch(now, anew=True)
    seats = _changed_seats(player_id, place)
    begun = place if place.then else replace(place, then=now.seen, then_at=now.at)
    rows = _rows(seats, begun)
    found = list(rows.values_list("pk", flat=True)[: MAX_REPLAYED_EVENTS + 1]) if seats else []
    if len(found) > MAX_REPLAYED_EVENTS:
        return Batch(now, anew=True)
    told = _told(begun, found[:limit], seats)
    if len(found) > limit:
        return Batch(told[-1].place, told, more=True)
    if told:
        told[-1] = replace(told[-1], place=begun.done())
    # After a batch of an earlier moment there may be more since.
    return Batch(begun.done(), told, more=bool(place.then))


def _changed_seats(player_id: int, place: Cursor) -> dict[str, int]:
    """The player's seat at each match whose last entry has not been told."""
    over_since = place.at - LOOKED_AT_AFTER_ITS_END
    with_news = Seat.objects.filter(
        Q(live=True) | Q(match__finished_at__gte=over_since),
        not_visible_in(place.seen, "match__moves__"),
        player=player_id,
        match__moves__version=F("match__version"),
    )
    return dict(with_news.values_list("match_id", "number"))


def _rows(seats: Mapping[str, int], place: Cursor) -> QuerySet[Move]:
    """The rows of the batch still to be told: in order, but not by going through all rows that there are."""
    rows = Move.objects.filter(
        not_visible_in(place.seen), visible_in(place.then), match__in=seats, pk__gt=place.row
    )
    return rows.order_by(F("pk") + 0)


def _told(begun: Cursor, found: list[int], seats: Mapping[str, int]) -> list[PlayerEvent]:
    """These rows of the batch, each with the place after it."""
    rows = Move.objects.filter(pk__in=found).order_by("pk").values_list("pk", "match_id", "entry")
    return [
        PlayerEvent(replace(begun, row=number), match_id, seats[match_id], entry)
        for number, match_id, entry in rows
    ]


def activity_marks(players: Collection[int]) -> dict[int, tuple[int, int]]:
    """What is another for a player whenever something happened at a table: one query for all of them."""
    counted = (
        Seat.objects.filter(player__in=players, live=True)
        .values("player")
        .annotate(tables=Count("pk"), versions=Sum("match__version"))
    )
    return {each["player"]: (each["tables"], each["versions"]) for each in counted}


def current_snapshot() -> str:
    """What has been committed by now, as text."""
    if connection.vendor != "postgresql":
        return str(Move.objects.order_by("-pk").values_list("pk", flat=True).first() or 0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_snapshot()::text")
        return str(cursor.fetchone()[0])


def visible_in(moment: str, row: str = "") -> Q:
    """The rows of the log that had been committed then; `row` leads to them, as in `match__moves__`."""
    if connection.vendor != "postgresql":
        return Q(**{f"{row}pk__lte": int(moment)})
    return Q(_Visible(row, moment))


def not_visible_in(moment: str, row: str = "") -> Q:
    """The rows of the log that had not. What PostgreSQL did not number is older than all of this."""
    if connection.vendor != "postgresql":
        return Q(**{f"{row}pk__gt": int(moment)})
    return Q(_NotVisible(row, moment))


def is_newer_than(moment: str, now: str) -> bool:
    """Whether a moment is of another life of the database: a backup was put back since.

    >>> is_ahead("120:125:121", "90:90:"), is_ahead("120:125:121", "130:130:")
    (True, False)
    """
    return _end(moment) > _end(now)


def _end(moment: str) -> int:
    """The number that comes next: of a row, or of a transaction, which a snapshot has in the middle."""
    numbers = moment.split(":")
    return int(numbers[1] if len(numbers) > 1 else numbers[0])


class _Visible(Func):
    """Whether the transaction that wrote a row is one that a snapshot has seen."""

    template = "pg_visible_in_snapshot(%(expressions)s)"
    output_field = BooleanField()

    def __init__(self, row: str, moment: str) -> None:
        super().__init__(_cast(F(f"{row}written_in"), "xid8"), _cast(Value(moment), "pg_snapshot"))


class _NotVisible(_Visible):
    """Whether it is one that a snapshot has not seen."""

    template = "NOT pg_visible_in_snapshot(%(expressions)s)"


def _cast(value: Any, kind: str) -> Expression:  # noqa: ANN401 -- whatever an expression takes
    return Func(value, template=f"(%(expressions)s)::text::{kind}")


Entry = tuple[str, int, Form]

# Entries that end the log of a match, beside the one that the end of its last round is in.
_LAST: Final = frozenset({"cancelled", "annulled"})


def entries_after(places: Mapping[str, int], *, limit: int) -> list[Entry]:
    """The entries of each match after a version, in the order of its log."""
    wanted = Q()
    for match_id, version in places.items():
        wanted |= Q(match_id=match_id, version__gt=version)
    rows = Move.objects.filter(wanted).order_by("match_id", "version")
    return list(rows.values_list("match_id", "version", "entry")[:limit])


def is_last(entry: Form) -> bool:
    """Whether the log of a match ends with this entry."""
    return entry["type"] in _LAST or any(each["type"] == "match_end" for each in entry["then"])


def versions_of(matches: Collection[str]) -> dict[str, int]:
    """How far each match has come; those that are not there any more are left out."""
    return dict(Match.objects.filter(pk__in=matches).values_list("pk", "version"))


def valid_tokens(digests: Collection[str]) -> set[str]:
    """Those of the tokens that still let their players in."""
    tokens = ApiToken.objects.filter(digest__in=digests, user__is_active=True)
    unexpired = tokens.filter(Q(expiry=None) | Q(expiry__gt=timezone.now()))
    return set(unexpired.values_list("digest", flat=True))


def players_allowed(matches: Collection[str]) -> dict[str, set[int]]:
    """Whom each of these matches is for, where it is private; the others are for everybody."""
    private = Match.objects.filter(pk__in=matches, visibility=Visibility.PRIVATE)
    admitted: dict[str, set[int]] = {
        match_id: {maker} for match_id, maker in private.values_list("pk", "maker_id")
    }
    held = Seat.objects.filter(match__in=admitted, player__isnull=False)
    for match_id, player_id in held.values_list("match_id", "player_id"):
        if player_id is not None:
            admitted[match_id].add(player_id)
    return admitted
