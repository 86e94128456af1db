"""Celery tasks of the queues `ai` and `analysis`."""

from time import monotonic
from typing import Final

from celery import shared_task
from celery.signals import worker_process_shutdown, worker_shutdown
from structlog.contextvars import bind_contextvars, get_contextvars, unbind_contextvars

from games.ai.analysis import analyse_next_chunk
from games.ai.services import count_due_turns, take_claimed_turn
from games.ai.worker_threads import drain_at_shutdown, renewed_lease, run_later
from games.core.queues import count_messages, send_task
from games.matches.publish import MatchChanged
from games.matches.turn_order import ClaimedTurn, claim_next_turn

QUEUE: Final = "ai"
# A task takes turns for this long if each is followed by another, which saves most of the messages.
MAX_TASK_SECONDS: Final = 0.1
# A task of the sweep takes turns for this long. In `make run` the clock waits meanwhile.
MAX_SWEEP_TASK_SECONDS: Final = 0.5
MAX_SWEEP_TASKS: Final = 8
MAX_ANALYSIS_SECONDS: Final = 0.8

worker_process_shutdown.connect(drain_at_shutdown)
worker_shutdown.connect(drain_at_shutdown)


@shared_task(name="games.tasks.turns.take_turns")
def take_turns(match_id: str, version: int, attempts: int = 0) -> None:  # noqa: ARG001 -- see below
    """Take the due turn that is the next in order, and one more for each turn that follows from it.

    There is one message for each turn, and it does not decide which turn is taken: only workers of the
    previous release need the arguments.
    """
    unbind_contextvars("match_id")  # bound from the message; the log names the match that is taken
    stop_at = monotonic() + MAX_TASK_SECONDS
    while (turn := claim_next_turn()) is not None:
        changed = _take(turn)
        if changed is None or not changed.needs_service_turn:
            return
        if monotonic() >= stop_at:
            dispatch_turn(changed)
            return


@shared_task(name="games.tasks.turns.take_waiting_turns")
def take_waiting_turns() -> None:
    """Take due turns until none is left or the time is up. The sweep sends this if messages were lost."""
    stop_at, changed = monotonic() + MAX_SWEEP_TASK_SECONDS, None
    while monotonic() < stop_at:
        turn = claim_next_turn()
        if turn is None:
            return
        changed = _take(turn)
    if changed is not None:
        dispatch_turn(changed)


def dispatch_turn(changed: MatchChanged) -> None:
    """Send a task to the workers if the service has to act in a changed match."""
    if changed.needs_service_turn:
        send_task(take_turns, changed.match_id, changed.version)


def dispatch_waiting_turns() -> None:
    """Send tasks for turns that are due although no message waits: it was lost, or a lease has ended.

    While messages wait, each of them takes a turn, and more of them would only make the queue longer.
    """
    waiting = count_due_turns(at_most=MAX_SWEEP_TASKS)
    if waiting and count_messages(QUEUE) == 0:
        for _ in range(waiting):
            send_task(take_waiting_turns)


def _take(turn: ClaimedTurn) -> MatchChanged | None:
    if "task" in get_contextvars():  # for the log lines of the task, until it ends
        bind_contextvars(match_id=turn.match_id)
    with renewed_lease(turn.match_id, turn.version):
        return take_claimed_turn(turn, defer=run_later, dispatch=False)


@shared_task(name="games.tasks.analysing.analyse")
def analyse() -> None:
    """Analyse chunks in fair order until none is due or the time is up."""
    stop_at = monotonic() + MAX_ANALYSIS_SECONDS
    while analyse_next_chunk() and monotonic() < stop_at:
        pass
