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
# How long a claimed turn may wait in the queue before it is claimed again. Longer than a lease, because
# claiming turns again while the queue is long makes it longer still.
CLAIM_DURATION: Final = timedelta(seconds=20)
BATCH_SIZE: Final = 500

log = logging.getLogger(__name__)

# The arguments of the task: the match, its version and, unless zero, the number of attempts so far.
Turn = tuple[str, int] | tuple[str, int, int]

Defer = Callable[[float, Callable[[], object]], None]


def take_turn(
    *,
    match_id: str,
    version: int,
    attempts: int | None = None,
    defer: Defer | None = None,
    dispatch: bool = True,
) -> MatchChanged | None:
    """Take the automatic turn at this version of a match, unless it has already been taken.

    Return the change. With `dispatch=False` no worker is notified of the next turn, and the caller continues
    with it.

    With `attempts`, the turn is taken only if there have been exactly so many attempts: otherwise another
    worker is working on it, or has died, and then the sweep finds the turn.

    If people play in the match and the AI answers before its minimum time, the commit is passed to `defer`
    with the remaining seconds, and the function returns None. Without `defer` it commits immediately.
    """
    row, read_at = find_match(match_id), monotonic()
    if row is None or row.status != MatchStatus.ACTIVE or row.version != version:
        return None
    seat = row.seats[row.to_act or 0]
    if not seat.is_automatic:
        return execute_standing_order(match_id=match_id, version=version, dispatch=dispatch)
    if attempts not in {None, row.attempts} or not _take_lease(row):
        return None
    ready_at = read_at + _remaining_wait(row)
    row = row._replace(attempts=row.attempts + 1)
    decision = _decide(row, seat)
    if decision is None:
        return None
    seconds = ready_at - monotonic()
    if defer is None or seconds <= 0:
        return _commit(row, seat, *decision, dispatch=dispatch)
    defer(seconds, lambda: _commit(row, seat, *decision, dispatch=True))
    return None


def _remaining_wait(row: MatchRow) -> float:
    """Return the seconds before which an AI does not answer; zero in matches between AIs only."""
    if row.wake_at is None or not has_human_seat(row.seats):
        return 0.0
    return float(min((row.wake_at - row.now).total_seconds(), settings.HAGGIS_AI_WAIT_SECONDS))


def _take_lease(row: MatchRow) -> bool:
    """Lease the turn and count the attempt; return False if another worker was faster."""
    unchanged = _current_turn(row).filter(attempts=row.attempts)
    return unchanged.update(attempts=row.attempts + 1, wake_at=row.now + LEASE) > 0


def renew_lease(*, match_id: str, version: int) -> bool:
    """Extend the lease of this turn; return False if no worker holds one."""
    leased = Match.objects.filter(
        pk=match_id, version=version, status=MatchStatus.ACTIVE, attempts__gt=0, wake_at__isnull=False
    )
    return leased.update(wake_at=Now() + LEASE) > 0


def _current_turn(row: MatchRow) -> QuerySet[Match]:
    """Return the match if it is still at the version that was read."""
    return Match.objects.filter(pk=row.id, version=row.version, status=MatchStatus.ACTIVE)


def _decide(row: MatchRow, seat: SeatRow) -> tuple[Choice, ActionResult] | None:
    """Return the choice of the seat and its result; None if the AI failed and will be retried."""
    table = row.table()
    decision = None if row.attempts > MAX_ATTEMPTS else _choose(row, table, seat)
    if decision is None:
        if row.attempts < MAX_ATTEMPTS:
            _current_turn(row).update(wake_at=row.now + RETRY_DELAY)
            return None
        decision = _fallback(row, table, seat)
    return decision


def _choose(row: MatchRow, table: Table, seat: SeatRow) -> tuple[Choice, ActionResult] | None:
    """Return the choice of the AI and its result; None if the AI fails or its choice is illegal."""
    try:
        choice = choose_action(table.view(seat.number), seat.level or CARETAKER_LEVEL)
    except Exception as error:  # noqa: BLE001 -- a match continues no matter how its AI fails
        _log_failure(row, seat, error)
        return None
    try:
        return choice, table.act(seat.number, choice.action, row.deal_round)
    except Problem as problem:
        _log_failure(row, seat, problem)
        return None


def _fallback(row: MatchRow, table: Table, seat: SeatRow) -> tuple[Choice, ActionResult]:
    """Return a simple legal move, after the AI has failed too often."""
    log.error("%s@%s: fallback move for seat %s", row.id, row.version, seat.number)
    choice = fallback_action(table.view(seat.number), table.totals)
    return choice, table.act(seat.number, choice.action, row.deal_round)


def _log_failure(row: MatchRow, seat: SeatRow, error: Exception) -> None:
    """Log where an AI failed, without the error message, which may contain cards."""
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
    row: MatchRow, seat: SeatRow, choice: Choice, outcome: ActionResult, *, dispatch: bool
) -> MatchChanged | None:
    event = action_event(row, outcome, choice.event, seat=seat.number, by=_actor(seat))
    if not commit_event(row, event.after, event.entry, rounds=event.rounds, bets=event.bets):
        return None
    return publish(event.after, dispatch=dispatch)


def _actor(seat: SeatRow) -> str:
    return Actor.CARETAKER if seat.state == SeatState.CARETAKER else Actor.AI


def claim_due_turns(*, at_most: int = BATCH_SIZE) -> list[Turn]:
    """Claim the automatic turns that are due and return them, most urgent first.

    Concurrent sweeps never claim the same turn: each skips rows that the other has locked, and the new
    `wake_at` hides the turns from later sweeps. If no turn is due, this is one small query.
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
        (match_id, version, attempts) if attempts else (match_id, version)
        for match_id, version, attempts in turns
    ]


def release_turns(turns: Iterable[Turn]) -> None:
    """Release claimed turns that could not be sent to the workers, so that the next sweep claims them."""
    for match_id, version, *_ in turns:
        claimed = Match.objects.filter(pk=match_id, version=version, status=MatchStatus.ACTIVE)
        claimed.filter(wake_at__gt=Now()).update(wake_at=Now())


def _due() -> QuerySet[Match]:
    """Return the matches with a due automatic turn; the partial index on `wake_at` serves this query."""
    return Match.objects.filter(status=MatchStatus.ACTIVE, wake_at__lte=Now())
