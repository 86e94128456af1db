"""Matches with a clock, and turns that are over."""

from datetime import timedelta
from typing import Any

from django.db.models import F

from games.gateway.ai import choose, safe_choice
from games.gateway.bodies import body_of
from games.models import Match, Move, Player, Seat
from games.services.clock.sweeping import time_out_due_turns
from games.services.play import act
from tests.games.factories import make_player, read_row, start_match

Form = dict[str, Any]

TURN = 1000


def with_clock(*seats: Player | str, **agreed: Any) -> Match:
    """A match that has just begun, of two people if nothing else is said."""
    return start_match(*(seats or (make_player(), make_player())), **{"turn_seconds": TURN, **agreed})


def now_at(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def seat_to_act(match: Match) -> Seat:
    match = now_at(match)
    return Seat.objects.get(match=match, number=match.to_act or 0)


def last_entry(match: Match) -> Form:
    entry: Form = Move.objects.filter(match=match).latest("version").entry
    return entry


def events(match: Match) -> list[tuple[str, int | None, str]]:
    """What happened at which seat, and who did it."""
    moves = Move.objects.filter(match=match).order_by("version")
    return [(move.type, move.seat, move.by) for move in moves]


def make_overdue(*matches: Match) -> None:
    """Let the turns that run be over."""
    passed = timedelta(seconds=2 * TURN)
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(deadline=F("deadline") - passed)


def time_out(match: Match) -> Form:
    """Let the turn be over and the clock act; the entry of what it did."""
    make_overdue(match)
    assert time_out_due_turns() == 1
    return last_entry(match)


def play_on(match: Match, level: str = "") -> Form:
    """Let the player whose turn it is take it, as plainly as may be or as an AI would; the answer."""
    row = read_row(match)
    seat = row.seats[row.to_act or 0]
    player = Player.objects.get(pk=seat.player_id or 0)
    table = row.table()
    view = table.view(seat.number)
    choice = choose(view, level) if level else safe_choice(view, table.totals)
    return act(match_id=match.pk, player=player, body=body_of(choice.action, row.version))
