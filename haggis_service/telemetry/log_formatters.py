"""Log formatters: JSON and plain text."""

import logging
import traceback
from typing import Any, Final

import structlog
from structlog.typing import EventDict, Processor

# The extra fields of log records. Others are dropped, since they may contain a request.
LOGGED_FIELDS: Final = frozenset(
    {"method", "route", "status", "ms", "player_id", "match_id", "version", "task", "task_id", "state"}
)


def json_formatter() -> logging.Formatter:
    """Return a formatter that writes one JSON object per line."""
    return _formatter(_replace_exception, structlog.processors.JSONRenderer())


def text_formatter() -> logging.Formatter:
    """Return a formatter for people, with Python's tracebacks."""
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
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
    )


def _replace_exception(_: Any, __: str, line: EventDict) -> EventDict:  # noqa: ANN401 -- any logger
    """Replace an exception by its type and place, since its message may contain secrets."""
    exc_info = line.pop("exc_info", None)
    if isinstance(exc_info, tuple) and exc_info[1] is not None:
        line["fault"] = describe_exception(exc_info[1])
    return line


def describe_exception(error: BaseException) -> list[dict[str, Any]]:
    """Return the type and the stack of each exception in a chain, the first cause first."""
    described: list[dict[str, Any]] = []
    current: BaseException | None = error
    while current is not None:
        frames = traceback.extract_tb(current.__traceback__)
        locations = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        described.append({"kind": type(current).__name__, "at": locations})
        current = current.__cause__ or current.__context__
    return described[::-1]
