"""Pauses: a match stands still when all who play in it want it to, and goes on when all want that.

Who asks first asks the others, for all to see; when the last one asks too, it is done. A match can be paused
for so long in all, and then goes on by itself.
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from games.errors import Problem
from games.models import Actor, Asks, EventType, Match, MatchStatus, Player, Seat, SeatState
from games.selectors.matches import MatchRow, SeatRow, my_seat, read_match
from games.selectors.table_form import table_form
from games.services.announce import announce
from games.services.clock.turn_events import same_timing, write_pause, write_resumption, write_turn_event
from games.services.event_write import EventWrite
from games.services.lobby.changing import commit
from games.services.lobby.holding import hold_match

Form = dict[str, Any]


def ask_for_pause(*, match_id: str, player: Player) -> Form:
    """Want a pause; the match is paused when everybody does."""
    return _ask(match_id, player, Asks.PAUSE)


def ask_to_resume(*, match_id: str, player: Player) -> Form:
    """Want to play on; the match goes on when everybody does."""
    return _ask(match_id, player, Asks.RESUME)


def withdraw_pause(*, match_id: str, player: Player) -> Form:
    """Want no pause any more. Without having asked it changes nothing."""
    with transaction.atomic():
        row = hold_match(match_id=match_id, player=player)
        seat = _own_seat(row, player)
        if seat.asks == Asks.PAUSE:
            _commit(row, _write_ask(row, seat, EventType.PAUSE_ASKED, Asks.NOTHING))
    return table_form(read_match(match_id, player), player)


def _ask(match_id: str, player: Player, what: Asks) -> Form:
    with transaction.atomic():
        row = hold_match(match_id=match_id, player=player)
        seat = _own_seat(row, player)
        _refuse_at_the_wrong_time(row, what)
        if all(each.asks == what for each in _askers(row) if each.number != seat.number):
            _commit(row, _agreed(row, seat, what))
        elif seat.asks != what:
            event = EventType.PAUSE_ASKED if what == Asks.PAUSE else EventType.RESUME_ASKED
            _commit(row, _write_ask(row, seat, event, what))
    return table_form(read_match(match_id, player), player)


def _own_seat(row: MatchRow, player: Player) -> SeatRow:
    seat = my_seat(row, player)
    if seat.state == SeatState.CARETAKER:
        raise Problem("caretaker_playing")
    return seat


def _refuse_at_the_wrong_time(row: MatchRow, what: Asks) -> None:
    if what == Asks.RESUME:
        if row.match.status != MatchStatus.PAUSED:
            raise Problem("match_not_paused")
        return
    if row.match.status != MatchStatus.ACTIVE:
        raise Problem("match_not_active")
    if not row.match.pauses:
        raise Problem("pauses_off")
    if longest_pause(row.match) <= timedelta():
        raise Problem("limit_reached", "This match has been paused for as long as a match can be.")


def longest_pause(match: Match) -> timedelta:
    """How long a match can still be paused."""
    return timedelta(seconds=settings.HAGGIS_PAUSE_SECONDS - match.paused_seconds)


def _askers(row: MatchRow) -> list[SeatRow]:
    """Those who have to agree: all who play for themselves."""
    return [seat for seat in row.seats if not seat.is_automatic]


def _agreed(row: MatchRow, seat: SeatRow, what: Asks) -> EventWrite:
    nobody: Form = {"asked_by": []}
    if what == Asks.RESUME:
        return write_resumption(row, by=Actor.PLAYER, seat=seat.number, said=nobody)
    longest = longest_pause(row.match)
    return write_pause(row, by=Actor.PLAYER, seat=seat.number, longest=longest, said=nobody)


def _write_ask(row: MatchRow, seat: SeatRow, event: EventType, asks: Asks) -> EventWrite:
    """The write of somebody who wants something, or no more; the entry names all who want it now."""
    asking = {each.number for each in row.seats if each.asks and each.number != seat.number}
    said = {"asked_by": sorted(asking | ({seat.number} if asks else set()))}
    write = write_turn_event(row, event, same_timing(row), by=Actor.PLAYER, seat=seat.number, said=said)
    write.update(Seat, {"match": row.match.pk, "number": seat.number}, asks=asks)
    return write


def _commit(row: MatchRow, write: EventWrite) -> None:
    commit(row, write)
    announce(row)
