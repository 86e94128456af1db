"""Act at a table, and manage standing orders."""

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction

from games.core.errors import Problem
from games.gateway.table import Table, parse_action
from games.identity.models import Player
from games.matches.commit import Answer, RequestKey, commit_event
from games.matches.entries import action_event
from games.matches.models.log import Actor
from games.matches.models.match import Match, MatchStatus, Seat, SeatState
from games.matches.publish import MatchChanged, publish
from games.matches.queries import render_table
from games.matches.store import (
    MatchRow,
    SeatRow,
    find_match,
    lock_match,
    read_match,
    require_seat,
    require_visible,
)
from games.matches.timing import wake_time
from games.play.queries import missed_orders

Form = dict[str, Any]

Body = Mapping[str, Any]

CREATED: Final = 201
# A bet may name any version of its round, so it is tried again if another action was first; a turn is not.
_BET_TRIES: Final = 8


def act(
    *,
    match_id: str,
    player: Player,
    body: Body,
    key: RequestKey | None = None,
    read: MatchRow | None = None,
) -> Form:
    """Play, pass, bet or award. Return the log entry and the table after it, as the player sees it.

    With a `key` the answer is stored with the event. `read` is the match, if it has just been read; it is
    judged first.
    """
    for _ in range(_BET_TRIES if body["type"] == "bet" else 1):
        row = read_match(match_id, player) if read is None else require_visible(read, player)
        read = None
        seat = _require_turn(row, player, body)
        form = _try_action(row, player, seat, body, key)
        if form is not None:
            return form
    row = read_match(match_id, player)
    _require_turn(row, player, body)  # says so if the clock was first, or somebody who ended the match
    raise Problem("stale_version", version=row.version)


def _require_turn(row: MatchRow, player: Player, body: Body) -> SeatRow:
    """Return the player's seat, or refuse in the order that the API promises, up to what the rules decide."""
    seat = require_seat(row, player)
    if row.status != MatchStatus.ACTIVE:
        raise Problem("match_not_active")
    if seat.state == SeatState.CARETAKER:
        raise Problem("caretaker_playing")
    if not _is_current(row, body):
        raise Problem("stale_version", version=row.version)
    if _deadline_applies(row, seat, body) and row.deadline is not None and row.deadline <= row.now:
        raise Problem("deadline_passed", version=row.version)
    return seat


def _deadline_applies(row: MatchRow, seat: SeatRow, body: Body) -> bool:
    """Whether the deadline is that of this action: a bet out of turn has none."""
    return body["type"] != "bet" or seat.number == row.to_act


def _is_current(row: MatchRow, body: Body) -> bool:
    """Whether the action names the version of the table; for a bet, any version of the same round."""
    if body["type"] == "bet":
        first = row.round_first_version or 0
        return bool(first <= body["version"] <= row.version)
    return bool(body["version"] == row.version)


def _try_action(
    row: MatchRow, player: Player, seat: SeatRow, body: Body, key: RequestKey | None
) -> Form | None:
    """Act on the table as it was read; return None if another writer was first."""
    outcome = row.table().act(seat.number, parse_action(body), row.deal_round)
    event = action_event(row, outcome, body["type"], seat=seat.number, by=Actor.PLAYER)
    form = {"move": event.entry, "match": render_table(event.after, player, outcome.table)}
    written = commit_event(
        row,
        event.after,
        event.entry,
        rounds=event.rounds,
        bets=event.bets,
        answer=None if key is None else Answer(key, CREATED, form),
        in_time=_deadline_applies(row, seat, body),
    )
    if not written:
        return None
    publish(event.after)
    return form


@transaction.atomic
def set_standing_order(*, match_id: str, player: Player) -> Form:
    """Pass for this player for the rest of the trick. Giving an order twice changes nothing."""
    lock_match(match_id)
    row = read_match(match_id, player)
    seat = _require_own_seat(row, player)
    table = row.table()
    if seat.number == table.to_act:
        _refuse_leading(table)
    if seat.standing_trick != table.trick_key(seat.number):
        _store_order(row, seat, table.trick_key(seat.number))
    return render_table(read_match(match_id, player), player, table)


@transaction.atomic
def clear_standing_order(*, match_id: str, player: Player) -> Form:
    """Leave the player's turns to the player. Without an order it changes nothing."""
    lock_match(match_id)
    row = read_match(match_id, player)
    seat = _require_own_seat(row, player)
    if seat.standing_trick:
        _store_order(row, seat, "")
    return render_table(read_match(match_id, player), player)


def _require_own_seat(row: MatchRow, player: Player) -> SeatRow:
    seat = require_seat(row, player)
    if row.status != MatchStatus.ACTIVE:
        raise Problem("match_not_active")
    if seat.state == SeatState.CARETAKER:
        raise Problem("caretaker_playing")
    return seat


def _refuse_leading(table: Table) -> None:
    if table.expects == "award":
        raise Problem("award_due")
    if not table.can_pass:
        raise Problem("must_lead", "Whoever leads must play: there is nothing to pass on yet.")


def _store_order(row: MatchRow, seat: SeatRow, trick: str) -> None:
    """Store an order, or that there is none, and when to act on it if it is this seat's turn."""
    Seat.objects.filter(match_id=row.id, number=seat.number).update(standing_trick=trick)
    if seat.number == row.to_act:
        _reset_wake_time(row.id)


def _reset_wake_time(match_id: str) -> None:
    """Set when to act from what is stored now."""
    row = find_match(match_id)
    if row is not None:
        Match.objects.filter(pk=match_id).update(wake_at=wake_time(row, row.table(), row.deadline))


@transaction.atomic
def execute_standing_order(*, match_id: str, version: int, nudge: bool = True) -> MatchChanged | None:
    """Pass as ordered and return what has changed; leave the turn to its player if the order is over."""
    lock_match(match_id)
    row = find_match(match_id)
    if row is None or row.status != MatchStatus.ACTIVE or row.version != version:
        return None
    table, seat = row.table(), row.seats[row.to_act or 0]
    if seat.is_automatic:
        return None
    if not _applies(table, seat):
        _store_order(row, seat, "")
        return None
    return _pass(row, table, seat, nudge=nudge)


def _applies(table: Table, seat: SeatRow) -> bool:
    return table.can_pass and seat.standing_trick == table.trick_key(seat.number)


def _pass(row: MatchRow, table: Table, seat: SeatRow, *, nudge: bool) -> MatchChanged | None:
    outcome = table.act(seat.number, parse_action({"type": "pass"}), row.deal_round)
    event = action_event(row, outcome, "pass", seat=seat.number, by=Actor.PLAYER)
    if not commit_event(row, event.after, event.entry, rounds=event.rounds, in_time=True):
        return None
    return publish(event.after, dispatch=nudge)


def wake_missed_orders(*, at_most: int) -> int:
    """Wake the service for orders that were given in the very moment in which their turn came.

    An action that read the table just before the order was stored knows nothing of it. Orders that are over
    are forgotten on the way, so that they are not looked at again. How many matches were looked at.
    """
    matches = list(missed_orders().values_list("match_id", flat=True)[:at_most])
    for match_id in matches:
        _recheck_order(match_id)
    return len(matches)


@transaction.atomic
def _recheck_order(match_id: str) -> None:
    lock_match(match_id)
    row = find_match(match_id)
    if row is None or row.status != MatchStatus.ACTIVE or row.wake_at is not None:
        return
    table, seat = row.table(), row.seats[row.to_act or 0]
    if _applies(table, seat):
        Match.objects.filter(pk=match_id).update(wake_at=wake_time(row, table, row.deadline))
    elif seat.standing_trick:
        _store_order(row, seat, "")
