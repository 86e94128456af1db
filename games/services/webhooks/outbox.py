"""What an event leaves to be sent: a row for each endpoint that asked for it, written with the event itself.

One statement finds the endpoints and writes the rows, so that it costs no trip, and next to nothing where
nobody is to be told. The rows name the entry of the log; what is sent is made from that.
"""

# ruff: noqa: S608 -- the names in this statement are those of our models; values are parameters

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import connection

from games.models import Delivery, DeliveryStatus, EventType, SeatState, Visibility, Webhook
from games.models.webhook import YOUR_TURN
from games.selectors.matches import MatchRow, SeatRow
from games.services.statements import Values, column_of, placeholder, prepared_values, quoted, table_of
from games.services.turns_begun import turn_begun

# An id at random, made by the database: the rows are.
_NEW_ID: Final = {
    "postgresql": "'msg_' || replace(gen_random_uuid()::text, '-', '')",
    "sqlite": "'msg_' || lower(hex(randomblob(16)))",
}

# An endpoint that is just being deleted is waited for, and is told nothing then; SQLite has one writer.
_LOCK: Final = {"postgresql": " FOR KEY SHARE OF w", "sqlite": ""}
_OUT_OF_IT: Final = frozenset({SeatState.DECLINED, SeatState.RESIGNED})
_LEAVING: Final = frozenset({EventType.DECLINED, EventType.RESIGNED})


class ToEndpoints(NamedTuple):
    """The statement that finds the endpoints and writes their rows.

    It depends on how many people the event concerns, on how many may see it, if not everybody may, on how
    many types it is of, and on whether it begins somebody's turn.
    """

    people: int
    may_see: int | None
    types: int
    begins_a_turn: bool

    def text(self, held: str) -> str:
        """Write the statement."""
        fields = [column_of(Delivery, name) for name in _ROW]
        return (
            f"INSERT INTO {table_of(Delivery)} ({', '.join(map(quoted, fields))}, public_id, webhook_id) "
            f"SELECT {', '.join(map(placeholder, fields))}, {_NEW_ID[connection.vendor]}, w.id "
            f"FROM {table_of(Webhook)} w "
            f"WHERE w.active AND {self._endpoints()} AND {held}{_LOCK[connection.vendor]}"
        )

    def _endpoints(self) -> str:
        """The endpoints that an event is for: by match or player, by type, by right."""
        concerned = f"({_equal('match')} OR (w.match_id IS NULL AND {_any_of('player', self.people)}))"
        types = [_equal("types"), *[_like("types")] * self.types]
        if self.begins_a_turn:
            types.append(f"({_equal('player')} AND {_like('types')})")
        where = f"{concerned} AND ({' OR '.join(types)})"
        return where if self.may_see is None else f"{where} AND {_any_of('player', self.may_see)}"


_ROW: Final = ("match", "version", "type", "status", "created_at", "due_at", "tried", "attempts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One event for the outbox.

    `people` are those whose match it is, `may_see` all who may see it, if not everybody may; `turn_of` is
    whose turn has begun with it.
    """

    match_id: str
    entry: Mapping[str, Any]
    at: datetime
    people: frozenset[int]
    may_see: frozenset[int] | None
    turn_of: int | None

    def written(self) -> tuple[ToEndpoints, list[Any]]:
        """The statement, and its values in order."""
        types = types_of(self.entry)
        values = [
            *prepared_values(Delivery, self._row()),
            self.match_id,
            *sorted(self.people),
            "",
            *map(_as_listed, types),
            *(() if self.turn_of is None else (self.turn_of, _as_listed(YOUR_TURN))),
            *sorted(self.may_see or ()),
        ]
        seen_by = None if self.may_see is None else len(self.may_see)
        return ToEndpoints(len(self.people), seen_by, len(types), self.turn_of is not None), values

    def _row(self) -> Values:
        row: tuple[object, ...] = (
            self.match_id,
            self.entry["version"],
            self.entry["type"],
            DeliveryStatus.PENDING,
            self.at,
            self.at,
            0,
            [],
        )
        return dict(zip(_ROW, row, strict=True))


def told(row: MatchRow, entry: Mapping[str, Any], after: tuple[SeatRow, ...]) -> Told:
    """Whom an entry is for, when the seats after it are these."""
    seats = row.seats if after is row.seats else (*row.seats, *after)
    turn = turn_begun(row, entry, after)
    is_private = row.match.visibility == Visibility.PRIVATE
    return Told(
        match_id=row.match.pk,
        entry=entry,
        at=row.now,
        people=_players(_in_it(seats, entry)),
        may_see=_players(seats) | {row.match.maker_id} if is_private else None,
        turn_of=None if turn is None else turn.player_id,
    )


def _in_it(seats: Iterable[SeatRow], entry: Mapping[str, Any]) -> Iterable[SeatRow]:
    """Those whose match it is; who leaves it just now is told of that."""
    leaving = entry["seat"] if entry["type"] in _LEAVING else None
    return (seat for seat in seats if seat.state not in _OUT_OF_IT or seat.number == leaving)


def _players(seats: Iterable[SeatRow]) -> frozenset[int]:
    return frozenset(seat.player_id for seat in seats if seat.player_id is not None)


def types_of(entry: Mapping[str, Any]) -> list[str]:
    """What an entry is, and what it brought about, each once.

    >>> types_of({"type": "play", "then": [{"type": "out"}, {"type": "out"}]})
    ['play', 'out']
    """
    return list(dict.fromkeys([entry["type"], *(each["type"] for each in entry["then"])]))


def _as_listed(name: str) -> str:
    """The pattern of the types of an endpoint that has this one among them."""
    return f"% {name} %"


def _equal(name: str) -> str:
    column = column_of(Webhook, name)
    return f"w.{quoted(column)} = {placeholder(column)}"


def _like(name: str) -> str:
    column = column_of(Webhook, name)
    return f"w.{quoted(column)} LIKE {placeholder(column)}"


def _any_of(name: str, count: int) -> str:
    column = column_of(Webhook, name)
    return f"w.{quoted(column)} IN ({', '.join([placeholder(column)] * count)})" if count else "FALSE"
