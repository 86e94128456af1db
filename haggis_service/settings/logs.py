"""Logging to standard error: JSON in production, plain text in development.

Every line has the ids of its request or task. No line has bodies, tokens, cards or seeds. Exception messages
may contain any of these (a database error repeats the rejected row), so an exception is logged by its class,
its code and its place. A fault that repeats is logged at growing intervals, with the number of suppressed
lines.
"""

from typing import Any, Final, Literal, cast

from django.core.exceptions import ImproperlyConfigured

LogFormat = Literal["json", "text", "traceback"]

LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")


def logging_settings(log_format: str, level: str, *, debug: bool = False) -> dict[str, Any]:
    """Return the settings of Python's logging for a format and a level; `debug` shows tracebacks.

    >>> logging_settings("json", "INFO")["root"]["level"]
    'INFO'
    """
    if log_format not in {"json", "text"}:
        raise ImproperlyConfigured(f"HAGGIS_LOG_FORM must be json or text, not {log_format!r}.")
    if level not in LEVELS:
        raise ImproperlyConfigured(f"HAGGIS_LOG_LEVEL must be one of {', '.join(LEVELS)}, not {level!r}.")
    return _settings("traceback" if debug else cast("LogFormat", log_format), level)


def _settings(log_format: LogFormat, level: str) -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": f"haggis_service.telemetry.log_formatters.{log_format}_formatter"}},
        "filters": {
            "faults": {"()": "haggis_service.telemetry.fault_limits.FaultLimiter"},
            "exceptions": {"()": "haggis_service.telemetry.fault_limits.ExceptionsOnly"},
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": [] if log_format == "traceback" else ["faults"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # Use the root handler like everything else, and send no mails to ADMINS.
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # Exceptions only: a client's 404 is not worth a line, and every request has one of its own.
            "django.request": {"level": "ERROR", "filters": ["exceptions"]},
            "django.security.DisallowedHost": {"level": "ERROR"},
            "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
            # telemetry/tasks.py logs a line for every task, with its ids.
            "celery.app.trace": {"level": "ERROR"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
            # At lower levels they would log codes and tokens.
            "oauthlib": {"level": "WARNING"},
            "oauth2_provider": {"level": "WARNING"},
            "uvicorn": {"handlers": [], "level": "WARNING", "propagate": True},
            # It warns that an in-memory broker has no host.
            "kombu.connection": {"level": "ERROR"},
        },
    }
