"""Standing up before the start."""

from typing import Any

from django.db import transaction

from games.matches.publish import publish
from games.matches.store import MatchRow, SeatRow, my_seat, read_match
from games.models import EventType, Player, Visibility
from games.selectors.table_form import table_form
from games.services.lobby.changing import change_seat
from games.services.lobby.holding import hold_match, refuse_unless_open
from games.services.lobby.seats import freed, turned_down

Form = dict[str, Any]


def leave_match(*, match_id: str, player: Player) -> Form:
    """Stand up before the start. A private match has no open seats: there the maker fills it otherwise."""
    with transaction.atomic():
        row = hold_match(match_id=match_id, player=player)
        seat = my_seat(row, player)
        refuse_unless_open(row)
        publish(change_seat(row, EventType.LEFT, _left(row, seat)))
    return table_form(read_match(match_id, player), player)


def _left(row: MatchRow, seat: SeatRow) -> SeatRow:
    return turned_down(seat) if row.visibility == Visibility.PRIVATE else freed(seat)
