"""Render tables, logs and rounds for a viewer."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from games.core.errors import Problem
from games.core.times import format_time
from games.gateway.table import Table
from games.gateway.views import View, own_options
from games.gateway.views import round_to_json as gateway_round_form
from games.identity.models import Player
from games.matches.models.log import Bet, Move, Round
from games.matches.models.match import MatchStatus
from games.matches.store import MatchRow, SeatRow, read_match

Form = dict[str, Any]
IN_PLAY = frozenset({MatchStatus.ACTIVE, MatchStatus.PAUSED})


def render_table(row: MatchRow, player: Player | None, table: Table | None = None) -> Form:
    """A match as this player sees it. `table` saves loading it again where it is at hand."""
    if table is None and row.status in IN_PLAY:
        table = row.table()
    seat = row.seat_of(player)
    view = None if table is None else table.view(None if seat is None else seat.number)
    return {
        **render_agreement(row),
        "status": row.status,
        "version": row.version,
        "now": format_time(row.now),
        "created_at": format_time(row.created_at),
        "started_at": format_time(row.started_at),
        "finished_at": format_time(row.finished_at),
        "imported_at": format_time(row.imported_at),
        "anchor": row.anchor or None,
        "seats": [render_seat(row.totals, each) for each in row.seats],
        "pause": _pause(row),
        "round": _round(row, view),
        "result": row.result,
        "next_match": row.next_match_id,
        "you": None if seat is None else _render_own_options(row.status, table, view, seat),
    }


def render_agreement(row: MatchRow) -> Form:
    """What was agreed when the match was made."""
    return {
        "id": row.id,
        "maker": row.maker,
        "ruleset": row.ruleset,
        "ruleset_version": row.ruleset_version,
        "options": row.options,
        "players": row.players,
        "target_score": row.target_score,
        "rounds": row.rounds_limit,
        "visibility": row.visibility,
        "rated": row.rated,
        "hints": row.hints,
        "hold": row.hold,
        "clock": {
            "turn_seconds": row.turn_seconds,
            "time_bank_seconds": row.time_bank_seconds,
            "on_timeout": row.on_timeout,
            "timeouts_allowed": row.timeouts_allowed,
            "after_timeouts": row.after_timeouts,
            "vacations": row.vacations,
            "pauses": row.pauses,
        },
    }


def render_seat(totals: list[int], seat: SeatRow) -> Form:
    """A seat as everybody may see it."""
    held = seat.username is not None
    return {
        "seat": seat.number,
        "state": seat.state,
        "player": {"username": seat.username, "kind": seat.kind} if held else None,
        "level": seat.level or None,
        "imported_name": seat.imported_name or None,
        "client_seed": seat.client_seed,
        "score": totals[seat.number] if totals else 0,
        "time_bank_left": seat.time_bank_left,
        "timeouts": seat.timeouts,
        "vacation": format_time(seat.vacation_until),
    }


def _pause(row: MatchRow) -> Form | None:
    """Who asks for a pause, or in a pause to go on, and how long it lasts; None where nobody asks."""
    asked_by = [seat.number for seat in row.seats if seat.asks]
    paused = row.status == MatchStatus.PAUSED
    if not paused and (not asked_by or row.status != MatchStatus.ACTIVE):
        return None
    return {
        "paused": paused,
        "asked_by": asked_by,
        "until": format_time(row.paused_until) if paused else None,
    }


def _round(row: MatchRow, view: View | None) -> Form | None:
    if view is None or row.status not in IN_PLAY:
        return None
    form = gateway_round_form(view)
    deadline = row.deadline
    left = seconds_left(deadline, row.now)
    if row.turn_left_ms is not None:
        left = row.turn_left_ms // 1000  # what the turn has when the pause is over
    return {**form, "deadline": format_time(deadline), "seconds_left": left}


def seconds_left(deadline: datetime | None, now: datetime) -> int | None:
    """Whole seconds until a deadline, never less than none."""
    return None if deadline is None else max(0, int((deadline - now).total_seconds()))


def _render_own_options(status: str, table: Table | None, view: View | None, seat: SeatRow) -> Form:
    """What this viewer may do; nothing, while the match is not being played."""
    form: Form = {"seat": seat.number, "to_act": False, "may_bet": False, "bets": [], "awards": []}
    standing = False
    if table is not None and view is not None and status == MatchStatus.ACTIVE:
        form |= own_options(view)
        standing = seat.standing_trick == table.trick_key(seat.number)
    return {**form, "standing_order": standing}


def log_after(row: MatchRow, after: int, limit: int) -> list[Form]:
    """The entries of the log after a version, oldest first."""
    moves = Move.objects.filter(match_id=row.id, version__gt=after).order_by("version")
    return list(moves.values_list("entry", flat=True)[:limit])


def log_before(row: MatchRow, before: int, limit: int) -> list[Form]:
    """The entries of the log before a version, newest first."""
    moves = Move.objects.filter(match_id=row.id, version__lt=before).order_by("-version")
    return list(moves.values_list("entry", flat=True)[:limit])


def rounds_of(row: MatchRow) -> tuple[QuerySet[Round], Callable[[Round], Form]]:
    """The rounds of a match that was read, the first one first, and how each may be shown."""
    bets = _bets(row)
    return _rounds(row), lambda each: render_round(each, row, bets)


def render_rounds(row: MatchRow) -> list[Form]:
    """Every round of a match that was read."""
    rounds, show = rounds_of(row)
    return [show(each) for each in rounds]


def read_round(match_id: str, number: int, player: Player | None) -> tuple[MatchRow, Form]:
    """One round of a match as it may be shown."""
    row = read_match(match_id, player)
    found = _rounds(row).filter(number=number).first()
    if found is None:
        raise Problem("not_found")
    return row, render_round(found, row, _bets(row))


def render_round(each: Round, row: MatchRow, bets: dict[int, dict[int, int]]) -> Form:
    """A round: what is public of it, and once it has ended its deal and its link."""
    ended = each.ended_at is not None
    said = bets.get(each.number, {})
    deal = each.deal.reveal() if ended else {"hands": None, "haggis": None}
    return {
        "number": each.number,
        "dealer": each.dealer,
        "leader": each.leader,
        "out": each.out,
        "bets": [said.get(seat) for seat in range(row.players)],
        "scores": each.scores,
        "totals": each.totals,
        "hands": deal["hands"],
        "haggis": deal["haggis"],
        "link": each.link or None,
        "first_version": each.first_version,
        "last_version": each.last_version,
        "ended_at": format_time(each.ended_at),
    }


def _rounds(row: MatchRow) -> QuerySet[Round]:
    return Round.objects.filter(match_id=row.id).order_by("number")


def _bets(row: MatchRow) -> dict[int, dict[int, int]]:
    """What each seat bet, by round."""
    bets: dict[int, dict[int, int]] = {}
    for number, seat, amount in Bet.objects.filter(match_id=row.id).values_list(
        "round_number", "seat", "amount"
    ):
        bets.setdefault(number, {})[seat] = amount
    return bets
