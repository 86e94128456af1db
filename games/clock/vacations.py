"""Vacations: a number of days a year in which the turns of a player do not time out.

They apply in matches that allow vacations. The deadline of a turn that is running when the vacation starts
is extended by its length; a turn that starts during the vacation gets its time when it ends. If a player ends
the vacation early, the rest is credited back, except for days that have started.
"""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.clock.queries import VacationDocument, count_vacation_days, render_vacation
from games.clock.turn_events import extension_event
from games.core.errors import invalid_field
from games.core.languages import message
from games.core.times import truncate_to_milliseconds
from games.identity.models import Player
from games.identity.services import lock_player
from games.matches.entries import commit_or_conflict
from games.matches.models.log import Actor
from games.matches.models.match import Match, MatchStatus, SeatState
from games.matches.publish import publish
from games.matches.store import find_match, lock_match

BATCH_SIZE: Final = 500
_COLUMNS: Final = ("vacation_since", "vacation_until", "vacation_year", "vacation_days")


@transaction.atomic
def go_on_vacation(*, player: Player, until: datetime) -> VacationDocument:
    """Start a vacation, or change the end of the current one."""
    player, now = lock_player(player), truncate_to_milliseconds(timezone.now())
    until = truncate_to_milliseconds(until)
    if until <= now:
        raise invalid_field(
            "/until", "in_the_past", message("The end of the vacation must be in the future.")
        )
    previous_end = _current_end(player, now)
    _book_days(
        player, since=player.vacation_since if previous_end and player.vacation_since else now, until=until
    )
    _move_deadlines(player, until - (previous_end or now))
    return render_vacation(player)


@transaction.atomic
def end_vacation(*, player: Player) -> None:
    """End the current vacation; do nothing if there is none."""
    player, now = lock_player(player), truncate_to_milliseconds(timezone.now())
    previous_end = _current_end(player, now)
    if previous_end is None or player.vacation_since is None:
        return
    _book_days(player, since=player.vacation_since, until=now)
    player.vacation_since = player.vacation_until = None
    player.save(update_fields=_COLUMNS)
    _move_deadlines(player, now - previous_end)


def clear_past_vacations() -> int:
    """Clear a batch of vacations that are over; return how many."""
    over = Player.objects.filter(vacation_until__lte=timezone.now()).values_list("pk", flat=True)
    ended = Player.objects.filter(pk__in=list(over[:BATCH_SIZE]), vacation_until__lte=timezone.now())
    return ended.update(vacation_since=None, vacation_until=None)


def _current_end(player: Player, now: datetime) -> datetime | None:
    """Return the end of the current vacation; None if there is none."""
    until = player.vacation_until
    return until if until is not None and until > now else None


def _book_days(player: Player, *, since: datetime, until: datetime) -> None:
    """Book the days of a vacation on the year in which it starts, replacing those booked for it before."""
    booked = player.vacation_days if player.vacation_year == since.year else 0
    if player.vacation_since == since and player.vacation_until is not None:
        booked -= count_vacation_days(since, player.vacation_until)
    days = max(0, booked) + count_vacation_days(since, until)
    if days > settings.HAGGIS_VACATION_DAYS:
        left = max(0, settings.HAGGIS_VACATION_DAYS - max(0, booked))
        raise invalid_field(
            "/until", "too_large", message("You have {left} days of vacation left this year.", left=left)
        )
    player.vacation_since, player.vacation_until = since, until
    player.vacation_year, player.vacation_days = since.year, days
    player.save(update_fields=_COLUMNS)


def _move_deadlines(player: Player, length: timedelta) -> None:
    """Move the deadlines of the current turns of the player, each with an event in its match."""
    running = Match.objects.filter(
        status=MatchStatus.ACTIVE,
        vacations=True,
        deadline__isnull=False,
        seats__player=player,
        seats__live=True,
        seats__state=SeatState.PLAYING,
        to_act=F("seats__number"),
    )
    for match_id in list(running.order_by("pk").values_list("pk", flat=True)):
        _move_deadline(match_id, player, length)


def _move_deadline(match_id: str, player: Player, length: timedelta) -> None:
    lock_match(match_id)
    row = find_match(match_id)
    seat = None if row is None else row.seat_of(player)
    if row is None or seat is None or row.to_act != seat.number or row.deadline is None:
        return
    publish(commit_or_conflict(extension_event(row, length, by=Actor.PLAYER)))
