"""The start by the maker, who held the match so as to give a seed after having seen the anchor."""

from typing import Any

from django.db import transaction

from games.errors import Problem, invalid
from games.gateway.deals import checked_seed
from games.matches.publish import publish
from games.matches.store import MatchRow, read_match
from games.models import EventType, Player
from games.selectors.table_form import table_form
from games.services.lobby.changing import change_seat, is_filled, start
from games.services.lobby.holding import hold_match, refuse_unless_maker, refuse_unless_open
from games.services.lobby.seats import taken

Form = dict[str, Any]


def start_match(*, match_id: str, player: Player, client_seed: str | None = None) -> Form:
    """Begin a match whose seats are all filled."""
    seed = None if client_seed is None else checked_seed(client_seed)
    with transaction.atomic():
        row = hold_match(match_id=match_id, player=player)
        refuse_unless_maker(row, player)
        refuse_unless_open(row)
        if not is_filled(row):
            raise Problem("seats_not_filled")
        if seed is not None:
            row = _give_seed(row, player, seed)
        held = row.seat_of(player)
        publish(start(row, by_seat=None if held is None else held.number))
    return table_form(read_match(match_id, player), player)


def _give_seed(row: MatchRow, player: Player, seed: str) -> MatchRow:
    """Fix the maker's seed, once, and for all to see before the first deal."""
    seat = row.seat_of(player)
    if seat is None:
        raise invalid("/client_seed", "not_seated", "A seed belongs to a seat, and you do not have any.")
    if seat.client_seed == seed:
        return row
    if seat.client_seed:
        raise invalid("/client_seed", "given_before", "Your seed was fixed when you gave it first.")
    return change_seat(row, EventType.SEAT_CHANGED, taken(seat, player, seed))
