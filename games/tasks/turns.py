"""The turns of AI seats and of standing orders, on the queue `ai`."""

from time import monotonic
from typing import Final

from celery import shared_task

from games.services.automatic import take_turn
from games.tasks.nudges import hold_nudges, nudge

# A match in which nobody sits but AIs is taken this far in one go, and then waits behind the others.
SECONDS_IN_A_ROW: Final = 0.5


@shared_task
def take_turns(match_id: str, version: int) -> None:
    """Take this turn, and those that follow at once from it."""
    until = monotonic() + SECONDS_IN_A_ROW
    with hold_nudges(match_id) as held:
        while take_turn(match_id=match_id, version=version):
            if held.latest is None or not held.latest.wakes:
                return
            version = held.latest.version
            if monotonic() >= until:
                break
        else:
            return
    nudge(take_turns, match_id, version)
