"""Render tables, logs and rounds for a viewer."""

from collections.abc import Callable
from datetime import datetime

from django.db.models import QuerySet

from games.core.errors import require_found
from games.core.times import format_time
from games.gateway.documents import DealDocument, LogEntry, RoundDocument
from games.gateway.table import Table
from games.gateway.views import View, own_options, round_to_json
from games.identity.models import Player
from games.matches.documents import (
    AgreementDocument,
    OwnSeatDocument,
    PauseDocument,
    RunningRoundDocument,
    SeatDocument,
    TableDocument,
    TableResultDocument,
)
from games.matches.models.log import Bet, Move, Round
from games.matches.models.match import MatchStatus, Visibility
from games.matches.store import MatchRow, SeatRow, read_match

IN_PLAY = frozenset({MatchStatus.ACTIVE, MatchStatus.PAUSED})


def is_public_and_over(row: MatchRow) -> bool:
    """Return whether everybody may see the match and nothing is played in it any more.

    Its log and rounds never change again; only a match in play can be annulled. Names of players do change.
    """
    return row.visibility == Visibility.PUBLIC and row.status == MatchStatus.FINISHED


def render_table(row: MatchRow, player: Player | None, table: Table | None = None) -> TableDocument:
    """Render a match as this player may see it. `table` avoids loading the table again."""
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
        "result": render_result(row),
        "next_match": row.next_match_id,
        "you": None if seat is None else _render_own_options(row.status, table, view, seat),
    }


def render_result(row: MatchRow) -> TableResultDocument | None:
    """Render the result; that of a rated match has the changes of the ratings, null until it was rated."""
    if row.result is None:
        return None
    result: TableResultDocument = {
        "winners": row.result["winners"],
        "scores": row.result["scores"],
        "reason": row.result["reason"],
    }
    if row.rated:
        rated = row.rating_result or {"ratings": None, "rating_skipped": None}
        result |= {"ratings": rated["ratings"], "rating_skipped": rated["rating_skipped"]}
    return result


def render_agreement(row: MatchRow) -> AgreementDocument:
    """Render the settings that are fixed at the creation of a match."""
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


def render_seat(totals: list[int], seat: SeatRow) -> SeatDocument:
    """Render the public part of a seat."""
    has_player = seat.username is not None
    return {
        "seat": seat.number,
        "state": seat.state,
        "player": {"username": seat.username, "kind": seat.kind} if has_player else None,
        "level": seat.level or None,
        "imported_name": seat.imported_name or None,
        "client_seed": seat.client_seed,
        "score": totals[seat.number] if totals else 0,
        "time_bank_left": seat.time_bank_left,
        "timeouts": seat.timeouts,
        "vacation": format_time(seat.vacation_until),
    }


def _pause(row: MatchRow) -> PauseDocument | None:
    """Render a pause or the requests to pause or resume; return `None` if there are none."""
    asked_by = [seat.number for seat in row.seats if seat.asks]
    paused = row.status == MatchStatus.PAUSED
    if not paused and (not asked_by or row.status != MatchStatus.ACTIVE):
        return None
    return {
        "paused": paused,
        "asked_by": asked_by,
        "until": format_time(row.paused_until) if paused else None,
    }


def _round(row: MatchRow, view: View | None) -> RunningRoundDocument | None:
    if view is None or row.status not in IN_PLAY:
        return None
    rendered = round_to_json(view)
    deadline = row.deadline
    left = seconds_left(deadline, row.now)
    if row.turn_left_ms is not None:
        left = row.turn_left_ms // 1000  # what is left of the turn after the pause
    return {**rendered, "deadline": format_time(deadline), "seconds_left": left}


def seconds_left(deadline: datetime | None, now: datetime) -> int | None:
    """Return the whole seconds until a deadline, at least 0."""
    return None if deadline is None else max(0, int((deadline - now).total_seconds()))


def _render_own_options(
    status: str, table: Table | None, view: View | None, seat: SeatRow
) -> OwnSeatDocument:
    """Render the options of a seat; they are empty unless the match is active."""
    if table is None or view is None or status != MatchStatus.ACTIVE:
        return {
            "seat": seat.number,
            "to_act": False,
            "may_bet": False,
            "bets": [],
            "awards": [],
            "standing_order": False,
        }
    has_standing_order = seat.standing_trick == table.trick_key(seat.number)
    return {"seat": seat.number, **own_options(view), "standing_order": has_standing_order}


def log_after(row: MatchRow, after: int, limit: int) -> list[LogEntry]:
    """Return the log entries after a version, oldest first."""
    moves = Move.objects.filter(match_id=row.id, version__gt=after).order_by("version")
    return list(moves.values_list("entry", flat=True)[:limit])


def log_before(row: MatchRow, before: int, limit: int) -> list[LogEntry]:
    """Return the log entries before a version, newest first."""
    moves = Move.objects.filter(match_id=row.id, version__lt=before).order_by("-version")
    return list(moves.values_list("entry", flat=True)[:limit])


def rounds_of(row: MatchRow) -> tuple[QuerySet[Round], Callable[[Round], RoundDocument]]:
    """Return the rounds of a match in order, and a function that renders a round."""
    bets = _bets(row)
    return _rounds(row), lambda each: render_round(each, row, bets)


def render_rounds(row: MatchRow) -> list[RoundDocument]:
    """Render every round of a match."""
    rounds, render = rounds_of(row)
    return [render(each) for each in rounds]


def read_round(match_id: str, number: int, player: Player | None) -> tuple[MatchRow, RoundDocument]:
    """Read a match and render one of its rounds; raise 404 if there is no such round."""
    row = read_match(match_id, player)
    found = require_found(_rounds(row).filter(number=number).first())
    return row, render_round(found, row, _bets(row))


def render_round(each: Round, row: MatchRow, bets: dict[int, dict[int, int]]) -> RoundDocument:
    """Render a round; its deal and link are shown only after it has ended."""
    ended = each.ended_at is not None
    round_bets = bets.get(each.number, {})
    deal: DealDocument | None = each.deal.reveal() if ended else None
    return {
        "number": each.number,
        "dealer": each.dealer,
        "leader": each.leader,
        "out": each.out,
        "bets": [round_bets.get(seat) for seat in range(row.players)],
        "scores": each.scores,
        "totals": each.totals,
        "hands": None if deal is None else deal["hands"],
        "haggis": None if deal is None else deal["haggis"],
        "link": each.link or None,
        "first_version": each.first_version,
        "last_version": each.last_version,
        "ended_at": format_time(each.ended_at),
    }


def _rounds(row: MatchRow) -> QuerySet[Round]:
    return Round.objects.filter(match_id=row.id).order_by("number")


def _bets(row: MatchRow) -> dict[int, dict[int, int]]:
    """Return the bets of a match by round and seat."""
    bets: dict[int, dict[int, int]] = {}
    for number, seat, amount in Bet.objects.filter(match_id=row.id).values_list(
        "round_number", "seat", "amount"
    ):
        bets.setdefault(number, {})[seat] = amount
    return bets
