"""Hints: what a strong player would do now, where that was agreed on and nobody else is played against."""

from typing import Any

from games.errors import Problem
from games.gateway.analysis import hint_form
from games.matches.store import MatchRow, SeatRow, my_seat, read_match
from games.models import MatchStatus, Player

Form = dict[str, Any]


def hint_for(*, match_id: str, player: Player) -> Form:
    """A move for the seat to act, as a body to send; refused where hints are not for."""
    row = read_match(match_id, player)
    seat = my_seat(row, player)
    if not may_be_hinted(row, seat):
        raise Problem("hints_not_allowed")
    if row.status != MatchStatus.ACTIVE:
        raise Problem("match_not_active")
    table = row.table()
    if table.to_act != seat.number:
        raise Problem("not_your_turn", version=row.version)
    move = hint_form(table, seat.number, match_id=row.id, version=row.version)
    return {"version": row.version, "move": move}


def may_be_hinted(row: MatchRow, seat: SeatRow) -> bool:
    """Whether hints were agreed on, the match is not rated, and all the others are AIs."""
    others = [other for other in row.seats if other.number != seat.number]
    return row.hints and not row.rated and all(other.player_id is None for other in others)
