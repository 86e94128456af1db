"""The sweep: every second, what is due is looked for in the database, so that nothing depends on a queue."""

from typing import Final

from celery import shared_task

from games.services.due_turns import claim_due_turns
from games.services.standing_orders import find_missed_orders
from games.tasks.nudges import nudge
from games.tasks.turns import take_turns

ORDERS_AT_ONCE: Final = 100


@shared_task
def sweep() -> None:
    """Hand every turn that is due to the workers. It may run twice at once, late, or not at all."""
    find_missed_orders(at_most=ORDERS_AT_ONCE)
    for match_id, version in claim_due_turns():
        nudge(take_turns, match_id, version)
