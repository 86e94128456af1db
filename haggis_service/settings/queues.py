"""Work outside requests: how Celery is set up, wherever its broker is.

Nothing that matters lives in a queue: messages carry ids, and whatever they say is found again in the
database. So they are acknowledged when the work is done, given out again when a worker dies, and lost without
harm.
"""

from typing import Any, Final

# A broker in the process itself: for one server on one desk.
IN_PROCESS: Final = "memory://"

# Tasks take seconds: one that is not acknowledged after this time has lost its worker.
SECONDS_TO_REDELIVERY: Final = 120


def celery_settings(broker: str) -> dict[str, Any]:
    """Make Celery's settings from the address of its broker.

    >>> celery_settings(IN_PROCESS)["CELERY_BROKER_TRANSPORT_OPTIONS"]
    {'polling_interval': 0.05}
    """
    in_process = {"polling_interval": 0.05}
    redis = {"visibility_timeout": SECONDS_TO_REDELIVERY, "socket_keepalive": True}
    return {
        "CELERY_BROKER_URL": broker,
        "CELERY_BROKER_TRANSPORT_OPTIONS": in_process if broker == IN_PROCESS else redis,
        "CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP": True,
        "CELERY_TIMEZONE": "UTC",
        "CELERY_TASK_DEFAULT_QUEUE": "default",
        "CELERY_TASK_ROUTES": {"games.tasks.turns.*": {"queue": "ai"}},
        "CELERY_TASK_IGNORE_RESULT": True,
        "CELERY_TASK_ACKS_LATE": True,
        "CELERY_TASK_REJECT_ON_WORKER_LOST": True,
        "CELERY_WORKER_PREFETCH_MULTIPLIER": 1,
        "CELERY_WORKER_HIJACK_ROOT_LOGGER": False,
        # The schedule is code: there is no file of it, and two that follow it at once do no harm.
        "CELERY_BEAT_SCHEDULER": "celery.beat:Scheduler",
        "CELERY_BEAT_MAX_LOOP_INTERVAL": 1,
        "CELERY_BEAT_SCHEDULE": {
            "sweep": {
                "task": "games.tasks.sweeping.sweep",
                "schedule": 1.0,
                "options": {"expires": 2.0},
            },
            "call off matches": _every("games.tasks.tidying.call_off_matches", seconds=60),
            "forget keys": _every("games.tasks.tidying.forget_keys", seconds=60),
            "forget attempts": _every("games.tasks.tidying.forget_attempts", seconds=3600),
        },
    }


def _every(task: str, *, seconds: int) -> dict[str, Any]:
    """One line of the schedule; a message that nobody took until the next one is dropped."""
    return {"task": task, "schedule": float(seconds), "options": {"expires": float(seconds)}}
