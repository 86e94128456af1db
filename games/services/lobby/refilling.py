"""A seat that nobody has taken, filled otherwise by the maker: declined, open, or kept in vain."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from games.errors import Problem, invalid
from games.gateway.deals import checked_seed
from games.matches.publish import publish
from games.matches.store import MatchRow, SeatRow, read_match
from games.models import EventType, Player, SeatState
from games.selectors.table_form import table_form
from games.services.lobby.changing import change_seat, start_when_filled
from games.services.lobby.creating import fill_seat
from games.services.lobby.holding import hold_match, refuse_unless_maker, refuse_unless_open
from games.services.lobby.seats import freed
from games.services.lobby.wanted import ME, OPEN, wanted_seats

Form = dict[str, Any]


def refill_seat(*, match_id: str, player: Player, number: int, body: Mapping[str, Any]) -> Form:
    """Give a seat to somebody else, to an AI, or to whoever comes. The last one starts the match."""
    seed = checked_seed(body.get("client_seed", ""))
    with transaction.atomic():
        row = hold_match(match_id=match_id, player=player)
        if number >= len(row.seats):
            raise Problem("not_found")
        refuse_unless_maker(row, player)
        refuse_unless_open(row)
        _refuse_taken(row.seats[number])
        publish(_refill(row, player, number, body, seed))
    return table_form(read_match(match_id, player), player)


def _refuse_taken(seat: SeatRow) -> None:
    if seat.state == SeatState.PLAYING and not seat.level:
        raise Problem("seat_taken")


def _refill(row: MatchRow, maker: Player, number: int, body: Mapping[str, Any], seed: str) -> MatchRow:
    (wanted,) = wanted_seats([body], match=row, maker=maker, at=[""])
    pointer = "/kind" if wanted.kind == ME else "/username"
    _refuse_seated_elsewhere(row, wanted.player, number, pointer)
    if wanted.kind == OPEN:
        return change_seat(row, EventType.SEAT_CHANGED, freed(row.seats[number]))
    return start_when_filled(fill_seat(row, number, wanted, client_seed=seed), by_seat=None)


def _refuse_seated_elsewhere(row: MatchRow, player: Player | None, number: int, pointer: str) -> None:
    held = row.held_by(player)
    if held is not None and held.number != number:
        raise invalid(pointer, "repeated", f"This player has seat {held.number}.")
