"""Celery settings for any broker.

The queues hold no state: messages carry ids, and the sweep finds all pending work in the database. So
messages are acknowledged after the work is done, redelivered when a worker dies, and may be lost without
harm.
"""

from typing import Any, Final

# A broker in the memory of the process, for `manage.py serve`.
IN_PROCESS: Final = "memory://"

# Tasks take seconds. A task is interrupted after the first of these times and killed after the second. A
# message that is not acknowledged after the third has lost its worker and is redelivered.
SOFT_TIME_LIMIT_SECONDS: Final = 60
TIME_LIMIT_SECONDS: Final = 90
VISIBILITY_TIMEOUT_SECONDS: Final = 120

# A worker reconnects if the broker does not answer for this long, without a limit on attempts.
BROKER_TIMEOUT_SECONDS: Final = 10

# A worker process is replaced after this many tasks, or when it has grown to this size.
MAX_TASKS_PER_PROCESS: Final = 2_000
MAX_PROCESS_KILOBYTES: Final = 400_000


def celery_settings(broker: str) -> dict[str, Any]:
    """Return Celery's settings for the URL of its broker.

    >>> celery_settings("redis://redis/0")["CELERY_TASK_ACKS_LATE"]
    True
    >>> celery_settings(IN_PROCESS)["CELERY_BROKER_TRANSPORT_OPTIONS"]
    {'polling_interval': 0.05}
    """
    in_process = {"polling_interval": 0.05}
    redis = {
        "visibility_timeout": VISIBILITY_TIMEOUT_SECONDS,
        "socket_timeout": BROKER_TIMEOUT_SECONDS,
        "socket_connect_timeout": BROKER_TIMEOUT_SECONDS / 2,
        "socket_keepalive": True,
        "health_check_interval": BROKER_TIMEOUT_SECONDS,
        "retry_on_timeout": False,
    }
    limits = {
        "CELERY_TASK_SOFT_TIME_LIMIT": SOFT_TIME_LIMIT_SECONDS,
        "CELERY_TASK_TIME_LIMIT": TIME_LIMIT_SECONDS,
    }
    return {
        "CELERY_BROKER_URL": broker,
        "CELERY_BROKER_TRANSPORT_OPTIONS": in_process if broker == IN_PROCESS else redis,
        "CELERY_BROKER_CONNECTION_TIMEOUT": BROKER_TIMEOUT_SECONDS / 2,
        "CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP": True,
        "CELERY_BROKER_CONNECTION_MAX_RETRIES": None,
        "CELERY_TIMEZONE": "UTC",
        "CELERY_TASK_DEFAULT_QUEUE": "default",
        "CELERY_TASK_ROUTES": {
            "games.tasks.turns.*": {"queue": "ai"},
            "games.tasks.analysing.*": {"queue": "analysis"},
            "games.tasks.outbox.*": {"queue": "outbox"},
            "games.tasks.records.*": {"queue": "records"},
            "games.tasks.exports.*": {"queue": "exports"},
        },
        "CELERY_TASK_IGNORE_RESULT": True,
        "CELERY_TASK_ACKS_LATE": True,
        "CELERY_TASK_REJECT_ON_WORKER_LOST": True,
        "CELERY_WORKER_PREFETCH_MULTIPLIER": 1,
        "CELERY_WORKER_MAX_TASKS_PER_CHILD": MAX_TASKS_PER_PROCESS,
        "CELERY_WORKER_MAX_MEMORY_PER_CHILD": MAX_PROCESS_KILOBYTES,
        # A task that outlives its connection runs twice at worst, which does no harm.
        "CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS": False,
        "CELERY_WORKER_ENABLE_REMOTE_CONTROL": False,
        "CELERY_WORKER_REDIRECT_STDOUTS": False,
        **({} if broker == IN_PROCESS else limits),
        # The schedule is not stored in a file, and two schedulers at once do no harm.
        "CELERY_BEAT_SCHEDULER": "haggis_service.liveness:LivenessScheduler",
        "CELERY_BEAT_MAX_LOOP_INTERVAL": 1,
        "CELERY_BEAT_SCHEDULE": {
            "sweep": _entry_each_second("games.tasks.sweeping.sweep"),
            **({} if broker == IN_PROCESS else BACKGROUND_SCHEDULE),
            "count matches": _entry("games.tasks.statistics.count_matches", seconds=2),
            "rate matches": _entry("games.tasks.ratings.rate_matches", seconds=2),
            "measure rating pools": _entry("games.tasks.ratings.measure_pools", seconds=3600),
            "call off matches": _entry("games.tasks.tidying.call_off_matches", seconds=60),
            "end idle matches": _entry("games.tasks.tidying.end_idle_matches", seconds=600),
            "delete matches": _entry("games.tasks.tidying.delete_matches", seconds=600),
            "delete analyses": _entry("games.tasks.tidying.delete_analyses", seconds=600),
            "complete closings": _entry("games.tasks.tidying.complete_closings", seconds=60),
            "forget keys": _entry("games.tasks.tidying.forget_keys", seconds=60),
            "forget tickets": _entry("games.tasks.tidying.forget_tickets", seconds=60),
            "forget deliveries": _entry("games.tasks.tidying.forget_deliveries", seconds=600),
            "forget verifications": _entry("games.tasks.tidying.forget_verifications", seconds=60),
            "forget attempts": _entry("games.tasks.tidying.forget_attempts", seconds=3600),
        },
    }


def _entry_each_second(task: str) -> dict[str, Any]:
    """Return a schedule entry for every second; unclaimed messages expire before they pile up."""
    return {"task": task, "schedule": 1.0, "options": {"expires": 2.0}}


def _entry(task: str, *, seconds: int) -> dict[str, Any]:
    """Return a schedule entry; a message that no worker claims before the next one expires."""
    return {"task": task, "schedule": float(seconds), "options": {"expires": float(seconds)}}


# With an in-memory broker threads do this instead (serving/background_threads.py): analyses, slow
# receivers and large records would delay everything else, since there is only one worker.
ANALYSIS_SCHEDULE: Final = {"analyse": _entry_each_second("games.tasks.analysing.analyse")}
RECORDS_SCHEDULE: Final = {
    "verify records": _entry_each_second("games.tasks.records.verify_records"),
    "publish records": _entry("games.tasks.records.publish_records", seconds=5),
}
OUTBOX_SCHEDULE: Final = {
    "send webhooks": _entry_each_second("games.tasks.outbox.send_webhooks"),
    "send mails": _entry("games.tasks.outbox.send_mails", seconds=10),
    "send pushes": _entry("games.tasks.outbox.send_pushes", seconds=2),
}
EXPORTS_SCHEDULE: Final = {
    "write exports": _entry("games.tasks.exports.write_exports", seconds=10),
    "maintain exports": _entry("games.tasks.exports.maintain_exports", seconds=600),
}
BACKGROUND_SCHEDULE: Final = ANALYSIS_SCHEDULE | OUTBOX_SCHEDULE | RECORDS_SCHEDULE | EXPORTS_SCHEDULE
