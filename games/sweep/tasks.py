"""Celery tasks of the beat schedule: the sweep, reminders and cleanup."""

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
from games.clock.timeouts import BATCH_SIZE, end_due_pauses, time_out_due_turns
from games.clock.vacations import clear_past_vacations
from games.core.queues import send_task
from games.lobby.services.membership import expire_open_matches
from games.notifications.webhooks import forget_old_deliveries
from games.play.services import wake_missed_orders

ORDERS_BATCH_SIZE: Final = 100
# How long a sweep does one kind of work before it turns to the next.
MAX_STEP_SECONDS: Final = 5.0


@shared_task(name="games.tasks.sweeping.sweep")
def sweep() -> None:
    """Do all work that is due and send due AI turns to the workers.

    The task is safe to run concurrently, late or not at all.
    """
    due = find_due_work()
    if due.beat:
        record_heartbeat()
        due = find_due_work()
    if due.vacations:
        clear_past_vacations()
    if not due.outages or not _repeat_until_done(extend_deadlines_after_outages):
        _process_deadlines(due)
    if due.orders and wake_missed_orders(at_most=ORDERS_BATCH_SIZE):
        due = find_due_work()
    if due.turns:
        release_turns([turn for turn in claim_due_turns() if not send_task(take_turns, *turn)])


def _process_deadlines(due: DueWork) -> None:
    """Process expired deadlines and pauses, and write reminders."""
    if due.deadlines:
        _repeat_until_done(lambda: time_out_due_turns() == BATCH_SIZE)
    if due.pauses:
        _repeat_until_done(lambda: end_due_pauses() == BATCH_SIZE)
    if due.reminders:
        _repeat_until_done(lambda: remind_due_players() == BATCH_SIZE)


def _repeat_until_done(process_batch: Callable[[], bool]) -> bool:
    """Process batches until none is left or the time is up; return True if work is left."""
    stop_at = monotonic() + MAX_STEP_SECONDS
    while process_batch():
        if monotonic() > stop_at:
            return True
    return False


@shared_task(name="games.tasks.tidying.call_off_matches")
def call_off_matches() -> None:
    """Cancel open matches that were not filled in time."""
    expire_open_matches(now=timezone.now())


@shared_task(name="games.tasks.tidying.forget_keys")
def forget_keys() -> None:
    """Delete expired idempotency keys."""
    delete_old_keys(now=timezone.now())


@shared_task(name="games.tasks.tidying.forget_attempts")
def forget_attempts() -> None:
    """Delete login attempts that no longer count."""
    delete_old_attempts(now=timezone.now())


@shared_task(name="games.tasks.tidying.forget_tickets")
def forget_tickets() -> None:
    """Delete expired tickets."""
    delete_expired_tickets(now=timezone.now())


@shared_task(name="games.tasks.tidying.forget_deliveries")
def forget_deliveries() -> None:
    """Delete old webhook deliveries."""
    forget_old_deliveries(now=timezone.now())


@shared_task(name="games.tasks.reminding.remind")
def remind() -> None:
    """Write due reminders. The task is safe to run concurrently, late or not at all."""
    write_reminders()
