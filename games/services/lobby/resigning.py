"""Giving up one's seat for good."""

from typing import Any

from django.db import transaction

from games.errors import Problem
from games.matches.publish import publish
from games.matches.store import my_seat, read_match
from games.models import Actor, Player
from games.selectors.table_form import PLAYED, table_form
from games.services.giving_up import resignation_event
from games.services.lobby.changing import commit
from games.services.lobby.holding import hold_match

Form = dict[str, Any]


def resign(*, match_id: str, player: Player) -> Form:
    """Give up one's seat."""
    with transaction.atomic():
        row = hold_match(match_id=match_id, player=player)
        seat = my_seat(row, player)
        if row.status not in PLAYED:
            raise Problem("match_not_active")
        publish(commit(resignation_event(row, seat, by=Actor.PLAYER)))
    return table_form(read_match(match_id, player), player)
