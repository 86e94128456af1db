"""Log formatters: one line for each record, as JSON or as plain text, without messages of errors.

The message of an exception may repeat what is stored: a database error shows the rejected row. So an
exception is logged by its class, its code and its place.
"""

import errno
import logging
import sysconfig
import traceback
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import structlog
from structlog.typing import EventDict, Processor

# The extra fields of log records. Others are dropped, since they may contain a request.
LOGGED_FIELDS: Final = frozenset(
    (
        *("method", "route", "status", "ms", "player_id", "match_id", "version"),
        *("task", "task_id", "state", "suppressed"),
    )
)
# Loggers of Django whose messages end with a colon and the path of the request.
_LOGGERS_OF_PATHS: Final = frozenset({"django.request", "django.security.csrf"})
MAX_FRAMES: Final = 8
MAX_EXCEPTIONS: Final = 4
MAX_MESSAGE: Final = 1000
# File names are shown relative to these folders.
_FOLDERS: Final = tuple(
    f"{folder}/"
    for folder in (
        sysconfig.get_path("purelib"),
        sysconfig.get_path("stdlib"),
        Path(__file__).resolve().parents[2],
    )
)


def json_formatter() -> logging.Formatter:
    """Return a formatter that writes one JSON object per line."""
    return _formatter(_replace_exception, structlog.processors.JSONRenderer())


def text_formatter() -> logging.Formatter:
    """Return a formatter for people."""
    return _formatter(_replace_exception, _shorten_fault, structlog.dev.ConsoleRenderer(colors=False))


def traceback_formatter() -> logging.Formatter:
    """Return a formatter for development, with Python's tracebacks and messages."""
    plain = structlog.dev.plain_traceback
    return _formatter(structlog.dev.ConsoleRenderer(colors=False, exception_formatter=plain))


def _formatter(*renderers: Processor) -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(allow=LOGGED_FIELDS),
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[
            _replace_path,
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *renderers,
        ],
    )


def _replace_path(_: Any, __: str, line: EventDict) -> EventDict:  # noqa: ANN401 -- any logger
    """Replace the path in a message of Django by the route: a path may contain a secret."""
    record: logging.LogRecord = line["_record"]
    request = record.__dict__.get("request")
    if record.name in _LOGGERS_OF_PATHS and request is not None:
        resolved = getattr(request, "resolver_match", None)
        line["event"] = str(line["event"]).partition(":")[0]
        line["route"] = "" if resolved is None else resolved.route
    return line


def _replace_exception(_: Any, __: str, line: EventDict) -> EventDict:  # noqa: ANN401 -- any logger
    """Replace an exception by its class, its code and its place, also in the message."""
    exc_info = line.pop("exc_info", None)
    error = exc_info[1] if isinstance(exc_info, tuple) else None
    line["event"] = one_line(str(line["event"]), error)
    if error is not None:
        line["fault"] = describe_exception(error)
    return line


def one_line(text: str, error: BaseException | None) -> str:
    r"""Return a message on one line, without the message of an exception.

    >>> one_line("failed: a name\nTraceback ...", ValueError("a name"))
    'failed: ValueError | Traceback ...'
    """
    for each in _chain(error):
        for words in filter(None, (repr(each), str(each))):
            text = text.replace(words, type(each).__name__)
    return " | ".join(part.strip() for part in text.splitlines() if part.strip())[:MAX_MESSAGE]


def _shorten_fault(_: Any, __: str, line: EventDict) -> EventDict:  # noqa: ANN401 -- any logger
    """Show where the last exception of a chain was raised."""
    if "fault" in line:
        last = line["fault"][-1]
        code = f" {last['code']}" if "code" in last else ""
        line["fault"] = f"{last['kind']}{code} at {' < '.join(last['at'][::-1])}"
    return line


def describe_exception(error: BaseException) -> list[dict[str, Any]]:
    """Return class, code and last frames of each exception in a chain, the first cause first."""
    return [_describe(each) for each in _chain(error)][::-1]


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and what caused it."""
    current, number = error, 0
    while current is not None and number < MAX_EXCEPTIONS:
        yield current
        current, number = current.__cause__ or current.__context__, number + 1


def _describe(error: BaseException) -> dict[str, Any]:
    frames = list(islice(reversed(traceback.extract_tb(error.__traceback__)), MAX_FRAMES))[::-1]
    described: dict[str, Any] = {"kind": type(error).__name__}
    if code := error_code(error):
        described["code"] = code
    described["at"] = [f"{_relative(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
    return described


def error_code(error: BaseException) -> str:
    """Return the code of an error of the database, the system or the API, or an empty string.

    >>> error_code(FileNotFoundError(2, "no such file: secret"))
    'ENOENT'
    """
    for name in ("sqlstate", "sqlite_errorname", "code"):
        value = getattr(error, name, None)
        if isinstance(value, str) and value.replace("_", "").isalnum():
            return value
    number = getattr(error, "errno", None)
    return errno.errorcode.get(number, "") if isinstance(number, int) else ""


def _relative(filename: str) -> str:
    return next((filename.removeprefix(each) for each in _FOLDERS if filename.startswith(each)), filename)
