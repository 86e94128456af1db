"""Perform actions, and manage standing orders."""

from typing import Final

from django.db import transaction

from games.core.errors import Problem
from games.core.languages import message
from games.gateway.documents import ActionBody
from games.gateway.table import Table, parse_action
from games.identity.models import Player
from games.matches.commit import Answer, RequestKey, commit_event
from games.matches.documents import MoveResultDocument, TableDocument
from games.matches.entries import action_event
from games.matches.models.log import Actor
from games.matches.models.match import Match, MatchStatus, Seat
from games.matches.publish import MatchChanged, publish
from games.matches.queries import render_table
from games.matches.store import (
    MatchRow,
    SeatRow,
    find_match,
    lock_match,
    read_match,
    require_no_caretaker,
    require_seat,
    require_visible,
)
from games.matches.timing import service_turn
from games.play.queries import missed_orders

CREATED: Final = 201
# A bet can name any version of its round, so it is retried after a concurrent action; other actions are not.
_BET_TRIES: Final = 8


def act(
    *,
    match_id: str,
    player: Player,
    body: ActionBody,
    key: RequestKey | None = None,
    prefetched: MatchRow | None = None,
) -> MoveResultDocument:
    """Play, pass, bet or award. Return the log entry and the table after it, as the player sees it.

    With a `key` the response is stored with the event. `prefetched` is the match if it has just been read;
    the first attempt uses it.
    """
    for _ in range(_BET_TRIES if body["type"] == "bet" else 1):
        row = read_match(match_id, player) if prefetched is None else require_visible(prefetched, player)
        prefetched = None
        seat = _require_actionable(row, player, body)
        result = _try_action(row, player, seat, body, key)
        if result is not None:
            return result
    row = read_match(match_id, player)
    _require_actionable(row, player, body)  # raises the specific error if a timeout or the end was first
    raise Problem("stale_version", version=row.version)


def _require_actionable(row: MatchRow, player: Player, body: ActionBody) -> SeatRow:
    """Return the player's seat, or raise the first error in the documented order, before the rules apply."""
    seat = _require_active_seat(row, player)
    if not _is_current(row, body):
        raise Problem("stale_version", version=row.version)
    if _deadline_applies(row, seat, body) and row.deadline is not None and row.deadline <= row.now:
        raise Problem("deadline_passed", version=row.version)
    return seat


def _deadline_applies(row: MatchRow, seat: SeatRow, body: ActionBody) -> bool:
    """Return whether the action has to meet the deadline. A bet out of turn need not."""
    return body["type"] != "bet" or seat.number == row.to_act


def _is_current(row: MatchRow, body: ActionBody) -> bool:
    """Return whether the action is for the current version or, if it is a bet, any version of this round."""
    if body["type"] == "bet":
        first = row.round_first_version or 0
        return first <= body["version"] <= row.version
    return body["version"] == row.version


def _try_action(
    row: MatchRow, player: Player, seat: SeatRow, body: ActionBody, key: RequestKey | None
) -> MoveResultDocument | None:
    """Act on the table as it was read, or return `None` if another writer was first."""
    outcome = row.table().act(seat.number, parse_action(body), row.deal_round)
    event = action_event(row, outcome, body["type"], seat=seat.number, by=Actor.PLAYER)
    result: MoveResultDocument = {
        "move": event.entry,
        "match": render_table(event.after, player, outcome.table),
    }
    committed = commit_event(
        row,
        event.after,
        event.entry,
        rounds=event.rounds,
        bets=event.bets,
        answer=None if key is None else Answer(key, CREATED, result),
        in_time=_deadline_applies(row, seat, body),
    )
    if not committed:
        return None
    publish(event.after)
    return result


@transaction.atomic
def set_standing_order(*, match_id: str, player: Player) -> TableDocument:
    """Pass for this player for the rest of the trick. Setting an order twice changes nothing."""
    lock_match(match_id)
    row = read_match(match_id, player)
    seat = _require_active_seat(row, player)
    table = row.table()
    if seat.number == table.to_act:
        _require_passable(table)
    if seat.standing_trick != table.trick_key(seat.number):
        _store_order(row, seat, table.trick_key(seat.number))
    return render_table(read_match(match_id, player), player, table)


@transaction.atomic
def clear_standing_order(*, match_id: str, player: Player) -> TableDocument:
    """Stop passing for this player. Without an order this changes nothing."""
    lock_match(match_id)
    row = read_match(match_id, player)
    seat = _require_active_seat(row, player)
    if seat.standing_trick:
        _store_order(row, seat, "")
    return render_table(read_match(match_id, player), player)


def _require_active_seat(row: MatchRow, player: Player) -> SeatRow:
    seat = require_seat(row, player)
    if row.status != MatchStatus.ACTIVE:
        raise Problem("match_not_active")
    require_no_caretaker(seat)
    return seat


def _require_passable(table: Table) -> None:
    if table.expects == "award":
        raise Problem("award_due")
    if not table.can_pass:
        raise Problem("must_lead", message("You lead this trick, so you have to play before you can pass."))


def _store_order(row: MatchRow, seat: SeatRow, trick: str) -> None:
    """Store an order or its absence, and update the wake time if it is this seat's turn."""
    Seat.objects.filter(match_id=row.id, number=seat.number).update(standing_trick=trick)
    if seat.number == row.to_act:
        _reset_wake_time(row.id)


def _reset_wake_time(match_id: str) -> None:
    """Compute the wake time from the stored match."""
    row = find_match(match_id)
    if row is not None:
        _store_service_turn(row, row.table())


def _store_service_turn(row: MatchRow, table: Table) -> None:
    """Store when the service passes for the seat to act; standing orders need no place among the AIs."""
    timing = service_turn(row, table, row.deadline)
    Match.objects.filter(pk=row.id).update(**timing._asdict(), turn_order=0)


@transaction.atomic
def execute_standing_order(*, match_id: str, version: int, dispatch: bool = True) -> MatchChanged | None:
    """Pass as ordered and return the change, or clear an order that no longer applies and return `None`."""
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
    return _pass(row, table, seat, dispatch=dispatch)


def _applies(table: Table, seat: SeatRow) -> bool:
    return table.can_pass and seat.standing_trick == table.trick_key(seat.number)


def _pass(row: MatchRow, table: Table, seat: SeatRow, *, dispatch: bool) -> MatchChanged | None:
    outcome = table.act(seat.number, parse_action({"type": "pass"}), row.deal_round)
    event = action_event(row, outcome, "pass", seat=seat.number, by=Actor.PLAYER)
    if not commit_event(row, event.after, event.entry, rounds=event.rounds, in_time=True):
        return None
    return publish(event.after, dispatch=dispatch)


def wake_missed_orders(*, at_most: int) -> int:
    """Set the wake time of orders that were stored just as their turn came, and return how many were checked.

    A concurrent action that read the table before the order was stored does not set it. Orders that no longer
    apply are cleared, so that they are not checked again.
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
        _store_service_turn(row, table)
    elif seat.standing_trick:
        _store_order(row, seat, "")
