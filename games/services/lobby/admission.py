"""Who may sit down: within one's number of matches, and with the right kind of account."""

from django.conf import settings
from django.db.models import Q

from games.errors import Problem
from games.models import Match, MatchStatus, Player, PlayerKind, Seat, SeatState


def refuse_too_many_made(player: Player) -> None:
    """Hold the number of matches that somebody has made, and that wait or run, within its limits."""
    _hold(player)
    going_on = Match.objects.filter(maker=player, finished_at=None)
    waiting = going_on.filter(status=MatchStatus.OPEN)
    _refuse(waiting.count(), settings.HAGGIS_MOST_OPEN_MATCHES, "matches of yours that wait for players")
    _refuse(going_on.count(), settings.HAGGIS_MOST_MATCHES, "matches that you have made")


def refuse_too_many_seats(player: Player) -> None:
    """Hold the number of tables at which somebody sits within its limit."""
    _hold(player)
    sits = Q(state__in=(SeatState.PLAYING, SeatState.CARETAKER))
    _refuse(
        Seat.objects.filter(sits, player=player, live=True).count(),
        settings.HAGGIS_MOST_MATCHES,
        "matches that you play in",
    )


def _hold(player: Player) -> None:
    """Lock the player, so that two requests at once do not each find room for one more."""
    list(Player.objects.select_for_update(no_key=True).filter(pk=player.pk).values("pk"))


def _refuse(number: int, most: int, what: str) -> None:
    if number >= most:
        raise Problem(
            "limit_reached", f"There are {number} {what} already; {most} is the most.", largest=most
        )


def refuse_unless_ratable(player: Player, *, rated: bool) -> None:
    """Rated matches are between registered people."""
    if rated and player.kind != PlayerKind.HUMAN:
        raise Problem("not_allowed", "Rated matches are for registered people.")
