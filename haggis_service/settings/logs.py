"""Logging to standard error: JSON in production, plain text in development.

Every line has the ids of its request or task. No line has bodies, tokens, cards or seeds. Exception messages
may contain any of these (a database error repeats the rejected row), so the JSON format logs an exception by
its type and its place in the code, without its message.
"""

from typing import Any, Final, Literal, cast

from django.core.exceptions import ImproperlyConfigured

LogFormat = Literal["json", "text"]

LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")


def logging_settings(log_format: str, level: str) -> dict[str, Any]:
    """Return the settings of Python's logging for a format and a level.

    >>> logging_settings("json", "INFO")["root"]["level"]
    'INFO'
    """
    if log_format not in {"json", "text"}:
        raise ImproperlyConfigured(f"HAGGIS_LOG_FORM must be json or text, not {log_format!r}.")
    if level not in LEVELS:
        raise ImproperlyConfigured(f"HAGGIS_LOG_LEVEL must be one of {', '.join(LEVELS)}, not {level!r}.")
    return _settings(cast("LogFormat", log_format), level)


def _settings(log_format: LogFormat, level: str) -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": f"haggis_service.telemetry.log_formatters.{log_format}_formatter"}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # Use the root handler like everything else, and send no mails to ADMINS.
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # Errors only: a client's 404 is not worth a line.
            "django.request": {"level": "ERROR"},
            "django.security.DisallowedHost": {"level": "ERROR"},
            "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
            # telemetry/tasks.py logs a line for every task, with its ids.
            "celery.app.trace": {"level": "ERROR"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
            # It warns that an in-memory broker has no host.
            "kombu.connection": {"level": "ERROR"},
        },
    }
