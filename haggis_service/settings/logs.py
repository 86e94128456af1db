"""What the service says of itself, on standard error: warnings, and every fault with its traceback.

Django by itself sends faults by mail alone once DEBUG is off.
"""

from typing import Any, Final

LOGGING: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {
        "games": {"handlers": ["console"], "level": "WARNING"},
        # Faults only: that a client asked for what is not there is no news.
        "django.request": {"handlers": ["console"], "level": "ERROR", "propagate": False},
    },
}
