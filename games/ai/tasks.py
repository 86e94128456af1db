"""Celery tasks of the queue `ai`."""

from time import monotonic
from typing import Final

from celery import shared_task
from celery.signals import worker_process_shutdown, worker_shutdown

from games.ai.analysis import analyse_next_chunk
from games.ai.services import take_turn
from games.ai.worker_threads import drain_at_shutdown, renewed_lease, run_later
from games.core.queues import send_task
from games.matches.publish import MatchChanged

# A match between AIs only is played for this long by one task and then queued again, so that it does not
# delay other matches by more than this. It is still many times the overhead of a message.
MAX_TASK_SECONDS: Final = 0.1

worker_process_shutdown.connect(drain_at_shutdown)
worker_shutdown.connect(drain_at_shutdown)


@shared_task(name="games.tasks.turns.take_turns")
def take_turns(match_id: str, version: int, attempts: int = 0) -> None:
    """Take this turn and the automatic turns that follow it immediately.

    While the message was queued the sweep may have sent another: the second task leaves the turn to the
    first. A redelivered message means that the first worker died, so the turn is attempted again.
    """
    stop_at = monotonic() + MAX_TASK_SECONDS
    known_attempts = None if _is_redelivered() else attempts
    while (
        changed := _take_turn(match_id, version, known_attempts)
    ) is not None and changed.needs_service_turn:
        version, known_attempts = changed.version, 0
        if monotonic() >= stop_at:
            send_task(take_turns, match_id, version)
            return


def dispatch_turn(changed: MatchChanged) -> None:
    """Send a task to the workers if the service has to act in a changed match."""
    if changed.needs_service_turn:
        send_task(take_turns, changed.match_id, changed.version)


def _is_redelivered() -> bool:
    """Return whether the message was redelivered because its worker was lost."""
    delivery_info = take_turns.request.delivery_info
    return bool(delivery_info and delivery_info.get("redelivered"))


def _take_turn(match_id: str, version: int, known_attempts: int | None) -> MatchChanged | None:
    with renewed_lease(match_id, version):
        return take_turn(
            match_id=match_id, version=version, attempts=known_attempts, defer=run_later, dispatch=False
        )


@shared_task(name="games.tasks.analysing.analyse")
def analyse() -> None:
    """Analyse the next chunk of the analysis that has waited longest, if one is due."""
    analyse_next_chunk()
