"""Periodic tasks: the sweep, reminders and cleanup."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from celery import shared_task
from django.utils import timezone

from games.accounts.services.credentials import delete_expired_tickets, delete_old_attempts
from games.ai.services import claim_due_turns, release_turns
from games.ai.tasks import take_turns
from games.api.idempotency import delete_old_keys
from games.clock.outages import extend_deadlines_after_outages, record_heartbeat
from games.clock.queries import DueWork, find_due_work
from games.clock.reminders import remind_due_players, write_reminders
from games.clock.timeouts import AT_ONCE, end_due_pauses, time_out_due_turns
from games.clock.vacations import clear_past_vacations
from games.core.queues import send_task
from games.lobby.services.membership import expire_open_matches
from games.notifications.webhooks import forget_old_deliveries
from games.play.services import wake_missed_orders

ORDERS_AT_ONCE: Final = 100
# As long as a sweep is busy with one thing before it looks after the next.
SECONDS_IN_A_ROW: Final = 5.0


@shared_task(name="games.tasks.sweeping.sweep")
def sweep() -> None:
    """Do all that is due, and hand the turns of the service to the workers.

    It may run twice at once, late, or not at all.
    """
    due = find_due_work()
    if due.beat:
        record_heartbeat()
        due = find_due_work()
    if due.vacations:
        clear_past_vacations()
    if not due.outages or not _repeat_until_done(extend_deadlines_after_outages):
        _process_deadlines(due)
    if due.orders and wake_missed_orders(at_most=ORDERS_AT_ONCE):
        due = find_due_work()
    if due.turns:
        release_turns([turn for turn in claim_due_turns() if not send_task(take_turns, *turn)])


def _process_deadlines(due: DueWork) -> None:
    """What must not be done before every deadline that an outage cost has been moved."""
    if due.deadlines:
        _repeat_until_done(lambda: time_out_due_turns() == AT_ONCE)
    if due.pauses:
        _repeat_until_done(lambda: end_due_pauses() == AT_ONCE)
    if due.reminders:
        _repeat_until_done(lambda: remind_due_players() == AT_ONCE)


def _repeat_until_done(some: Callable[[], bool]) -> bool:
    """Do some of a thing until none is left, or for a bounded time; whether there is still some."""
    until = monotonic() + SECONDS_IN_A_ROW
    while some():
        if monotonic() > until:
            return True
    return False


@shared_task(name="games.tasks.tidying.call_off_matches")
def call_off_matches() -> None:
    """Call off the matches that nobody has filled in time."""
    expire_open_matches(now=timezone.now())


@shared_task(name="games.tasks.tidying.forget_keys")
def forget_keys() -> None:
    """Forget the answers that nobody may ask for again."""
    delete_old_keys(now=timezone.now())


@shared_task(name="games.tasks.tidying.forget_attempts")
def forget_attempts() -> None:
    """Forget the attempts to log in that do not count any more."""
    delete_old_attempts(now=timezone.now())


@shared_task(name="games.tasks.tidying.forget_tickets")
def forget_tickets() -> None:
    """Forget the tickets that nobody has used in time."""
    delete_expired_tickets(now=timezone.now())


@shared_task(name="games.tasks.tidying.forget_deliveries")
def forget_deliveries() -> None:
    """Forget what was sent to endpoints long ago."""
    forget_old_deliveries(now=timezone.now())


@shared_task(name="games.tasks.reminding.remind")
def remind() -> None:
    """Put reminders that are due into the outbox. It may run twice at once, late, or not at all."""
    write_reminders()
