"""What an event leaves to be told by mail or push: a row for who wants it, written with the event."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db.models import Field

from games.models import MAIL_WAYS, EventType, Match, Notice, NoticeKind, NoticeWay, SeatState
from games.selectors.matches import MatchRow, SeatRow
from games.services.notices.wishes import has_wishes, next_digest, ways_wanted
from games.services.statements import column_of, placeholder, prepared_values, quoted, table_of
from games.services.turns_begun import turn_begun

# Whoever has less time for a turn is at the table, or has put it out of sight: no mail would come in time.
LIVE_SECONDS: Final = 600
# Of a short turn a push message leaves the greater part.
LONGEST_PART_WAITED: Final = 0.25
AT_ONCE: Final[Mapping[NoticeWay, timedelta]] = dict.fromkeys(NoticeWay, timedelta())
_ROW: Final = ("player", "kind", "way", "about", "version", "due_at", "tried", "devices")
_ONE_OF_A_KIND: Final = ("player", "about", "kind", "way")
_IN_IT: Final = frozenset({SeatState.PLAYING, SeatState.CARETAKER})


class ToMails(NamedTuple):
    """The statement that leaves one thing to be told; what was to be told before of the same is replaced."""

    way: NoticeWay

    def text(self, held: str) -> str:
        """Write the statement."""
        columns = {name: column_of(Notice, name) for name in _ROW}
        renewed = ["version", "tried", "devices", *(["due_at"] if self.way != NoticeWay.DIGEST else [])]
        return (
            f"INSERT INTO {table_of(Notice)} ({', '.join(map(quoted, columns.values()))}) "
            f"SELECT {', '.join(map(placeholder, columns.values()))} WHERE {held} "
            f"ON CONFLICT ({', '.join(quoted(columns[name]) for name in _ONE_OF_A_KIND)}) "
            f"DO UPDATE SET {', '.join(map(_renewed, (columns[name] for name in renewed)))}"
        )


def _renewed(column: "Field[Any, Any]") -> str:
    return f"{quoted(column)} = EXCLUDED.{quoted(column)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One thing to be told to one player."""

    player_id: int
    kind: NoticeKind
    way: NoticeWay
    about: str
    version: int
    due_at: datetime

    def written(self) -> tuple[ToMails, list[Any]]:
        """The statement, and its values in order."""
        row = (self.player_id, self.kind, self.way, self.about, self.version, self.due_at, 0, None)
        return ToMails(self.way), prepared_values(Notice, dict(zip(_ROW, row, strict=True)))


def notices_of(row: MatchRow, entry: Mapping[str, Any], after: tuple[SeatRow, ...]) -> Iterator[Told]:
    """All that is to be told of an entry, when `row` is the match before it and `after` its seats then."""
    if not any(map(has_wishes, after)):
        return
    turn = turn_begun(row, entry, after)
    if turn is not None:
        yield from told(row, turn, NoticeKind.YOUR_TURN, entry["version"], turn_waits(row.match))
    if entry["type"] == EventType.CARETAKER:
        yield from told(row, after[entry["seat"]], NoticeKind.CARETAKER, entry["version"])
    if entry["type"] == EventType.INVITED:
        yield from told(row, after[entry["seat"]], NoticeKind.INVITATION, entry["version"])
    if any(each["type"] == "match_end" for each in entry["then"]):
        for seat in after:
            if seat.state in _IN_IT:
                yield from told(row, seat, NoticeKind.MATCH_END, entry["version"])


def turn_waits(match: Match) -> dict[NoticeWay, timedelta]:
    """How long somebody may take to notice that it is their turn, by each way that a turn is told."""
    push = float(settings.HAGGIS_TURN_PUSH_SECONDS)
    if match.turn_seconds is not None:
        push = min(push, match.turn_seconds * LONGEST_PART_WAITED)
    waits = {NoticeWay.PUSH: timedelta(seconds=push)}
    if match.turn_seconds is None or match.turn_seconds > LIVE_SECONDS:
        mail = timedelta(seconds=settings.HAGGIS_TURN_MAIL_SECONDS)
        waits |= dict.fromkeys(MAIL_WAYS, mail)
    return waits


def told(
    row: MatchRow,
    seat: SeatRow,
    kind: NoticeKind,
    version: int,
    waits: Mapping[NoticeWay, timedelta] = AT_ONCE,
) -> Iterator[Told]:
    """One thing for the player of one seat, in each way that they want it and that has a wait."""
    for way in ways_wanted(seat, kind):
        if seat.player_id is not None and way in waits:
            yield Told(
                player_id=seat.player_id,
                kind=kind,
                way=way,
                about=row.match.pk,
                version=version,
                due_at=next_digest(row.now, seat.time_zone or "UTC")
                if way == NoticeWay.DIGEST
                else row.now + waits[way],
            )
