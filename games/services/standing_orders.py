"""Standing orders: "pass for me, for the rest of this trick, however it goes".

An order is its player's own affair. It is no event and has no version; the passes that come of it stand in
the log as the player's, after a random while that is stored. It is for one trick: the next one ends it, and
so does its player by playing after all. Passing by hand leaves it.
"""

from typing import Any

from django.db import transaction

from games.errors import Problem
from games.gateway.table import Table, read_action
from games.matches.commit import commit_event
from games.matches.publish import MatchChanged, publish
from games.matches.store import MatchRow, SeatRow, find_match, my_seat, read_match
from games.models import Actor, Match, MatchStatus, Player, Seat, SeatState
from games.selectors.due import missed_orders
from games.selectors.table_form import table_form
from games.services.clock.timing import wake_at
from games.services.events import action_event
from games.services.hold import hold

Form = dict[str, Any]


@transaction.atomic
def give_order(*, match_id: str, player: Player) -> Form:
    """Pass for this player for the rest of the trick. Giving an order twice changes nothing."""
    hold(match_id)
    row = read_match(match_id, player)
    seat = _own_seat(row, player)
    table = row.table()
    if seat.number == table.to_act:
        _refuse_leading(table)
    if seat.standing_trick != table.standing_trick(seat.number):
        _keep(row, seat, table.standing_trick(seat.number))
    return table_form(read_match(match_id, player), player, table)


@transaction.atomic
def withdraw_order(*, match_id: str, player: Player) -> Form:
    """Leave the player's turns to the player. Without an order it changes nothing."""
    hold(match_id)
    row = read_match(match_id, player)
    seat = _own_seat(row, player)
    if seat.standing_trick:
        _keep(row, seat, "")
    return table_form(read_match(match_id, player), player)


def _own_seat(row: MatchRow, player: Player) -> SeatRow:
    seat = my_seat(row, player)
    if row.status != MatchStatus.ACTIVE:
        raise Problem("match_not_active")
    if seat.state == SeatState.CARETAKER:
        raise Problem("caretaker_playing")
    return seat


def _refuse_leading(table: Table) -> None:
    if table.expects == "award":
        raise Problem("award_due")
    if not table.may_be_passed:
        raise Problem("must_lead", "Whoever leads must play: there is nothing to pass on yet.")


def _keep(row: MatchRow, seat: SeatRow, trick: str) -> None:
    """Store an order, or that there is none, and when to act on it if it is this seat's turn."""
    Seat.objects.filter(match_id=row.id, number=seat.number).update(standing_trick=trick)
    if seat.number == row.to_act:
        _wake_as_stored(row.id)


def _wake_as_stored(match_id: str) -> None:
    """Set when to act from what is stored now."""
    row = find_match(match_id)
    if row is not None:
        Match.objects.filter(pk=match_id).update(wake_at=wake_at(row, row.table(), row.deadline))


@transaction.atomic
def carry_out_order(*, match_id: str, version: int, nudge: bool = True) -> MatchChanged | None:
    """Pass as ordered and return what has changed; leave the turn to its player if the order is over."""
    hold(match_id)
    row = find_match(match_id)
    if row is None or row.status != MatchStatus.ACTIVE or row.version != version:
        return None
    table, seat = row.table(), row.seats[row.to_act or 0]
    if seat.is_automatic:
        return None
    if not _applies(table, seat):
        _keep(row, seat, "")
        return None
    return _pass(row, table, seat, nudge=nudge)


def _applies(table: Table, seat: SeatRow) -> bool:
    return table.may_be_passed and seat.standing_trick == table.standing_trick(seat.number)


def _pass(row: MatchRow, table: Table, seat: SeatRow, *, nudge: bool) -> MatchChanged | None:
    outcome = table.act(seat.number, read_action({"type": "pass"}), row.dealing)
    event = action_event(row, outcome, "pass", seat=seat.number, by=Actor.PLAYER)
    if not commit_event(row, event.after, event.entry, rounds=event.rounds, in_time=True):
        return None
    return publish(event.after, nudge=nudge)


def find_missed_orders(*, at_most: int) -> int:
    """Wake the service for orders that were given in the very moment in which their turn came.

    An action that read the table just before the order was stored knows nothing of it. Orders that are over
    are forgotten on the way, so that they are not looked at again. How many matches were looked at.
    """
    matches = list(missed_orders().values_list("match_id", flat=True)[:at_most])
    for match_id in matches:
        _look_again(match_id)
    return len(matches)


@transaction.atomic
def _look_again(match_id: str) -> None:
    hold(match_id)
    row = find_match(match_id)
    if row is None or row.status != MatchStatus.ACTIVE or row.wake_at is not None:
        return
    table, seat = row.table(), row.seats[row.to_act or 0]
    if _applies(table, seat):
        Match.objects.filter(pk=match_id).update(wake_at=wake_at(row, table, row.deadline))
    elif seat.standing_trick:
        _keep(row, seat, "")
