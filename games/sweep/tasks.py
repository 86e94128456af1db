"""Periodic tasks: the sweep, reminders and cleanup."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from celery import shared_task
from django.utils import timezone

from games.accounts.services.credentials import forget_old_attempts, forget_old_tickets
from games.ai.services import claim_due_turns, give_back
from games.ai.tasks import take_turns
from games.api.idempotency import delete_old_keys
from games.clock.outages import beat, make_up_for_outages
from games.clock.queries import Due, what_is_due
from games.clock.reminders import remind_due_players, write_reminders
from games.clock.timeouts import AT_ONCE, end_due_pauses, time_out_due_turns
from games.clock.vacations import end_vacations
from games.core.queues import nudge
from games.lobby.services.membership import expire_open_matches
from games.notifications.webhooks import forget_old_deliveries
from games.play.services import find_missed_orders

ORDERS_AT_ONCE: Final = 100
# As long as a sweep is busy with one thing before it looks after the next.
SECONDS_IN_A_ROW: Final = 5.0


@shared_task(name="games.tasks.sweeping.sweep")
def sweep() -> None:
    """Do all that is due, and hand the turns of the service to the workers.

    It may run twice at once, late, or not at all.
    """
    due = what_is_due()
    if due.beat:
        beat()
        due = what_is_due()
    if due.vacations:
        end_vacations()
    if not due.outages or not _over_and_over(make_up_for_outages):
        _keep_the_clock(due)
    if due.orders and find_missed_orders(at_most=ORDERS_AT_ONCE):
        due = what_is_due()
    if due.turns:
        give_back([turn for turn in claim_due_turns() if not nudge(take_turns, *turn)])


def _keep_the_clock(due: Due) -> None:
    """What must not be done before every deadline that an outage cost has been moved."""
    if due.deadlines:
        _over_and_over(lambda: time_out_due_turns() == AT_ONCE)
    if due.pauses:
        _over_and_over(lambda: end_due_pauses() == AT_ONCE)
    if due.reminders:
        _over_and_over(lambda: remind_due_players() == AT_ONCE)


def _over_and_over(some: Callable[[], bool]) -> bool:
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
    forget_old_attempts(now=timezone.now())


@shared_task(name="games.tasks.tidying.forget_tickets")
def forget_tickets() -> None:
    """Forget the tickets that nobody has used in time."""
    forget_old_tickets(now=timezone.now())


@shared_task(name="games.tasks.tidying.forget_deliveries")
def forget_deliveries() -> None:
    """Forget what was sent to endpoints long ago."""
    forget_old_deliveries(now=timezone.now())


@shared_task(name="games.tasks.reminding.remind")
def remind() -> None:
    """Put reminders that are due into the outbox. It may run twice at once, late, or not at all."""
    write_reminders()
