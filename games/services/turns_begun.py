"""Whose turn begins with an event: what players want to be told of, once a turn."""

from collections.abc import Mapping
from typing import Any, Final

from games.models import EventType
from games.selectors.matches import MatchRow, SeatRow

# After these a turn begins anew, though it may have been this seat's before.
_BEGIN_ANEW: Final = frozenset({EventType.RESUMED, EventType.RECLAIMED})


def turn_begun(row: MatchRow, entry: Mapping[str, Any], after: tuple[SeatRow, ...]) -> SeatRow | None:
    """The seat of a player whose turn begins with this entry, None if none does.

    `row` is the match before it, `after` are the seats after it. Who acts again has no new turn, nor has who
    is bet against while thinking.
    """
    to_act = entry["next"]["to_act"]
    if to_act is None or (to_act == row.match.to_act and entry["type"] not in _BEGIN_ANEW):
        return None
    seat = after[to_act]
    return None if seat.is_automatic or seat.player_id is None else seat
