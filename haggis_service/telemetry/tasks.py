"""A log line for every task, with the id of the request that sent it.

The id is a header of the task message. Scheduled tasks have none.
"""

import logging
import logging.config
from time import perf_counter
from typing import Any, Final

from celery import Task, signals
from django.conf import settings
from structlog.contextvars import bind_contextvars, get_contextvars, unbind_contextvars

HEADER: Final = "request_id"
_BOUND_NAMES: Final = (HEADER, "task", "task_id", "match_id")
_STARTED_AT: Final[dict[str, float]] = {}

log = logging.getLogger("haggis.tasks")


def connect_task_logging() -> None:
    """Connect the signal handlers; calling it twice has no effect."""
    signals.before_task_publish.connect(_add_request_id, dispatch_uid="haggis")
    signals.task_prerun.connect(_bind_context, dispatch_uid="haggis")
    signals.task_postrun.connect(_log_end, dispatch_uid="haggis")
    # Otherwise Celery configures logging itself, including the root level.
    signals.setup_logging.connect(_configure_logging, dispatch_uid="haggis")


def _configure_logging(**_: object) -> None:
    logging.config.dictConfig(settings.LOGGING)


def _add_request_id(headers: dict[str, Any] | None = None, **_: object) -> None:
    request_id = get_contextvars().get(HEADER)
    if headers is not None and request_id:
        headers[HEADER] = request_id


def _bind_context(task_id: str, task: "Task[Any, Any]", args: tuple[Any, ...], **_: object) -> None:
    bound = {"task": task.name.rpartition(".")[2], "task_id": task_id}
    if request_id := getattr(task.request, HEADER, None):
        bound[HEADER] = request_id
    if args and isinstance(args[0], str) and args[0].startswith("m_"):
        bound["match_id"] = args[0]
    bind_contextvars(**bound)
    _STARTED_AT[task_id] = perf_counter()


def _level(state: str | None) -> int:
    """Return the level of the line of a task; a scheduled one is only worth a line if it fails."""
    if state == "FAILURE":
        return logging.WARNING
    return logging.DEBUG if _is_routine_success(state) else logging.INFO


def _is_routine_success(state: str | None) -> bool:
    """Return whether a scheduled task succeeded: one without a request and a match."""
    return state == "SUCCESS" and not get_contextvars().keys() & {HEADER, "match_id"}


def _log_end(task_id: str, state: str | None = None, **_: object) -> None:
    seconds = perf_counter() - _STARTED_AT.pop(task_id, perf_counter())
    log.log(_level(state), "done", extra={"state": state, "ms": round(seconds * 1000, 1)})
    unbind_contextvars(*_BOUND_NAMES)
