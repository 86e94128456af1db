"""What a player could do with the own hand: reads, for the eyes of its seat alone."""

from collections.abc import Mapping
from typing import Any

from games.errors import Problem
from games.gateway.table import Table
from games.gateway.views import check_form, legal_moves_form
from games.matches.store import MatchRow, my_seat, read_match
from games.models import MatchStatus, Player

Form = dict[str, Any]


def check_cards(*, match_id: str, player: Player, body: Mapping[str, Any]) -> Form:
    """Every reading of some of one's own cards on the table as it is, in turn or not."""
    row = read_match(match_id, player)
    seat = my_seat(row, player)
    form = check_form(_played(row), seat.number, body["cards"], body.get("as"))
    return {"version": row.version, **form}


def legal_moves(*, match_id: str, player: Player, named: Form, expand: bool) -> Form:
    """What the seat to act may do; refused to who sits elsewhere."""
    row = read_match(match_id, player)
    seat = my_seat(row, player)
    table = _played(row)
    if table.to_act != seat.number:
        raise Problem("not_your_turn", version=row.version)
    return {"version": row.version, **legal_moves_form(table, seat.number, named=named, expand=expand)}


def _played(row: MatchRow) -> Table:
    if row.status != MatchStatus.ACTIVE:
        raise Problem("match_not_active")
    return row.table()
