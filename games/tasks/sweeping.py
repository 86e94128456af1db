"""The sweep: every second, what is due is looked for in the database, so that nothing depends on a queue."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from celery import shared_task

from games.selectors.due import Due, what_is_due
from games.services.clock.outages import beat, make_up_for_outages
from games.services.clock.reminding import remind_due_players
from games.services.clock.sweeping import AT_ONCE, end_due_pauses, time_out_due_turns
from games.services.clock.vacations import end_vacations
from games.services.due_turns import claim_due_turns, give_back
from games.services.standing_orders import find_missed_orders
from games.tasks.nudges import nudge
from games.tasks.turns import take_turns

ORDERS_AT_ONCE: Final = 100
# As long as a sweep is busy with one thing before it looks after the next.
SECONDS_IN_A_ROW: Final = 5.0


@shared_task
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
