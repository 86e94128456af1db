"""Giving up a seat for good. Where only one player is left, that one wins; else an AI keeps the seat."""

from typing import Any

from django.db import transaction

from games.errors import Problem
from games.gateway.cut_short import round_cut_short
from games.gateway.happenings import match_end
from games.gateway.table import Table
from games.models import Actor, EventType, Player, Seat, SeatState, Snapshot
from games.selectors.matches import MatchRow, SeatRow, my_seat, read_match
from games.selectors.table_form import PLAYED, table_form
from games.services.announce import announce
from games.services.event_write import EventWrite
from games.services.events import end_match, end_round, keep_table, log_entry, write_entry
from games.services.lobby.changing import commit, with_seat
from games.services.lobby.holding import hold_match
from games.services.lobby.seats import given_up
from games.services.resigned_seats import best_of_the_rest

Form = dict[str, Any]


def resign(*, match_id: str, player: Player) -> Form:
    """Give up one's seat."""
    with transaction.atomic():
        row = hold_match(match_id=match_id, player=player)
        seat = my_seat(row, player)
        if row.match.status not in PLAYED:
            raise Problem("match_not_active")
        after = _give_up(row, seat)
        commit(row, _last_one_wins(after, seat) if _one_is_left(after) else _an_ai_keeps(after, seat))
        announce(row)
    return table_form(read_match(match_id, player), player)


def _give_up(row: MatchRow, seat: SeatRow) -> MatchRow:
    """Note it at the seat, by itself: what ends the match changes all its seats."""
    gone = given_up(seat)
    rows = Seat.objects.filter(match_id=row.match.pk, number=seat.number)
    rows.update(state=gone.state, standing_trick=gone.standing_trick, live=False)
    return with_seat(row, gone)


def _one_is_left(row: MatchRow) -> bool:
    return sum(seat.state != SeatState.RESIGNED for seat in row.seats) == 1


def _last_one_wins(row: MatchRow, seat: SeatRow) -> EventWrite:
    """Lay the running round open, unscored, and end the match."""
    table = row.table()
    ended = round_cut_short(table, row.deals().link(table.round_number))
    scores = table.totals
    result = {"winners": best_of_the_rest(scores, row.seats), "scores": scores, "reason": "resigned"}
    write = _write(row, seat, then=[ended, match_end(result)])
    write.update(Snapshot, {"match": row.match.pk}, version=row.match.version + 1)
    end_round(write, row, ended)
    end_match(write, row, result)
    return write


def _an_ai_keeps(row: MatchRow, seat: SeatRow) -> EventWrite:
    """Let the match go on; the AI may be the one to act."""
    table = row.table()
    write = _write(row, seat, following=table)
    keep_table(write, row, table)
    return write


def _write(
    row: MatchRow, seat: SeatRow, *, then: list[Form] | None = None, following: Table | None = None
) -> EventWrite:
    entry = log_entry(
        row, EventType.RESIGNED, by=Actor.PLAYER, seat=seat.number, then=then, following=following
    )
    return write_entry(row, entry, in_time=False)
