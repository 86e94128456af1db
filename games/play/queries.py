"""Legal moves, possible readings and ETag inputs."""

from collections.abc import Mapping
from typing import Any

from django.db.models import F, QuerySet

from games.core.errors import Problem
from games.gateway.table import Table
from games.gateway.views import check_cards as gateway_check_cards
from games.gateway.views import list_legal_moves
from games.identity.models import Player
from games.matches.models.match import MatchStatus, Seat
from games.matches.store import MatchRow, read_match, require_seat

Form = dict[str, Any]


def check_cards(*, match_id: str, player: Player, body: Mapping[str, Any]) -> Form:
    """Every reading of some of one's own cards on the table as it is, in turn or not."""
    row = read_match(match_id, player)
    seat = require_seat(row, player)
    form = gateway_check_cards(_played(row), seat.number, body["cards"], body.get("as"))
    return {"version": row.version, **form}


def legal_moves(*, match_id: str, player: Player, named: Form, expand: bool) -> Form:
    """What the seat to act may do; refused to who sits elsewhere."""
    row = read_match(match_id, player)
    seat = require_seat(row, player)
    table = _played(row)
    if table.to_act != seat.number:
        raise Problem("not_your_turn", version=row.version)
    return {"version": row.version, **list_legal_moves(table, seat.number, named=named, expand=expand)}


def _played(row: MatchRow) -> Table:
    if row.status != MatchStatus.ACTIVE:
        raise Problem("match_not_active")
    return row.table()


Parts = tuple[object, ...]


def etag_inputs(row: MatchRow, player: Player | None) -> Parts:
    """All that a table depends on for this viewer; the time of day does not count."""
    held = row.seat_held_by(player)
    standing = "" if held is None else held.standing_trick
    return row.version, row.next_match_id, standing, row.public_names


def missed_orders() -> QuerySet[Seat]:
    """Seats whose turn it is, which have an order that nobody was woken for."""
    return Seat.objects.filter(
        live=True, match__status=MatchStatus.ACTIVE, match__wake_at=None, match__to_act=F("number")
    ).exclude(standing_trick="")
