"""Log errors that end a thread like all others, instead of printing them with their words."""

import logging
import threading

log = logging.getLogger("haggis.threads")


def log_uncaught_errors() -> None:
    """Log the errors that end threads of this process."""
    threading.excepthook = _log_error


def _log_error(ended: threading.ExceptHookArgs) -> None:
    if ended.exc_value is not None:
        error = (ended.exc_type, ended.exc_value, ended.exc_traceback)
        log.error("a thread ended with an error", exc_info=error)
