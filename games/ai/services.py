"""Take the turns of AI seats, caretakers and standing orders."""

import logging
import traceback
from collections.abc import Callable, Iterable
from datetime import timedelta
from time import monotonic
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from games.core.errors import Problem
from games.gateway.ai import CARETAKER_LEVEL, Choice, choose_action, fallback_action
from games.gateway.table import ActionResult, Table
from games.matches.commit import commit_event
from games.matches.entries import action_event
from games.matches.models.log import Actor
from games.matches.models.match import Match, MatchStatus, SeatState
from games.matches.publish import MatchChanged, publish
from games.matches.store import MatchRow, SeatRow, find_match
from games.matches.timing import has_human_seat
from games.play.services import execute_standing_order

LEASE: Final = timedelta(seconds=10)
RETRY_DELAY: Final = timedelta(seconds=2)
MAX_ATTEMPTS: Final = 3

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
        return execute_standing_order(match_id=match_id, version=version, nudge=nudge)
    if attempts not in {None, row.attempts} or not _begin(row):
        return None
    ready = read + _wait(row)
    row = row._replace(attempts=row.attempts + 1)
    made = _decide(row, seat)
    if made is None:
        return None
    seconds = ready - monotonic()
    if later is None or seconds <= 0:
        return _commit(row, seat, *made, nudge=nudge)
    later(seconds, lambda: _commit(row, seat, *made, nudge=True))
    return None


def _wait(row: MatchRow) -> float:
    """How many seconds an AI still waits with its turn, whenever it is done with thinking."""
    if row.wake_at is None or not has_human_seat(row.seats):
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


def _decide(row: MatchRow, seat: SeatRow) -> tuple[Choice, ActionResult] | None:
    """What the seat does; None when its AI failed and is to try again."""
    table = row.table()
    made = None if row.attempts > MAX_ATTEMPTS else _ask_level(row, table, seat)
    if made is None:
        if row.attempts < MAX_ATTEMPTS:
            _same_turn(row).update(wake_at=row.now + RETRY_DELAY)
            return None
        made = _fallback(row, table, seat)
    return made


def _ask_level(row: MatchRow, table: Table, seat: SeatRow) -> tuple[Choice, ActionResult] | None:
    """What the seat's AI does; None when it fails, in whatever way, or does what the rules do not allow."""
    try:
        choice = choose_action(table.view(seat.number), seat.level or CARETAKER_LEVEL)
    except Exception as error:  # noqa: BLE001 -- whatever a level does wrong, its match goes on
        _log_failure(row, seat, error)
        return None
    try:
        return choice, table.act(seat.number, choice.action, row.deal_round)
    except Problem as refused:
        _log_failure(row, seat, refused)
        return None


def _fallback(row: MatchRow, table: Table, seat: SeatRow) -> tuple[Choice, ActionResult]:
    log.error("%s@%s: a plain move for seat %s", row.id, row.version, seat.number)
    choice = fallback_action(table.view(seat.number), table.totals)
    return choice, table.act(seat.number, choice.action, row.deal_round)


def _log_failure(row: MatchRow, seat: SeatRow, error: Exception) -> None:
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
    row: MatchRow, seat: SeatRow, choice: Choice, outcome: ActionResult, *, nudge: bool
) -> MatchChanged | None:
    event = action_event(row, outcome, choice.event, seat=seat.number, by=_actor(seat))
    if not commit_event(row, event.after, event.entry, rounds=event.rounds, bets=event.bets):
        return None
    return publish(event.after, dispatch=nudge)


def _actor(seat: SeatRow) -> str:
    return Actor.CARETAKER if seat.state == SeatState.CARETAKER else Actor.AI


# A match, its version, and how often somebody has begun to think about that turn, if anybody has.
Turn = tuple[str, int] | tuple[str, int, int]

# How long a turn that was given out may wait in its queue. Longer than a lease: what is given out twice while
# the queue is long makes it longer.
CLAIM_DURATION: Final = timedelta(seconds=20)

AT_ONCE: Final = 500


def claim_due_turns(*, at_most: int = AT_ONCE) -> list[Turn]:
    """The turns that are due, most urgent first. Nobody else is given them for a while.

    Two sweepers at once share them out: each skips what the other has just locked, and the moved waking time
    keeps them from both afterwards. When there is nothing to do it is one small read.
    """
    if not _due().exists():
        return []
    with transaction.atomic():
        turns = list(
            _due()
            .select_for_update(skip_locked=True, no_key=True)
            .order_by("wake_at")
            .values_list("pk", "version", "attempts")[:at_most]
        )
        Match.objects.filter(pk__in=[match_id for match_id, _, _ in turns]).update(
            wake_at=Now() + CLAIM_DURATION
        )
    return [
        (match_id, version, tried) if tried else (match_id, version) for match_id, version, tried in turns
    ]


def release_turns(turns: Iterable[Turn]) -> None:
    """Have these found by the next sweep: they were claimed, and nobody could be told of them."""
    for match_id, version, *_ in turns:
        claimed = Match.objects.filter(pk=match_id, version=version, status=MatchStatus.ACTIVE)
        claimed.filter(wake_at__gt=Now()).update(wake_at=Now())


def _due() -> QuerySet[Match]:
    """What the index of waking times finds."""
    return Match.objects.filter(status=MatchStatus.ACTIVE, wake_at__lte=Now())
