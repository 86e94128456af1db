"""A match that is never begun: called off by its maker, or by the clock when it has waited too long."""

from datetime import datetime
from typing import Any, Final

from django.db import transaction

from games.matches.commit import Event
from games.matches.publish import publish
from games.matches.store import MatchRow, find_match, read_match
from games.models import Actor, EventType, Match, MatchStatus, Player
from games.selectors.table_form import table_form
from games.services.events import after_event, log_entry
from games.services.lobby.changing import commit
from games.services.lobby.holding import hold_match, refuse_unless_maker, refuse_unless_open

Form = dict[str, Any]

EXPIRED_AT_ONCE: Final = 200


def cancel_match(*, match_id: str, player: Player) -> Form:
    """Call a match off before its start."""
    with transaction.atomic():
        row = hold_match(match_id=match_id, player=player)
        refuse_unless_maker(row, player)
        refuse_unless_open(row)
        held = row.seat_of(player)
        publish(call_off(row, by=Actor.PLAYER, seat=None if held is None else held.number))
    return table_form(read_match(match_id, player), player)


def call_off(row: MatchRow, *, by: Actor, seat: int | None) -> MatchRow:
    """Write that a locked match is called off."""
    seats = tuple(each._replace(live=False) for each in row.seats)
    after = row._replace(
        **after_event(row), status=MatchStatus.CANCELLED, finished_at=row.now, expires_at=None, seats=seats
    )
    return commit(Event(row, after, log_entry(row, EventType.CANCELLED, by=by, seat=seat)))


def expire_open_matches(*, now: datetime, at_once: int = EXPIRED_AT_ONCE) -> int:
    """Call off the matches that nobody has filled in time, each for itself; how many there were.

    Two sweeps at once do not wait for each other: a match that somebody holds is left to who holds it.
    """
    due = Match.objects.filter(status=MatchStatus.OPEN, expires_at__lte=now).order_by("expires_at")
    return sum(_expire(match_id, now) for match_id in list(due.values_list("pk", flat=True)[:at_once]))


def _expire(match_id: str, now: datetime) -> bool:
    with transaction.atomic():
        free = Match.objects.select_for_update(skip_locked=True, no_key=True)
        due = list(free.filter(pk=match_id, status=MatchStatus.OPEN, expires_at__lte=now).values("pk"))
        row = find_match(match_id) if due else None
        if row is None:
            return False
        publish(call_off(row, by=Actor.CLOCK, seat=None))
    return True
