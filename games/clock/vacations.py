"""Vacations: so many days a year in which nobody's turn runs out, at tables that agreed to have them.

A turn that runs when its player goes ends later by the length of the vacation; one that comes meanwhile
begins when it is over. Whoever comes back early gives the rest back, days that have begun apart.
"""

from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.clock.queries import days_of, render_vacation
from games.clock.turn_events import extension_event
from games.core.errors import invalid_field
from games.core.times import truncate_to_milliseconds
from games.identity.models import Player
from games.matches.entries import commit_or_conflict
from games.matches.models.log import Actor
from games.matches.models.match import Match, MatchStatus, SeatState
from games.matches.publish import publish
from games.matches.store import find_match, lock_match

Form = dict[str, Any]

AT_ONCE: Final = 500
_COLUMNS: Final = ("vacation_since", "vacation_until", "vacation_year", "vacation_days")


@transaction.atomic
def go_on_vacation(*, player: Player, until: datetime) -> Form:
    """Be away until then; or change until when, if one is away already."""
    player, now = _lock_player(player), truncate_to_milliseconds(timezone.now())
    until = truncate_to_milliseconds(until)
    if until <= now:
        raise invalid_field("/until", "in_the_past", "A vacation ends later than now.")
    before = _running(player, now)
    _book_days(player, since=player.vacation_since if before and player.vacation_since else now, until=until)
    _move_deadlines(player, until - (before or now))
    return render_vacation(player)


@transaction.atomic
def end_vacation(*, player: Player) -> None:
    """Be there again. Whoever was not away changes nothing."""
    player, now = _lock_player(player), truncate_to_milliseconds(timezone.now())
    before = _running(player, now)
    if before is None or player.vacation_since is None:
        return
    _book_days(player, since=player.vacation_since, until=now)
    player.vacation_since = player.vacation_until = None
    player.save(update_fields=_COLUMNS)
    _move_deadlines(player, now - before)


def clear_past_vacations() -> int:
    """Forget the vacations that are over, so that nobody is shown them any more; how many there were."""
    over = Player.objects.filter(vacation_until__lte=timezone.now()).values_list("pk", flat=True)
    ended = Player.objects.filter(pk__in=list(over[:AT_ONCE]), vacation_until__lte=timezone.now())
    return ended.update(vacation_since=None, vacation_until=None)


def _lock_player(player: Player) -> Player:
    """The player as they are now; nobody else changes the same vacation meanwhile."""
    return Player.objects.select_for_update(no_key=True).get(pk=player.pk)


def _running(player: Player, now: datetime) -> datetime | None:
    """Until when the player is away; None for who is there."""
    until = player.vacation_until
    return until if until is not None and until > now else None


def _book_days(player: Player, *, since: datetime, until: datetime) -> None:
    """Count the days of a vacation, instead of those counted for it before, to the year that it begins in."""
    counted = player.vacation_days if player.vacation_year == since.year else 0
    if player.vacation_since == since and player.vacation_until is not None:
        counted -= days_of(since, player.vacation_until)
    days = max(0, counted) + days_of(since, until)
    if days > settings.HAGGIS_VACATION_DAYS:
        left = max(0, settings.HAGGIS_VACATION_DAYS - max(0, counted))
        raise invalid_field("/until", "too_large", f"You have {left} days of vacation left this year.")
    player.vacation_since, player.vacation_until = since, until
    player.vacation_year, player.vacation_days = since.year, days
    player.save(update_fields=_COLUMNS)


def _move_deadlines(player: Player, length: timedelta) -> None:
    """Move the deadlines that run for the player; each is an event of its match."""
    waiting = Match.objects.filter(
        status=MatchStatus.ACTIVE,
        vacations=True,
        deadline__isnull=False,
        seats__player=player,
        seats__live=True,
        seats__state=SeatState.PLAYING,
        to_act=F("seats__number"),
    )
    for match_id in list(waiting.order_by("pk").values_list("pk", flat=True)):
        _move_deadline(match_id, player, length)


def _move_deadline(match_id: str, player: Player, length: timedelta) -> None:
    lock_match(match_id)
    row = find_match(match_id)
    seat = None if row is None else row.seat_of(player)
    if row is None or seat is None or row.to_act != seat.number or row.deadline is None:
        return
    publish(commit_or_conflict(extension_event(row, length, by=Actor.PLAYER)))
