"""Take the turns of AI seats, caretakers and standing orders."""

import logging
import traceback
from collections.abc import Callable
from datetime import timedelta
from time import monotonic
from typing import Final

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Now

from games.ai.attempts import record_attempt, record_interrupted_attempt
from games.ai.models import AttemptOutcome
from games.core.errors import Problem, raised
from games.gateway.ai import CARETAKER_LEVEL, Choice, choose_action, fallback_action
from games.gateway.table import ActionResult, Table
from games.matches.commit import commit_event
from games.matches.entries import action_event
from games.matches.models.log import Actor
from games.matches.models.match import Match, MatchStatus, SeatState
from games.matches.publish import MatchChanged, publish
from games.matches.store import MatchRow, SeatRow, find_match
from games.matches.timing import has_human_seat
from games.matches.turn_order import LEASE, ClaimedTurn
from games.play.services import execute_standing_order

RETRY_DELAY: Final = timedelta(seconds=2)
MAX_ATTEMPTS: Final = 3
# A search ends this long before its answer is due, which leaves time to write it.
COMMIT_SECONDS: Final = 0.1

log = logging.getLogger(__name__)

Defer = Callable[[float, Callable[[], object]], None]


def take_turn(
    *, match_id: str, version: int, defer: Defer | None = None, dispatch: bool = True
) -> MatchChanged | None:
    """Take the automatic turn at this version of a match, even if it is not the next in order.

    Return the change, or None if the turn has already been taken.
    """
    row, read_at = find_match(match_id), monotonic()
    if row is None or not _is_waiting(row, version):
        return None
    seat = row.seats[row.to_act or 0]
    if not seat.is_automatic:
        return execute_standing_order(match_id=match_id, version=version, dispatch=dispatch)
    if not _take_lease(row):
        return None
    return _play(row._replace(attempts=row.attempts + 1), seat, read_at, defer=defer, dispatch=dispatch)


def take_claimed_turn(
    turn: ClaimedTurn, *, defer: Defer | None = None, dispatch: bool = True
) -> MatchChanged | None:
    """Take a turn that this worker has claimed; return the change.

    Return None if the match has changed since, if the AI failed and will be retried, or if the answer is
    deferred. With `dispatch=False` no worker is notified of the next turn: the caller continues.

    If people play in the match and the AI answers before its fixed wait is over, the commit is passed to
    `defer` with the remaining seconds. Without `defer` it commits immediately.
    """
    row, read_at = find_match(turn.match_id), monotonic()
    if row is None or not _is_waiting(row, turn.version):
        return None
    seat = row.seats[row.to_act or 0]
    if not seat.is_automatic:
        return execute_standing_order(match_id=row.id, version=row.version, dispatch=dispatch)
    return _play(row, seat, read_at, defer=defer, dispatch=dispatch)


def _is_waiting(row: MatchRow, version: int) -> bool:
    return row.status == MatchStatus.ACTIVE and row.version == version


def _play(
    row: MatchRow, seat: SeatRow, read_at: float, *, defer: Defer | None, dispatch: bool
) -> MatchChanged | None:
    """Choose an action for the AI seat and commit it, or defer the commit until the fixed wait is over."""
    wait = _remaining_wait(row)
    ready_at = read_at + wait
    decision = _decide(row, seat, within=wait - COMMIT_SECONDS if has_human_seat(row.seats) else None)
    if decision is None:
        return None
    seconds = ready_at - monotonic()
    if defer is None or seconds <= 0:
        return _commit(row, seat, *decision, read_at=read_at, dispatch=dispatch)
    defer(seconds, lambda: _commit(row, seat, *decision, read_at=read_at, dispatch=True))
    return None


def _remaining_wait(row: MatchRow) -> float:
    """Return the seconds before which an AI does not answer; zero in matches between AIs only."""
    if row.turn_due_at is None or not has_human_seat(row.seats):
        return 0.0
    return float(min((row.turn_due_at - row.now).total_seconds(), settings.HAGGIS_AI_WAIT_SECONDS))


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


def _decide(row: MatchRow, seat: SeatRow, *, within: float | None) -> tuple[Choice, ActionResult] | None:
    """Return the choice of the seat and its result; None if the AI failed and will be retried."""
    table = row.table()
    record_interrupted_attempt(row, seat)
    decision = None if row.attempts > MAX_ATTEMPTS else _choose(row, table, seat, within)
    if decision is None:
        if row.attempts < MAX_ATTEMPTS:
            _current_turn(row).update(wake_at=row.now + RETRY_DELAY)
            return None
        decision = _fallback(row, table, seat)
    return decision


def _choose(
    row: MatchRow, table: Table, seat: SeatRow, within: float | None
) -> tuple[Choice, ActionResult] | None:
    """Return the choice of the AI and its result; None if the AI fails or its choice is illegal."""
    try:
        choice = choose_action(table.view(seat.number), seat.level or CARETAKER_LEVEL, within)
    except Exception as error:  # noqa: BLE001 -- a match continues no matter how its AI fails
        _report_failure(row, seat, error)
        return None
    try:
        return choice, table.act(seat.number, choice.action, row.deal_round)
    except Problem as problem:
        _report_failure(row, seat, problem)
        return None


def _fallback(row: MatchRow, table: Table, seat: SeatRow) -> tuple[Choice, ActionResult]:
    """Return a simple legal move, after the AI has failed too often."""
    log.error("%s@%s: fallback move for seat %s", row.id, row.version, seat.number)
    record_attempt(row, seat, AttemptOutcome.FALLBACK)
    choice = fallback_action(table.view(seat.number), table.totals)
    return choice, table.act(seat.number, choice.action, row.deal_round)


def _report_failure(row: MatchRow, seat: SeatRow, error: Exception) -> None:
    """Store and log where an AI failed, without the error message, which may contain cards."""
    record_attempt(row, seat, AttemptOutcome.FAILED, error=error)
    log.error(
        "%s@%s: attempt %s of seat %s (%s) failed with %s\n%s",
        row.id,
        row.version,
        row.attempts,
        seat.number,
        seat.level or CARETAKER_LEVEL,
        type(error).__name__,
        "".join(traceback.format_tb(error.__traceback__)),
        extra=raised(error),
    )


def _commit(
    row: MatchRow, seat: SeatRow, choice: Choice, outcome: ActionResult, *, read_at: float, dispatch: bool
) -> MatchChanged | None:
    """Commit the action as one of this moment, from which the next turn and its fixed wait count."""
    row = row._replace(now=row.now + timedelta(seconds=monotonic() - read_at))
    event = action_event(row, outcome, choice.event, seat=seat.number, by=_actor(seat))
    if not commit_event(row, event.after, event.entry, rounds=event.rounds, bets=event.bets):
        return None
    return publish(event.after, dispatch=dispatch)


def _actor(seat: SeatRow) -> str:
    return Actor.CARETAKER if seat.state == SeatState.CARETAKER else Actor.AI


def count_due_turns(*, at_most: int) -> int:
    """Count the turns that no worker has claimed, or whose lease has ended, up to a limit."""
    return len(_due().values_list("pk")[:at_most])


def _due() -> QuerySet[Match]:
    return Match.objects.filter(status=MatchStatus.ACTIVE, wake_at__lte=Now())
