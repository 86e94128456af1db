"""The turns that the service takes: those of AI seats, of seats whose player is away, of standing orders.

An AI thinks outside any transaction, from its own seat's view alone, and what it answers holds only if the
table is still the one it was asked about. So a turn may be asked for twice, late, or by two workers at once.

Who begins to think counts an attempt and moves the match's waking time on as a lease: if the thinker dies,
the turn is found again when the lease is over. So it is short, and renewed for whoever thinks for longer.
After three attempts a plain legal move is made instead.
"""

import logging
import traceback
from collections.abc import Callable
from datetime import timedelta
from time import monotonic
from typing import Final

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Now

from games.errors import Problem
from games.gateway.ai import CARETAKER_LEVEL, Choice, choose, safe_choice
from games.gateway.table import Outcome, Table
from games.matches.commit import commit_event
from games.matches.publish import MatchChanged, publish
from games.matches.store import MatchRow, SeatRow, find_match
from games.models import Actor, Match, MatchStatus, SeatState
from games.services.clock.timing import people_play
from games.services.events import action_event
from games.services.standing_orders import carry_out_order

LEASE: Final = timedelta(seconds=10)
AFTER_A_FAILURE: Final = timedelta(seconds=2)
MOST_ATTEMPTS: Final = 3

log = logging.getLogger(__name__)


Later = Callable[[float, Callable[[], object]], None]


def take_turn(
    *,
    match_id: str,
    version: int,
    attempts: int | None = None,
    later: Later | None = None,
    nudge: bool = True,
) -> MatchChanged | None:
    """Take the turn at this version of a match, if it is the service's to take and nobody was first.

    Return what has changed: a caller that had no worker nudged goes on from there.

    Whoever says that it was tried so often does not try it where it was tried once more since: whoever did
    so is at it still, or has died and is found by the sweep.

    An AI that is done before the time an AI takes hands its answer to `later`, with the seconds that are
    left; then the turn is not taken yet. Without it the answer is given at once.
    """
    row, read = find_match(match_id), monotonic()
    if row is None or row.status != MatchStatus.ACTIVE or row.version != version:
        return None
    seat = row.seats[row.to_act or 0]
    if not seat.is_automatic:
        return carry_out_order(match_id=match_id, version=version, nudge=nudge)
    if attempts not in {None, row.attempts} or not _begin(row):
        return None
    ready = read + _wait(row)
    row = row._replace(attempts=row.attempts + 1)
    made = _made(row, seat)
    if made is None:
        return None
    seconds = ready - monotonic()
    if later is None or seconds <= 0:
        return _commit(row, seat, *made, nudge=nudge)
    later(seconds, lambda: _commit(row, seat, *made, nudge=True))
    return None


def _wait(row: MatchRow) -> float:
    """How many seconds an AI still waits with its turn, whenever it is done with thinking."""
    if row.wake_at is None or not people_play(row.seats):
        return 0.0
    return float(min((row.wake_at - row.now).total_seconds(), settings.HAGGIS_AI_WAIT_SECONDS))


def _begin(row: MatchRow) -> bool:
    """Count the attempt and take the lease; False when somebody else has just done so."""
    tried = row.attempts
    begun = _same_turn(row).filter(attempts=tried).update(attempts=tried + 1, wake_at=row.now + LEASE)
    return begun > 0


def renew_lease(*, match_id: str, version: int) -> bool:
    """Move the lease of whoever still thinks about this turn on; False when nobody does."""
    thought_about = Match.objects.filter(
        pk=match_id, version=version, status=MatchStatus.ACTIVE, attempts__gt=0, wake_at__isnull=False
    )
    return thought_about.update(wake_at=Now() + LEASE) > 0


def _same_turn(row: MatchRow) -> QuerySet[Match]:
    return Match.objects.filter(pk=row.id, version=row.version, status=MatchStatus.ACTIVE)


def _made(row: MatchRow, seat: SeatRow) -> tuple[Choice, Outcome] | None:
    """What the seat does; None when its AI failed and is to try again."""
    table = row.table()
    made = None if row.attempts > MOST_ATTEMPTS else _thought_of(row, table, seat)
    if made is None:
        if row.attempts < MOST_ATTEMPTS:
            _same_turn(row).update(wake_at=row.now + AFTER_A_FAILURE)
            return None
        made = _fallback(row, table, seat)
    return made


def _thought_of(row: MatchRow, table: Table, seat: SeatRow) -> tuple[Choice, Outcome] | None:
    """What the seat's AI does; None when it fails, in whatever way, or does what the rules do not allow."""
    try:
        choice = choose(table.view(seat.number), seat.level or CARETAKER_LEVEL)
    except Exception as error:  # noqa: BLE001 -- whatever a level does wrong, its match goes on
        _report(row, seat, error)
        return None
    try:
        return choice, table.act(seat.number, choice.action, row.dealing)
    except Problem as refused:
        _report(row, seat, refused)
        return None


def _fallback(row: MatchRow, table: Table, seat: SeatRow) -> tuple[Choice, Outcome]:
    log.error("%s@%s: a plain move for seat %s", row.id, row.version, seat.number)
    choice = safe_choice(table.view(seat.number), table.totals)
    return choice, table.act(seat.number, choice.action, row.dealing)


def _report(row: MatchRow, seat: SeatRow, error: Exception) -> None:
    """Log where an AI failed. Its own message may name cards, so only its kind and its place are told."""
    log.error(
        "%s@%s: attempt %s of seat %s (%s) failed with %s\n%s",
        row.id,
        row.version,
        row.attempts,
        seat.number,
        seat.level or CARETAKER_LEVEL,
        type(error).__name__,
        "".join(traceback.format_tb(error.__traceback__)),
    )


def _commit(
    row: MatchRow, seat: SeatRow, choice: Choice, outcome: Outcome, *, nudge: bool
) -> MatchChanged | None:
    event = action_event(row, outcome, choice.event, seat=seat.number, by=_actor(seat))
    if not commit_event(row, event.after, event.entry, rounds=event.rounds, bets=event.bets):
        return None
    return publish(event.after, nudge=nudge)


def _actor(seat: SeatRow) -> str:
    return Actor.CARETAKER if seat.state == SeatState.CARETAKER else Actor.AI
