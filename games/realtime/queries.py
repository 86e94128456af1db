"""Read the events of a match, or of all matches of a player, without skipping any."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, TypedDict

from django.db import connection
from django.db.models import BooleanField, Count, F, Func, Max, Q, QuerySet, Sum, Value
from django.db.models.expressions import Expression
from django.utils import timezone

from games.gateway.documents import LogEntry
from games.identity.models import ApiToken
from games.matches.models.log import Move
from games.matches.models.match import Match, Seat, Visibility
from games.notices.models import PlayerNotice
from games.notices.queries import NoticeDocument, notices_by_id, render_notice
from games.notices.services import RETENTION

# The maximum number of missed events to replay; beyond it, reloading the matches is cheaper.
MAX_REPLAYED_EVENTS: Final = 1000
# How long a finished match is still searched for events: longer than any transaction can last.
FINISHED_MATCH_WINDOW: Final = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in the events of a player, based on database snapshots.

    All rows visible in `snapshot` have been delivered. While a batch is being delivered, so have those
    visible in `batch_snapshot` with an id up to `last_row`. `taken_at` and `batch_taken_at` are the times of
    the two snapshots.
    """

    snapshot: str
    taken_at: datetime
    batch_snapshot: str = ""
    batch_taken_at: datetime | None = None
    last_row: int = 0

    def end_of_batch(self) -> "Cursor":
        """Return the cursor after the whole batch."""
        return (
            Cursor(self.batch_snapshot, self.batch_taken_at or self.taken_at) if self.batch_snapshot else self
        )


class EventDocument(TypedDict):
    """A log entry of one of the player's matches, with the player's seat."""

    match: str
    my_seat: int
    my_turn: bool
    entry: LogEntry


@dataclass(frozen=True, slots=True)
class PlayerEvent:
    """A log entry with the cursor after it and the player's seat."""

    cursor: Cursor
    match_id: str
    seat: int
    entry: LogEntry

    @property
    def payload(self) -> EventDocument:
        """The event as JSON, without its cursor."""
        turn = self.entry["next"]["to_act"] == self.seat
        return {"match": self.match_id, "my_seat": self.seat, "my_turn": turn, "entry": self.entry}


@dataclass(frozen=True, slots=True)
class NoticeEvent:
    """A notice with the cursor after it."""

    cursor: Cursor
    notice: NoticeDocument


PersonalEvent = PlayerEvent | NoticeEvent


@dataclass(frozen=True, slots=True)
class Batch:
    """Some events, the cursor after them, and whether there may be more now.

    `missed` says that too many events were missed to replay them: the client has to reload its matches, and
    `cursor` is the current one.
    """

    cursor: Cursor
    events: list[PersonalEvent] = field(default_factory=list)
    more: bool = False
    missed: bool = False


def current_cursor() -> Cursor:
    """Return the cursor of a client that has just loaded all of its matches."""
    return Cursor(current_snapshot(), timezone.now())


def events_after(player_id: int, cursor: Cursor, *, limit: int, notices: bool = False) -> Batch:
    """Return the events of a player's matches, and the notices, that were committed after a cursor.

    The snapshot is taken before the matches are queried, so all rows visible in it are found. Rows committed
    during the query are left for the next batch. Notices have ids of the log, so they are in its order.
    """
    now = current_cursor()
    if is_newer_than(cursor.batch_snapshot or cursor.snapshot, now.snapshot):
        return Batch(now, missed=True)
    if notices and cursor.taken_at < now.taken_at - RETENTION:
        return Batch(now, missed=True)  # some may have been deleted
    seats = _changed_seats(player_id, cursor)
    batch_start = (
        cursor
        if cursor.batch_snapshot
        else replace(cursor, batch_snapshot=now.snapshot, batch_taken_at=now.taken_at)
    )
    rows = _rows(seats, batch_start)
    row_ids = list(rows.values_list("pk", flat=True)[: MAX_REPLAYED_EVENTS + 1]) if seats else []
    if notices:
        unread = _notice_rows(player_id, batch_start).values_list("pk", flat=True)
        row_ids = sorted([*row_ids, *unread[: MAX_REPLAYED_EVENTS + 1]])
    if len(row_ids) > MAX_REPLAYED_EVENTS:
        return Batch(now, missed=True)
    events: list[PersonalEvent] = [*_player_events(batch_start, row_ids[:limit], seats)]
    if notices:
        events += _notice_events(batch_start, row_ids[:limit])
        events.sort(key=lambda event: event.cursor.last_row)
    if len(row_ids) > limit:
        return Batch(events[-1].cursor, events, more=True)
    if events:
        events[-1] = replace(events[-1], cursor=batch_start.end_of_batch())
    # The batch belongs to an earlier snapshot, so more may have been committed since.
    return Batch(batch_start.end_of_batch(), events, more=bool(cursor.batch_snapshot))


def _changed_seats(player_id: int, cursor: Cursor) -> dict[str, int]:
    """Return the player's seat in each match whose last entry has not been delivered."""
    over_since = cursor.taken_at - FINISHED_MATCH_WINDOW
    unread_seats = Seat.objects.filter(
        Q(live=True) | Q(match__finished_at__gte=over_since),
        not_visible_in(cursor.snapshot, "match__moves__"),
        player=player_id,
        match__moves__version=F("match__version"),
    )
    return dict(unread_seats.values_list("match_id", "number"))


def _rows(seats: Mapping[str, int], cursor: Cursor) -> QuerySet[Move]:
    """Return the undelivered rows of the batch in order.

    Sorting by an expression keeps PostgreSQL from scanning the whole primary key index.
    """
    rows = Move.objects.filter(
        not_visible_in(cursor.snapshot),
        visible_in(cursor.batch_snapshot),
        match__in=seats,
        pk__gt=cursor.last_row,
    )
    return rows.order_by(F("pk") + 0)


def _player_events(batch_start: Cursor, row_ids: list[int], seats: Mapping[str, int]) -> list[PlayerEvent]:
    """Return the events of these rows, each with the cursor after it."""
    rows = Move.objects.filter(pk__in=row_ids).order_by("pk").values_list("pk", "match_id", "entry")
    return [
        PlayerEvent(replace(batch_start, last_row=number), match_id, seats[match_id], entry)
        for number, match_id, entry in rows
    ]


def _notice_rows(player_id: int, cursor: Cursor) -> QuerySet[PlayerNotice]:
    """Return the undelivered notices of the batch in order."""
    rows = PlayerNotice.objects.filter(
        not_visible_in(cursor.snapshot),
        visible_in(cursor.batch_snapshot),
        player=player_id,
        pk__gt=cursor.last_row,
    )
    return rows.order_by("pk")


def _notice_events(batch_start: Cursor, row_ids: list[int]) -> list[NoticeEvent]:
    """Return the notices among these rows, each with the cursor after it."""
    found = notices_by_id(row_ids)
    return [
        NoticeEvent(replace(batch_start, last_row=number), render_notice(notice))
        for number, notice in found.items()
    ]


ActivityMark = tuple[int, int, int]


def activity_marks(players: Collection[int]) -> dict[int, ActivityMark]:
    """Return a value per player that changes with every event in their matches and every notice."""
    counted = (
        Seat.objects.filter(player__in=players, live=True)
        .values("player")
        .annotate(tables=Count("pk"), versions=Sum("match__version"))
    )
    since = timezone.now() - FINISHED_MATCH_WINDOW
    recent = PlayerNotice.objects.filter(player__in=players, at__gte=since).values("player")
    latest = {each["player"]: each["latest"] for each in recent.annotate(latest=Max("pk"))}
    seated = {each["player"]: (each["tables"], each["versions"]) for each in counted}
    return {
        player: (*seated.get(player, (0, 0)), latest.get(player, 0))
        for player in seated.keys() | latest.keys()
    }


def current_snapshot() -> str:
    """Return the current snapshot as text; on SQLite, the id of the last row of the log or of a notice."""
    if connection.vendor != "postgresql":
        last_ids = [
            model.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
            for model in (Move, PlayerNotice)
        ]
        return str(max(last_ids))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_snapshot()::text")
        return str(cursor.fetchone()[0])


def visible_in(snapshot: str, path: str = "") -> Q:
    """Match log rows committed before a snapshot; `path` is a lookup prefix like `match__moves__`."""
    if connection.vendor != "postgresql":
        return Q(**{f"{path}pk__lte": int(snapshot)})
    return Q(_Visible(path, snapshot))


def not_visible_in(snapshot: str, path: str = "") -> Q:
    """Match log rows not yet committed in a snapshot.

    Rows without a transaction id predate all snapshots and match neither.
    """
    if connection.vendor != "postgresql":
        return Q(**{f"{path}pk__gt": int(snapshot)})
    return Q(_NotVisible(path, snapshot))


def is_newer_than(snapshot: str, now: str) -> bool:
    """Return whether a snapshot is from the future: the database was restored from a backup since.

    >>> is_newer_than("120:125:121", "90:90:"), is_newer_than("120:125:121", "130:130:")
    (True, False)
    """
    return _next_number(snapshot) > _next_number(now)


def _next_number(snapshot: str) -> int:
    """Return the upper end of a snapshot: its next transaction id, or on SQLite its last row."""
    numbers = snapshot.split(":")
    return int(numbers[1] if len(numbers) > 1 else numbers[0])


class _Visible(Func):
    """SQL condition: the transaction that wrote a row is visible in a snapshot."""

    template = "pg_visible_in_snapshot(%(expressions)s)"
    output_field = BooleanField()

    def __init__(self, path: str, snapshot: str) -> None:
        super().__init__(_cast(F(f"{path}written_in"), "xid8"), _cast(Value(snapshot), "pg_snapshot"))


class _NotVisible(_Visible):
    """SQL condition: the transaction that wrote a row is not visible in a snapshot."""

    template = "NOT pg_visible_in_snapshot(%(expressions)s)"


def _cast(value: Any, kind: str) -> Expression:  # noqa: ANN401 -- any argument of an expression
    return Func(value, template=f"(%(expressions)s)::text::{kind}")


Entry = tuple[str, int, LogEntry]

# Entry types that end the log of a match, besides an entry that contains the event `match_end`.
_FINAL_ENTRY_TYPES: Final = frozenset({"cancelled", "annulled"})


def entries_after(versions: Mapping[str, int], *, limit: int) -> list[Entry]:
    """Return the entries of each match after a version, in log order."""
    condition = Q()
    for match_id, version in versions.items():
        condition |= Q(match_id=match_id, version__gt=version)
    rows = Move.objects.filter(condition).order_by("match_id", "version")
    return list(rows.values_list("match_id", "version", "entry")[:limit])


def is_last(entry: LogEntry) -> bool:
    """Return whether the log of a match ends with this entry."""
    return entry["type"] in _FINAL_ENTRY_TYPES or any(each["type"] == "match_end" for each in entry["then"])


def versions_of(matches: Collection[str]) -> dict[str, int]:
    """Return the version of each match; deleted matches are left out."""
    return dict(Match.objects.filter(pk__in=matches).values_list("pk", "version"))


def valid_tokens(digests: Collection[str]) -> set[str]:
    """Return the digests of the tokens that are still valid, of players who are active and not suspended."""
    now = timezone.now()
    suspended = Q(user__suspended_until__gt=now)
    tokens = ApiToken.objects.filter(digest__in=digests, user__is_active=True).exclude(suspended)
    unexpired = tokens.filter(Q(expiry=None) | Q(expiry__gt=now))
    return set(unexpired.values_list("digest", flat=True))


def players_allowed(matches: Collection[str]) -> dict[str, set[int]]:
    """Return the players who may see each private match; public matches are left out."""
    private = Match.objects.filter(pk__in=matches, visibility=Visibility.PRIVATE)
    allowed: dict[str, set[int]] = {
        match_id: {maker} for match_id, maker in private.values_list("pk", "maker_id")
    }
    seats = Seat.objects.filter(match__in=allowed, player__isnull=False)
    for match_id, player_id in seats.values_list("match_id", "player_id"):
        if player_id is not None:
            allowed[match_id].add(player_id)
    return allowed
