"""What the service says of itself, on standard error: JSON for machines in production, lines for a desk.

Every line carries the ids of the request or task that it belongs to. What it never carries: bodies, tokens,
cards, seeds. An error's own words may hold any of these (a database repeats the row that it refuses), so a
fault is told in JSON by its kind and its place in the code, without its words.
"""

from typing import Any, Final, Literal, cast

from django.core.exceptions import ImproperlyConfigured

LogFormat = Literal["json", "text"]

LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")


def logging_settings(log_format: str, level: str) -> dict[str, Any]:
    """Make Python's settings of logging: the form of the lines, and from which level on.

    >>> logging_settings("json", "INFO")["root"]["level"]
    'INFO'
    """
    if log_format not in {"json", "text"}:
        raise ImproperlyConfigured(f"HAGGIS_LOG_FORM is json or text, not {log_format!r}.")
    if level not in LEVELS:
        raise ImproperlyConfigured(f"HAGGIS_LOG_LEVEL is one of {', '.join(LEVELS)}, not {level!r}.")
    return _settings(cast("LogFormat", log_format), level)


def _settings(log_format: LogFormat, level: str) -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": f"haggis_service.telemetry.log_formatters.{log_format}_formatter"}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # Its faults come to our handler like everything else, and its mails to operators are not sent.
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # Faults only: that a client asked for what is not there is no news.
            "django.request": {"level": "ERROR"},
            "django.security.DisallowedHost": {"level": "ERROR"},
            "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
            # A line for every task of ours is written by us, with its ids.
            "celery.app.trace": {"level": "ERROR"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
            # That a broker in memory has no host is no news either.
            "kombu.connection": {"level": "ERROR"},
        },
    }
