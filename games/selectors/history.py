"""What happened: the log of a match, and its rounds, laid open when they have ended."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet

from games.errors import Problem
from games.matches.store import MatchRow, read_match
from games.models import Bet, Move, Player, Round
from games.times import rfc3339

Form = dict[str, Any]


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
    return _rounds(row), lambda each: round_form(each, row, bets)


def rounds_shown(row: MatchRow) -> list[Form]:
    """Every round of a match that was read."""
    rounds, show = rounds_of(row)
    return [show(each) for each in rounds]


def round_of(match_id: str, number: int, player: Player | None) -> tuple[MatchRow, Form]:
    """One round of a match as it may be shown."""
    row = read_match(match_id, player)
    found = _rounds(row).filter(number=number).first()
    if found is None:
        raise Problem("not_found")
    return row, round_form(found, row, _bets(row))


def round_form(each: Round, row: MatchRow, bets: dict[int, dict[int, int]]) -> Form:
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
        "ended_at": rfc3339(each.ended_at),
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
