"""A match that is never begun: called off by its maker, or by the clock when it has waited too long."""

from datetime import datetime
from typing import Any, Final

from django.db import transaction

from games.models import Actor, EventType, Match, MatchStatus, Player, Seat
from games.selectors.matches import MatchRow, find_match, read_match
from games.selectors.table_form import table_form
from games.services.announce import announce
from games.services.events import log_entry, write_entry
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
        announce(call_off(row, by=Actor.PLAYER, seat=None if held is None else held.number))
    return table_form(read_match(match_id, player), player)


def call_off(row: MatchRow, *, by: Actor, seat: int | None) -> MatchRow:
    """Write that a held match is called off."""
    write = write_entry(row, log_entry(row, EventType.CANCELLED, by=by, seat=seat), in_time=False)
    write.changes |= {"status": MatchStatus.CANCELLED, "finished_at": row.now, "expires_at": None}
    write.update(Seat, {"match": row.match.pk}, live=False)
    commit(row, write)
    return row


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
        announce(call_off(row, by=Actor.CLOCK, seat=None))
    return True
