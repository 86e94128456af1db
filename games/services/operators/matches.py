"""Stepping in where players cannot help themselves. What is done to a match is an event of its log.

The reason is kept with the deed, for operators; the log, which everybody reads, says what was done and that
it was an operator who did it.
"""

from collections.abc import Collection
from datetime import timedelta

from django.db import transaction

from games.errors import Problem, invalid
from games.matches.publish import publish
from games.matches.store import MatchRow, find_match
from games.models import Actor, EventType, MatchStatus, OperatorDeed, Player
from games.selectors.table_form import PLAYED
from games.services.clock.pausing import longest_pause
from games.services.clock.timing_out import caretaker_event
from games.services.clock.turn_events import extension_event, pause_event, resumption_event
from games.services.giving_up import breaking_off_event
from games.services.hold import hold
from games.services.lobby.calling_off import call_off
from games.services.lobby.changing import commit
from games.services.operators.recording import record_deed

_OPEN = frozenset({MatchStatus.OPEN})
_ACTIVE = frozenset({MatchStatus.ACTIVE})
_PAUSED = frozenset({MatchStatus.PAUSED})
# Operators may pause for so long, whatever players have used up of theirs.
SHORTEST_PAUSE = timedelta(days=1)


@transaction.atomic
def cancel_unbegun(*, operator: Player, match_id: str, reason: str) -> None:
    """Call a match off that has not begun."""
    row = _held(match_id, _OPEN, "match_not_open")
    record_deed(operator=operator, deed=OperatorDeed.CANCEL, match=row.id, reason=reason)
    publish(call_off(row, by=Actor.OPERATOR, seat=None))


@transaction.atomic
def pause_match(*, operator: Player, match_id: str, reason: str) -> None:
    """Pause a match, whatever its players want; it goes on by itself as after any pause."""
    row = _held(match_id, _ACTIVE)
    record_deed(operator=operator, deed=OperatorDeed.PAUSE, match=row.id, reason=reason)
    longest = max(SHORTEST_PAUSE, longest_pause(row))
    publish(commit(pause_event(row, by=Actor.OPERATOR, seat=None, longest=longest)))


@transaction.atomic
def resume_match(*, operator: Player, match_id: str, reason: str) -> None:
    """End a pause."""
    row = _held(match_id, _PAUSED, "match_not_paused")
    record_deed(operator=operator, deed=OperatorDeed.RESUME, match=row.id, reason=reason)
    publish(commit(resumption_event(row, by=Actor.OPERATOR, seat=None)))


@transaction.atomic
def extend_turn(*, operator: Player, match_id: str, reason: str, seconds: int) -> None:
    """Give whoever is to act so much more time."""
    row = _held(match_id, _ACTIVE)
    if row.deadline is None:
        raise Problem("no_deadline")
    details = {"seconds": seconds, "seat": row.to_act}
    record_deed(operator=operator, deed=OperatorDeed.EXTEND, match=row.id, reason=reason, details=details)
    publish(commit(extension_event(row, timedelta(seconds=seconds), by=Actor.OPERATOR)))


@transaction.atomic
def replace_seat(*, operator: Player, match_id: str, reason: str, seat: int) -> None:
    """Have a caretaker play for somebody, who can take the seat back."""
    row = _held(match_id, PLAYED)
    if not 0 <= seat < len(row.seats):
        raise invalid("/seat", "too_large", f"The seats are numbered 0 to {len(row.seats) - 1}.")
    if row.seats[seat].is_automatic:
        raise Problem("caretaker_playing", "An AI plays there already.")
    record_deed(
        operator=operator, deed=OperatorDeed.REPLACE, match=row.id, reason=reason, details={"seat": seat}
    )
    publish(commit(caretaker_event(row, row.seats[seat], by=Actor.OPERATOR)))


@transaction.atomic
def annul_match(*, operator: Player, match_id: str, reason: str) -> None:
    """End a match without a winner; the round that runs is laid open, unscored."""
    row = _held(match_id, PLAYED)
    record_deed(operator=operator, deed=OperatorDeed.ANNUL, match=row.id, reason=reason)
    publish(commit(breaking_off_event(row, EventType.ANNULLED, by=Actor.OPERATOR)))


def _held(match_id: str, statuses: Collection[str], otherwise: str = "match_not_active") -> MatchRow:
    """The match, kept as it is for the rest of the transaction; refused where it stands otherwise."""
    hold(match_id)
    row = find_match(match_id)
    if row is None:
        raise Problem("not_found")
    if row.status not in statuses:
        raise Problem(otherwise)
    return row
