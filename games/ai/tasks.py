"""Tasks of the queue `ai`."""

from time import monotonic
from typing import Final

from celery import shared_task
from celery.signals import worker_process_shutdown, worker_shutdown

from games.ai.analysis import analyse_next_chunk
from games.ai.services import take_turn
from games.ai.worker_threads import drain_at_shutdown, renewed_lease, run_later
from games.core.queues import send_task
from games.matches.publish import MatchChanged

# A match in which nobody sits but AIs is taken this far in one go, and then waits behind the others. So much
# is what each of them costs all the others; it is still many times what a message costs.
SECONDS_IN_A_ROW: Final = 0.1

worker_process_shutdown.connect(drain_at_shutdown)
worker_shutdown.connect(drain_at_shutdown)


@shared_task(name="games.tasks.turns.take_turns")
def take_turns(match_id: str, version: int, attempts: int = 0) -> None:
    """Take this turn, and those that follow at once from it.

    While its message waited the sweep may have sent another: whoever comes second leaves it to the first. If
    the first has died at it, so that this is its own message once more, it is tried again.
    """
    until = monotonic() + SECONDS_IN_A_ROW
    tried = None if _is_redelivered() else attempts
    while (changed := _take_turn(match_id, version, tried)) is not None and changed.needs_service_turn:
        version, tried = changed.version, 0
        if monotonic() >= until:
            send_task(take_turns, match_id, version)
            return


def _is_redelivered() -> bool:
    """Whether the worker that had this message before was lost over it."""
    delivered = take_turns.request.delivery_info
    return bool(delivered and delivered.get("redelivered"))


def _take_turn(match_id: str, version: int, tried: int | None) -> MatchChanged | None:
    with renewed_lease(match_id, version):
        return take_turn(match_id=match_id, version=version, attempts=tried, later=run_later, nudge=False)


@shared_task(name="games.tasks.analysing.analyse")
def analyse() -> None:
    """Go on with the analysis that has waited longest, if any does."""
    analyse_next_chunk()
